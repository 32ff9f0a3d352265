"""What a short list of competitors leaves out."""

import pytest

from visibility.competitors.resources import ShortStanding
from visibility.counts.resources import TestedStanding as Standing


@pytest.mark.parametrize(
    ("units", "low", "panel_low", "shown"),
    [
        ("topics", 10.0, 20.0, {"low", "high"}),
        ("prompts", 10.0, 20.0, {"panelLow", "panelHigh"}),
        ("answers", None, 20.0, {"panelLow", "panelHigh"}),
        ("prompts", 10.0, None, {"low", "high"}),
    ],
)
def test_a_competitor_has_the_margin_of_what_it_was_compared_over(units, low, panel_low, shown):
    nothing = dict.fromkeys(Standing.model_fields)
    ends = {"low": low, "high": low, "panel_low": panel_low, "panel_high": panel_low}
    standing = ShortStanding(**{**nothing, **ends, "name": "Velmora", "units": units})
    assert set(standing.model_dump(by_alias=True)) == {"name", *shown}
