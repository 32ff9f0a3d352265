"""Charts as SVG: geometry in attributes, colour in classes, so that strict CSP, dark mode and print need no more."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

Point = tuple[float, float] | None
BAR = 14
WIDE, HIGH, TOP, BOTTOM = 520, 240, 26, 216
"""Of a trend: pixels of a picture, where a page stretches the width to its place; figures lie between the others."""
LABEL, LETTER = 32, 7
"""Pixels: between the labels of two lines, and the width of a letter."""
MOST_POINTS = 120
"""A point for three pixels of the narrowest place on a wide screen."""
STEP = 8
"""Pixels of a day in a strip."""


@dataclass(frozen=True, slots=True)
class TrendDay:
    """One measured day: a figure of 0 to 100 over its window with the interval, a second figure, and the first of the
    day alone."""

    day: date
    value: float | None
    low: float | None = None
    high: float | None = None
    second: float | None = None
    alone: float | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on a day, in words."""

    day: date
    words: str


def _points(values: Sequence[float | None], left: float, right: float, top: float, bottom: float) -> list[Point]:
    """Where each value of 0 to 100 lies; what is missing is None and breaks the line."""
    step = (right - left) / max(len(values) - 1, 1)
    return [
        None if value is None else (left + place * step, bottom - value * (bottom - top) / 100)
        for place, value in enumerate(values)
    ]


def _path(points: Sequence[Point]) -> str:
    drawn, pen = [], "M"
    for point in points:
        if point is None:
            pen = "M"
        else:
            drawn.append(f"{pen}{point[0]:.1f} {point[1]:.1f}")
            pen = "L"
    return "".join(drawn)


def trend(
    days: Sequence[TrendDay],
    *,
    label: str,
    names: tuple[str, str] = ("mentioned", "site cited"),
    events: Sequence[Event],
) -> SafeString:
    """The figure by day with its interval, a second line, events, and what each day reads when pointed at. Only lines
    and the interval are stretched to the width of the place: words and dots stay as large as those of the page."""
    if len(days) < 2:
        return mark_safe("")
    value, low, high, second, alone = (
        _points([getattr(each, name) for each in days], 0, WIDE, TOP, BOTTOM)
        for name in ("value", "low", "high", "second", "alone")
    )
    parts = []
    for level in (0, 50, 100):
        y = BOTTOM - level * (BOTTOM - TOP) / 100
        parts.append(f'<line class="rule" x1="0" x2="100%" y1="{y:g}" y2="{y:g}"/>')
        parts.append(f'<text x="0" dx="-7" y="{y + 4:g}" text-anchor="end">{level}</text>')
    parts.append(f'<svg viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none" width="100%" height="{HIGH}">')
    for upper, lower in _runs(high, low):
        parts.append(f'<path class="band" d="{_path(upper)}{_path(lower[::-1]).replace("M", "L", 1)}Z"/>')
    parts.append(f'<path class="second" d="{_path(second)}"/><path class="line" d="{_path(value)}"/></svg>')
    parts += [f'<circle class="day" cx="{_x(point[0])}" cy="{point[1]:.1f}" r="2"/>' for point in alone if point]
    parts += [_event(days, event) for event in events]
    parts += _ends([(value[-1], days[-1].value, names[0], ""), (second[-1], days[-1].second, names[1], " b")])
    parts += [*_ticks(days), *_readouts(days, names)]
    return mark_safe(  # noqa: S308 - numbers, and words that are escaped
        f'<svg class="chart trend" height="{HIGH}" role="group" aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def _x(place: float) -> str:
    """A place of 0 to WIDE as a share of the width."""
    return f"{100 * place / WIDE:.2f}%"


def _runs(high: Sequence[Point], low: Sequence[Point]) -> list[tuple[list[Point], list[Point]]]:
    """The stretches of days that have an interval."""
    runs: list[tuple[list[Point], list[Point]]] = [([], [])]
    for upper, lower in zip(high, low, strict=True):
        if upper is None or lower is None:
            runs.append(([], []))
        else:
            runs[-1][0].append(upper)
            runs[-1][1].append(lower)
    return [run for run in runs if len(run[0]) > 1]


def _event(days: Sequence[TrendDay], event: Event) -> str:
    place = next((number for number, each in enumerate(days) if each.day >= event.day), None)
    if not place:
        return ""
    at = (place - 0.5) * WIDE / (len(days) - 1)
    anchor, shift = ("end", -6) if at > WIDE / 2 else ("start", 6)
    words = escape(event.words)
    return (
        f'<line class="event" x1="{_x(at)}" x2="{_x(at)}" y1="{TOP - 8}" y2="{BOTTOM}"/>'
        f'<text class="flag" x="{_x(at)}" dx="{shift}" y="{TOP - 8}" text-anchor="{anchor}">{words}</text>'
    )


def _ends(ends: Sequence[tuple[Point, float | None, str, str]]) -> list[str]:
    """The last points with their values and names, which lie apart where points do not."""
    shown = [(point, value, name, tone) for point, value, name, tone in ends if point and value is not None]
    lines = [point[1] for point, *_ in shown]
    if len(lines) == 2 and abs(lines[0] - lines[1]) < LABEL:
        middle = min(max(sum(lines) / 2, TOP + LABEL / 2), BOTTOM - LABEL / 2)
        first = -LABEL / 2 if lines[0] <= lines[1] else LABEL / 2
        lines = [middle + first, middle - first]
    return [
        f'<circle class="end{tone}" cx="100%" cy="{point[1]:.1f}" r="{4 if tone else 5}"/>'
        f'<text class="lab{tone}" y="{line:.0f}"><tspan x="100%">{value:.0f} %</tspan> '
        f'<tspan x="100%" dy="14">{escape(name)}</tspan></text>'
        for (point, value, name, tone), line in zip(shown, lines, strict=True)
    ]


def _ticks(days: Sequence[TrendDay]) -> list[str]:
    last = len(days) - 1
    places = ((0, "start"), (last // 3, "middle"), (2 * last // 3, "middle"), (last, "end"))
    shown = dict.fromkeys(place for place in places if last >= 6 or place in (places[0], places[-1]))
    return [
        f'<text x="{_x(place * WIDE / last)}" y="{HIGH - 5}" text-anchor="{anchor}">'
        f"{day_words(days[place].day)}</text>"
        for place, anchor in shown
    ]


def _readouts(days: Sequence[TrendDay], names: tuple[str, str]) -> list[str]:
    step = WIDE / (len(days) - 1)
    drawn = []
    for place, each in enumerate(days):
        if each.value is None:
            continue
        at = place * step
        second = "" if each.second is None else f" · {names[1].removeprefix('site ')} {each.second:.0f} %"
        words = f"{day_words(each.day)}: {each.value:.0f} %{second}"
        wide = LETTER * len(words) + 20
        corner, anchor, shift = (0, "start", 10) if at < WIDE / 2 else (-wide, "end", -10)
        drawn.append(
            f'<g class="at"><rect class="hit" x="{_x(at - step / 2)}" y="{TOP}" width="{_x(step)}" '
            f'height="{BOTTOM - TOP}"/><g class="read"><line x1="{_x(at)}" x2="{_x(at)}" y1="{TOP}" y2="{BOTTOM}"/>'
            f'<rect x="{_x(at)}" transform="translate({corner:g})" y="{BOTTOM - 30}" width="{wide:g}" height="22" '
            f'rx="6"/><text x="{_x(at)}" dx="{shift}" y="{BOTTOM - 15}" text-anchor="{anchor}">{escape(words)}</text>'
            "</g></g>"
        )
    return drawn


def bar(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    *,
    hue: str = "me",
    part: float | None = None,
) -> SafeString:
    """A share of 100 as a bar with its interval; or faint, with the `part` of it that counts drawn full."""
    shares = [f'<rect class="track" width="100%" height="{BAR}" rx="4"/>']
    if value is not None:
        faint = " fade" if part is not None else ""
        shares.append(f'<rect class="{hue}{faint}" width="{value:.1f}%" height="{BAR}" rx="4"/>')
    if part is not None:
        shares.append(f'<rect class="{hue}" width="{part:.1f}%" height="{BAR}" rx="4"/>')
    if low is not None and high is not None:
        shares.append(f'<line class="wh" x1="{low:.1f}%" x2="{high:.1f}%" y1="7" y2="7"/>')
    return mark_safe(f'<svg class="rule" aria-hidden="true">{"".join(shares)}</svg>')  # noqa: S308


def heat(numbers: Sequence[int], of: int, hues: Sequence[str], *, misses: bool = False) -> list[tuple[int, str]]:
    """A row of a heat map: how many of so many answers mention each subject, and the classes of the cell. The
    first is the brand's, which is marked where it `misses`; `hues` are those of the others, without them a neutral
    one."""
    tones = ["me miss" if misses else "me", *hues]
    return [
        (number, f"{tone} h{_level(number, of)}".lstrip())
        for number, tone in zip(numbers, [*tones, *[""] * len(numbers)], strict=False)
    ]


def _level(number: int, of: int) -> int:
    """How dark a cell is, 0 to 4."""
    return min(4, -(-4 * number // of)) if of else 0


def change(value: float, most: float) -> SafeString:
    """Points gained or lost, from a zero line in the middle; the widest are `most`."""
    wide = abs(value) / max(most, 1) * 50
    x, hue = (50 - wide, "neg") if value < 0 else (50, "pos")
    return mark_safe(  # noqa: S308
        f'<svg class="rule" aria-hidden="true"><rect class="{hue}" x="{x:.1f}%" width="{wide:.1f}%" height="{BAR}" '
        'rx="3"/><line class="zero" x1="50%" x2="50%" y1="-3" y2="17"/></svg>'
    )


def spark(values: Sequence[float | None], *, width: int = 84, height: int = 24) -> SafeString:
    """A small line without axes."""
    measured = [value for value in values if value is not None]
    if len(measured) < 2:
        return mark_safe("")
    points = _points(values, 2, width - 6, 6, height - 6)
    last = next(point for point in reversed(points) if point)
    return mark_safe(  # noqa: S308
        f'<svg class="chart spark" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-hidden="true"><path class="line" d="{_path(points)}"/>'
        f'<circle class="end" cx="{last[0]:.1f}" cy="{last[1]:.1f}" r="4"/></svg>'
    )


def split(parts: Sequence[tuple[str, float]]) -> SafeString:
    """One bar in parts: the class of the colour of each, and its share of the whole."""
    whole, at, drawn = sum(value for _, value in parts) or 1, 0.0, []
    for hue, value in parts:
        wide = 100 * value / whole
        drawn.append(f'<rect class="{hue}" x="{at:.2f}%" width="{max(wide - 0.4, 0.2):.2f}%" height="{BAR}" rx="2"/>')
        at += wide
    return mark_safe(f'<svg class="rule" aria-hidden="true">{"".join(drawn)}</svg>')  # noqa: S308


def strip(hits: Sequence[bool], *, hue: str = "me") -> SafeString:
    """A mark for each measured day, as wide for one day as for many: full where it is a hit, else low."""
    marks = "".join(
        f'<rect class="{hue if hit else "track"}" x="{place * STEP}" y="{0 if hit else 5}" '
        f'width="{STEP - 2}" height="{BAR if hit else 4}" rx="1.5"/>'
        for place, hit in enumerate(hits)
    )
    wide = STEP * max(len(hits), 1)
    return format_html(
        '<svg class="rule strip" viewBox="0 0 {} {}" width="{}" height="{}" preserveAspectRatio="none" '
        'aria-hidden="true">{}</svg>',
        *(wide, BAR, wide, BAR),
        mark_safe(marks),  # noqa: S308 - numbers
    )


def thinned(days: Sequence[TrendDay]) -> list[TrendDay]:
    """The days, or where there are more than MOST_POINTS, one of so many, the last one among them."""
    step = -(-len(days) // MOST_POINTS) or 1
    return list(days[::-1][::step][::-1])


def day_words(value: date) -> str:
    """A day as "3 Nov", with its year where it is not this one."""
    return f"{value.day} {value:%b}" + (f" {value.year}" if value.year != timezone.now().year else "")
