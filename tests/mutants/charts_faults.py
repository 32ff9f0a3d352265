"""Faults in the charts."""

from tests.mutants.harness import Fault

TESTS = ("tests/pages/test_charts.py",)
ROOM = "visibility/pages/present/charts"

CHARTS = (
    Fault(
        "the chart joins what cannot be compared across a gap",
        f"{ROOM}/lines.py",
        "if distance > GAP * usual and days[place + 1].comparable",
        "if distance > GAP * usual",
        TESTS,
    ),
    Fault(
        "the last date of the chart is cut off",
        f"{ROOM}/axes.py",
        'anchors = {0: "start", days: "end"}',
        'anchors = {0: "start"}',
        TESTS,
    ),
    Fault(
        "an axis that begins above 0 does not say so",
        f"{ROOM}/axes.py",
        "        return self.first > 0",
        "        return self.first > self.last",
        TESTS,
    ),
    Fault(
        "noise fills the whole height of the chart",
        f"{ROOM}/axes.py",
        "    if (lacking := MIN_SPAN - (high - low)) > 0:",
        "    if (lacking := 0.1 - (high - low)) > 0:",
        TESTS,
    ),
    Fault(
        "the line of many days loses its peaks",
        f"{ROOM}/thinning.py",
        "            min(places, key=lambda place: value(stretch[place])),\n",
        "",
        TESTS,
    ),
    Fault(
        "days that moved lose their dot where there are many",
        f"{ROOM}/thinning.py",
        "key=lambda place: (weight(place[1]), place[0])",
        "key=lambda place: place[0]",
        TESTS,
    ),
    Fault(
        "each engine stands on an axis of its own",
        f"{ROOM}/engines.py",
        "frame=frame, axis=axis, span=span",
        "frame=frame, span=span",
        TESTS,
    ),
    Fault(
        "an engine breaks wherever the score of all does",
        f"{ROOM}/series.py",
        'own.verdict != "not_comparable" if own else item.comparable is not False',
        "item.comparable is not False",
        TESTS,
    ),
    Fault(
        "long names stick out of the interval plot",
        f"{ROOM}/texts.py",
        "    if text_width(text, size) <= room:",
        "    if len(text) > room:",
        TESTS,
    ),
    Fault(
        "the picture of a trend holds what no document may hold",
        f"{ROOM}/files.py",
        '_NOT_OF_XML.sub("", ',
        '_NOT_OF_XML.sub(r"\\g<0>", ',
        ("tests/pages/test_trend_page.py",),
    ),
    Fault(
        "the period of the trend ends today, where nothing was measured",
        "visibility/pages/trends.py",
        "    if trend.last_day and trend.last_day < last:",
        "    if trend.last_day and trend.last_day > last:",
        ("tests/pages/test_trend_page.py",),
    ),
    Fault(
        "what an address names as a rival is taken for one",
        "visibility/pages/trends.py",
        'for key in request.GET.getlist("rival") if key in known]',
        'for key in request.GET.getlist("rival")]',
        ("tests/pages/test_trend_page.py",),
    ),
    Fault(
        "all suggested competitors stand on one page",
        "visibility/pages/competitors.py",
        "Paginator(listed.suggestions, SUGGESTED)",
        "Paginator(listed.suggestions, 1000)",
        ("tests/pages/test_competitors_page.py",),
    ),
    Fault(
        "a comparison does not say why it is undecided",
        "visibility/pages/present/charts/shares.py",
        'return f"Of the undecided {joined(reasons)}." if reasons else ""',
        'return ""',
        TESTS,
    ),
)
