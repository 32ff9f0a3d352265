"""Charts as SVG: geometry in attributes, colour in classes, so that strict CSP, dark mode and print need no more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from apikeys.language import day_words

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
ROW = 17
"""Pixels of a row of what a day reads."""
MOST_LETTERS, LONGEST_LABEL, SHORT_MARK, LONGEST_TICK = 40, 14, 4, 9
"""Letters of words in a chart, of the name at the end of a line, of a mark that lies upon its day, and of days of
which four have room below the chart: with a year they are longer."""


@dataclass(frozen=True, slots=True)
class TrendDay:
    """One measured day: a figure of 0 to 100 over its window with the interval, and the figure of the day alone."""

    day: date
    value: float | None
    low: float | None = None
    high: float | None = None
    alone: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """Another line of a trend: its name, the class of its colour, and its values."""

    name: str
    hue: str
    values: Sequence[tuple[date, float | None]]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on a day, in words."""

    day: date
    words: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The days of a trend, from the left to the right."""

    first: date
    last: date

    def at(self, day: date) -> float:
        """Where a day lies, in pixels."""
        return WIDE * (day - self.first).days / ((self.last - self.first).days or 1)

    def points(self, values: Sequence[tuple[date, float | None]]) -> list[Point]:
        """Where each value of 0 to 100 lies; what is missing is None and breaks the line."""
        return [
            None if value is None else (self.at(day), BOTTOM - value * (BOTTOM - TOP) / 100) for day, value in values
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
    name: str = "mentioned",
    lines: Sequence[Line] = (),
    events: Sequence[Event] = (),
) -> SafeString:
    """The figure by day with its interval, other lines, events, and what each day reads when pointed at; a day is as
    wide as any other. Only lines and the interval are stretched to the width of the place: words and dots stay as
    large as those of the page."""
    if len(days) < 2:
        return mark_safe("")
    axis = Axis(min(days[0].day, *(line.values[0][0] for line in lines)) if lines else days[0].day, days[-1].day)
    value, low, high, alone = (
        axis.points([(each.day, getattr(each, name)) for each in days]) for name in ("value", "low", "high", "alone")
    )
    parts = []
    for level in (0, 50, 100):
        y = BOTTOM - level * (BOTTOM - TOP) / 100
        parts.append(f'<line class="rule" x1="0" x2="100%" y1="{y:g}" y2="{y:g}"/>')
        parts.append(f'<text x="0" dx="-7" y="{y + 4:g}" text-anchor="end">{level}</text>')
    parts.append(f'<svg viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none" width="100%" height="{HIGH}">')
    for upper, lower in _runs(high, low):
        parts.append(f'<path class="band" d="{_path(upper)}{_path(lower[::-1]).replace("M", "L", 1)}Z"/>')
    parts += [f'<path class="other {line.hue}" d="{_path(axis.points(line.values))}"/>' for line in lines]
    parts.append(f'<path class="line" d="{_path(value)}"/></svg>')
    parts += [f'<circle class="day" cx="{_x(point[0])}" cy="{point[1]:.1f}" r="2"/>' for point in alone if point]
    parts += [_event(axis, event) for event in events]
    ends = [End(value[-1], days[-1].value, name)] + [
        End(axis.points(line.values[-1:])[0], line.values[-1][1], line.name, line.hue) for line in lines
    ]
    parts += [*_ends(ends), *_ticks(axis), *_readouts(axis, days, lines)]
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


def _event(axis: Axis, event: Event) -> str:
    if not axis.first <= event.day <= axis.last:
        return ""
    at = axis.at(event.day)
    anchor, shift = ("end", -6) if at > WIDE / 2 else ("start", 6)
    if len(event.words) < SHORT_MARK:
        anchor, shift = "middle", 0
    words = escape(Truncator(event.words).chars(MOST_LETTERS))
    return (
        f'<line class="event" x1="{_x(at)}" x2="{_x(at)}" y1="{TOP - 8}" y2="{BOTTOM}"/>'
        f'<text class="flag" x="{_x(at)}" dx="{shift}" y="{TOP - 12}" text-anchor="{anchor}">{words}</text>'
    )


@dataclass(frozen=True, slots=True)
class End:
    """The last point of a line, with its value, name, and the class of its colour: of the brand's own line none."""

    point: Point
    value: float | None
    name: str
    hue: str = ""

    def tone(self, name: str) -> str:
        """The classes of its circle or label."""
        return f"{name} {self.hue}".rstrip()


def _ends(ends: Sequence[End]) -> list[str]:
    """The last points with their values and names, which lie apart where points do not."""
    shown = [(each.point, each) for each in ends if each.point is not None]
    order = sorted(range(len(shown)), key=lambda place: shown[place][0][1])
    lines = dict(zip(order, _apart([shown[place][0][1] for place in order]), strict=True))
    return [
        f'<circle class="{each.tone("end")}" cx="{_x(point[0])}" cy="{point[1]:.1f}" r="{4 if each.hue else 5}"/>'
        f'<text class="{each.tone("lab")}" y="{lines[place]:.0f}"><tspan x="100%">{each.value:.0f} %</tspan> '
        f'<tspan x="100%" dy="14">{escape(Truncator(each.name).chars(LONGEST_LABEL))}</tspan></text>'
        for place, (point, each) in enumerate(shown)
    ]


def _apart(lines: Sequence[float]) -> list[float]:
    """Heights from the top to the bottom, moved so that each has room for a label and none leaves the drawing."""
    room = min(LABEL, (BOTTOM - TOP) / max(len(lines) - 1, 1))
    placed: list[float] = []
    for line in lines:
        placed.append(max(line, placed[-1] + room) if placed else line)
    if len(placed) > 1:
        # As far up as they were pushed down, so that they lie around their points.
        shift = sum(new - old for new, old in zip(placed, lines, strict=True)) / len(lines)
        placed = [each - min(shift, placed[0] - TOP) for each in placed]
    over = max(placed[-1] - BOTTOM, 0) if placed else 0
    return [each - over for each in placed]


def _ticks(axis: Axis) -> list[str]:
    days = (axis.last - axis.first).days
    places = ((0, "start"), (round(days / 3), "middle"), (round(2 * days / 3), "middle"), (days, "end"))
    has_room = days >= 6 and len(day_words(axis.first)) <= LONGEST_TICK
    shown = dict.fromkeys(place for place in places if has_room or place in (places[0], places[-1]))
    return [
        f'<text x="{_x(place * WIDE / (days or 1))}" y="{HIGH - 5}" text-anchor="{anchor}">'
        f"{day_words(axis.first + timedelta(days=place))}</text>"
        for place, anchor in shown
    ]


def _readouts(axis: Axis, days: Sequence[TrendDay], lines: Sequence[Line]) -> list[str]:
    at = [axis.at(each.day) for each in days]
    begins = [0.0, *((one + other) / 2 for one, other in pairwise(at))]
    others = [(line.name, dict(line.values)) for line in lines]
    return [
        _readout(place, begin, end, _rows(each, others))
        for place, begin, end, each in zip(at, begins, [*begins[1:], float(WIDE)], days, strict=True)
        if each.value is not None
    ]


def _rows(day: TrendDay, others: Sequence[tuple[str, Mapping[date, float | None]]]) -> list[str]:
    """What a day reads: its figure, and those of other lines."""
    values = ((name, of_day.get(day.day)) for name, of_day in others)
    more = [f"{Truncator(name).chars(MOST_LETTERS)} {value:.0f} %" for name, value in values if value is not None]
    return [f"{day_words(day.day)}: {day.value:.0f} %", *more]


def _readout(at: float, begin: float, end: float, rows: Sequence[str]) -> str:
    wide, high = LETTER * max(map(len, rows)) + 20, ROW * len(rows) + 6
    corner, anchor, shift = (0, "start", 10) if at < WIDE / 2 else (-wide, "end", -10)
    top = BOTTOM - 8 - high
    words = "".join(
        f'<text x="{_x(at)}" dx="{shift}" y="{top + ROW * place - 1}" text-anchor="{anchor}">{escape(row)}</text>'
        for place, row in enumerate(rows, start=1)
    )
    return (
        f'<g class="at"><rect class="hit" x="{_x(begin)}" y="{TOP}" width="{_x(end - begin)}" '
        f'height="{BOTTOM - TOP}"/><g class="read"><line x1="{_x(at)}" x2="{_x(at)}" y1="{TOP}" y2="{BOTTOM}"/>'
        f'<rect x="{_x(at)}" transform="translate({corner:g})" y="{top}" width="{wide:g}" height="{high}" rx="6"/>'
        f"{words}</g></g>"
    )


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
    step, tall = (width - 8) / max(len(values) - 1, 1), height - 12
    points = [
        None if value is None else (2 + place * step, height - 6 - value * tall / 100)
        for place, value in enumerate(values)
    ]
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
