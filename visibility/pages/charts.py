"""Charts as SVG: geometry in attributes, colour in classes, so that strict CSP, dark mode and print need no more."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

Point = tuple[float, float] | None
BAR = 14
READOUT = 148


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
    """The figure by day with its interval, a second line, events, and what each day reads when pointed at: once for
    wide screens, once for narrow ones."""
    if len(days) < 2:
        return mark_safe("")
    drawn = (_trend(days, label, names, events, *size) for size in ((540, 240, "wide"), (360, 210, "narrow")))
    return mark_safe("".join(drawn))  # noqa: S308 - numbers, and words that are escaped


def _trend(
    days: Sequence[TrendDay],
    label: str,
    names: tuple[str, str],
    events: Sequence[Event],
    width: int,
    height: int,
    kind: str,
) -> str:
    left, right, top, bottom = 30, width - (92 if kind == "wide" else 14), 26, height - 24
    box = (left, right, top, bottom)
    value, low, high, second, alone = (
        _points([getattr(each, name) for each in days], *box) for name in ("value", "low", "high", "second", "alone")
    )
    parts = []
    for level in (0, 50, 100):
        y = bottom - level * (bottom - top) / 100
        parts.append(f'<line class="rule" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{left - 7}" y="{y + 4}" text-anchor="end">{level}</text>')
    for upper, lower in _runs(high, low):
        parts.append(f'<path class="band" d="{_path(upper)}{_path(lower[::-1]).replace("M", "L", 1)}Z"/>')
    parts += [f'<circle class="day" cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="2"/>' for point in alone if point]
    parts.append(f'<path class="second" d="{_path(second)}"/><path class="line" d="{_path(value)}"/>')
    parts += [_event(days, event, box) for event in events]
    parts += [_end(value, days[-1].value, names[0], "", kind), _end(second, days[-1].second, names[1], " b", kind)]
    parts += _ticks(days, left, right, height)
    parts += _readouts(days, names, box)
    return (
        f'<svg class="chart {kind}" viewBox="0 0 {width} {height}" role="group" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


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


def _event(days: Sequence[TrendDay], event: Event, box: tuple[float, float, float, float]) -> str:
    left, right, top, bottom = box
    place = next((number for number, each in enumerate(days) if each.day >= event.day), None)
    if not place:
        return ""
    x = left + (place - 0.5) * (right - left) / (len(days) - 1)
    anchor, shift = ("end", -6) if x > (left + right) / 2 else ("start", 6)
    return (
        f'<line class="event" x1="{x:.1f}" x2="{x:.1f}" y1="{top - 8}" y2="{bottom}"/>'
        f'<text class="flag" x="{x + shift:.1f}" y="{top - 8}" text-anchor="{anchor}">{escape(event.words)}</text>'
    )


def _end(points: Sequence[Point], last: float | None, name: str, tone: str, kind: str) -> str:
    """The last point with its value and name."""
    if last is None or (point := points[-1]) is None:
        return ""
    x, y = point
    dot = f'<circle class="end{tone}" cx="{x:.1f}" cy="{y:.1f}" r="{4 if tone else 5}"/>'
    words = f"{last:.0f} % {escape(name)}"
    if kind == "wide":
        return f'{dot}<text class="lab{tone}" x="{x + 11:.0f}" y="{y + 4:.0f}">{words}</text>'
    return f'{dot}<text class="lab{tone}" x="{x:.0f}" y="{y - 9:.0f}" text-anchor="end">{words}</text>'


def _ticks(days: Sequence[TrendDay], left: float, right: float, height: float) -> list[str]:
    last = len(days) - 1
    places = ((0, "start"), (last // 3, "middle"), (2 * last // 3, "middle"), (last, "end"))
    shown = dict.fromkeys(place for place in places if last >= 6 or place in (places[0], places[-1]))
    return [
        f'<text x="{left + place * (right - left) / last:.0f}" y="{height - 5}" text-anchor="{anchor}">'
        f"{_day(days[place].day)}</text>"
        for place, anchor in shown
    ]


def _readouts(days: Sequence[TrendDay], names: tuple[str, str], box: tuple[float, float, float, float]) -> list[str]:
    left, right, top, bottom = box
    step = (right - left) / (len(days) - 1)
    drawn = []
    for place, each in enumerate(days):
        if each.value is None:
            continue
        x = left + place * step
        corner = min(max(x - READOUT / 2, left), right - READOUT)
        second = "" if each.second is None else f" · {escape(names[1].removeprefix('site '))} {each.second:.0f} %"
        drawn.append(
            f'<g class="at"><rect class="hit" x="{x - step / 2:.1f}" y="{top}" width="{step:.1f}" '
            f'height="{bottom - top}"/><g class="read"><line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>'
            f'<rect x="{corner:.1f}" y="{bottom - 30}" width="{READOUT}" height="22" rx="6"/>'
            f'<text x="{corner + READOUT / 2:.1f}" y="{bottom - 15}" text-anchor="middle">'
            f"{_day(each.day)}: {each.value:.0f} %{second}</text></g></g>"
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


def heat(numbers: Sequence[int], of: int, hues: Sequence[str] = (), *, misses: bool = False) -> list[tuple[int, str]]:
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
    """A mark for each measured day: full where it is a hit, else low."""
    step = 100 / max(len(hits), 1)
    marks = "".join(
        f'<rect class="{hue if hit else "track"}" x="{place * step:.2f}%" y="{0 if hit else 5}" '
        f'width="{step * 0.72:.2f}%" height="{BAR if hit else 4}" rx="1.5"/>'
        for place, hit in enumerate(hits)
    )
    return format_html('<svg class="rule" aria-hidden="true">{}</svg>', mark_safe(marks))  # noqa: S308


def thinned(days: Sequence[TrendDay], most: int = 60) -> list[TrendDay]:
    """The days, or where there are more, the last measured one of each week: at most a point for three pixels."""
    if len(days) <= most:
        return list(days)
    weeks = {each.day.isocalendar()[:2]: each for each in days}
    lasts = list(weeks.values())
    step = -(-len(lasts) // (3 * most))
    return lasts[::-1][::step][::-1]


def _day(value: date) -> str:
    """As "3 Nov", with its year where that is long ago."""
    is_recent = (date.today() - value).days < 300
    return f"{value.day} {value:%b}" + ("" if is_recent else f" {value.year}")
