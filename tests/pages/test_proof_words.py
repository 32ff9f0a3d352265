"""What a proof says and draws for its readers."""

import pytest

from visibility.insights.proofs.wording import without_verdict
from visibility.pages.present.proof_plot import proof_plot


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("Moved down: on “winter” Acme is named less often.", "On “winter” Acme is named less often."),
        ("No change that this panel could see: on “a: b” it is 0 points.", "On “a: b” it is 0 points."),
        ("Not comparable: chatgpt measured the baseline.", "Chatgpt measured the baseline."),
        ("On “a: b” something else.", "On “a: b” something else."),
        ("No scan came.", "No scan came."),
    ],
)
def test_a_verdict_that_stands_before_its_sentence_is_not_said_twice(sentence, rest):
    assert without_verdict(sentence) == rest


@pytest.mark.parametrize(
    ("result", "alt"),
    [
        (
            {"own": 14.0, "control": 2.0, "delta": 12.0, "low": 4.04, "high": 20.0},
            "This topic: +14.0 points. The other topics: +2.0 points. Difference: +12.0 points "
            "(95 %: +4.0 to +20.0).",
        ),
        (
            {"own": 100.0, "control": -0.15, "delta": 100.15, "low": 11.4, "high": 100.0},
            "This topic: +100.0 points. The other topics: -0.2 points. Difference: +100.0 points "
            "(95 %: +11.4 to +100.0).",
        ),
        (
            {"own": 0.0, "control": 0.0, "delta": 0.0, "low": None, "high": None},
            "This topic: 0.0 points. The other topics: 0.0 points. Difference: 0.0 points.",
        ),
    ],
)
def test_the_picture_of_a_proof_says_its_figures_and_stays_inside(result, alt):
    plot = proof_plot(result)
    assert plot.alt == alt
    places = [tick.x for tick in plot.ticks]
    for line in plot.rows:
        places += [line.x, *(value for value in (line.low, line.high) if value is not None)]
        assert plot.top < line.name_y < line.y < plot.bottom < plot.label_y < plot.height
    assert min(places) >= 6 and max(places) <= plot.width - 6
    assert [tick.zero for tick in plot.ticks].count(True) == 1


def test_what_was_not_compared_has_no_picture():
    assert proof_plot({}) is None and proof_plot({"own": 1.0, "control": None, "delta": None}) is None
