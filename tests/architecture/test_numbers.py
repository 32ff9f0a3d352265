"""One function writes numbers for people: no other place rounds them."""

import re

import pytest
from django.template import Context, Template

from tests.architecture.sources import ROOT
from visibility.metrics.shown import shown
from visibility.services.ask.types import Statement
from visibility.services.ask.wording.saying import said

HOME = "visibility/metrics/shown.py"
# Digits behind the point in a format, but for whole seconds of a setting.
OTHERS = re.compile(r":[+,]?\d*\.\d+[fge%]\}(?! seconds)|%\.\d+f|\bfloatformat\b|\bintcomma\b|:\d*%\}")


def test_numbers_for_people_are_written_in_one_place():
    found = []
    for floor in ("apikeys", "brands", "visibility", "mcp_bridge", "config", "templates"):
        for path in sorted(ROOT.joinpath(floor).rglob("*.*")):
            if path.suffix in (".py", ".html") and str(path.relative_to(ROOT)) != HOME:
                lines = enumerate(path.read_text().splitlines(), 1)
                found += [
                    f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
                    for number, line in lines
                    if OTHERS.search(line)
                ]
    assert not found, "Use visibility.metrics.shown.shown, or |shown in a template:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("line", "caught"),
    [('f"{score:.1f} %"', True), ('f"{delta:+.1f}"', True), ("{{ a|floatformat:1 }}", True), ('"%.2f" % a', True),
     ('f"within {limit:.0f} seconds"', False), ('f"{count:,} of {total:,}"', False), ('f"{name:24}"', False)],
)  # fmt: skip
def test_the_search_finds_what_it_should(line, caught):
    assert bool(OTHERS.search(line)) is caught


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [(5.55, 1, "5.6"), (5.549, 1, "5.5"), (0.05, 1, "0.1"), (2.5, 0, "3"), (-2.5, 0, "-3"), (66.67, 1, "66.7"),
     (100, 1, "100.0"), (0, 1, "0.0"), (-0.04, 1, "0.0"), (1e-7, 6, "0.000000"), (0.125, 2, "0.13"),
     (1_234_567, 0, "1234567")],
)  # fmt: skip
def test_halves_are_rounded_as_people_do(value, digits, expected):
    assert shown(value, digits) == expected


@pytest.mark.parametrize(("value", "expected"), [(1.25, "+1.3"), (-1.25, "-1.3"), (0.0, "0.0"), (0.04, "0.0")])
def test_a_sign_is_written_where_there_is_one(value, expected):
    assert shown(value, signed=True) == expected


def test_page_command_and_answer_say_the_same():
    assert Template("{{ x|shown:1 }}").render(Context({"x": 5.55})) == "5.6"
    [sentence] = said([Statement("further", {"shareOfVoice": 5.55})], "en")
    assert sentence == f"The share of voice is {shown(5.55)} %." and shown(5.55) == "5.6"


@pytest.mark.parametrize(("value", "digits", "expected"), [(1_234_567, 0, "1,234,567"), (-1234.55, 1, "-1,234.6")])
def test_pages_part_thousands(value, digits, expected):
    template = Template("{{ value|shown:digits }}")
    assert template.render(Context({"value": value, "digits": digits})) == expected
