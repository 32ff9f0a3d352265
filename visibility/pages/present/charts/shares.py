"""A bar that is divided: whom so many answers prefer."""

from collections.abc import Sequence
from dataclasses import dataclass

from apikeys.text.sentences import joined
from visibility.pages.present.charts.texts import fitted, text_width
from visibility.resources.comparisons import Preferences

WIDTH, HEIGHT = 640.0, 34
FONT = 13.0
PADDING = 8.0


@dataclass(frozen=True, slots=True)
class Share:
    """One part of the bar; `kind` chooses how it is drawn, `label` is empty where it does not fit."""

    kind: str
    x: float
    width: float
    label: str
    words: str


@dataclass(frozen=True, slots=True)
class PreferenceBar:
    """The parts from left to right: for the brand, undecided, for the rival; those of none are left out."""

    width: float
    height: int
    shares: Sequence[Share]
    words: str


def preference_bar(preferences: Preferences, *, own: str, rival: str) -> PreferenceBar:
    """All answers as one bar."""
    parts = (
        ("mine", preferences.site_preferred, own),
        ("open", preferences.undecided, "undecided"),
        ("theirs", preferences.competitor_preferred, rival),
    )
    shares, at = [], 0.0
    for kind, count, name in parts:
        if count:
            width = WIDTH * count / preferences.answers
            shares.append(Share(kind, round(at, 1), round(width, 1), _label(name, count, width), f"{name}: {count}"))
            at += width
    return PreferenceBar(WIDTH, HEIGHT, tuple(shares), ", ".join(share.words for share in shares))


def why_undecided(preferences: Preferences) -> str:
    """Why some answers decide for nobody; empty where all decide."""
    both, neither = preferences.contradictory, preferences.undecided - preferences.contradictory
    reasons = [
        *([f"{both} {'decides' if both == 1 else 'decide'} both ways"] if both else []),
        *(
            [f"{neither} {'chooses' if neither == 1 else 'choose'} neither, or only under a condition"]
            if neither
            else []
        ),
    ]
    return f"Of the undecided {joined(reasons)}." if reasons else ""


def _label(name: str, count: int, width: float) -> str:
    """The name and the count, the count alone, or nothing: what fits."""
    room = width - 2 * PADDING
    number = f" {count}"
    if room < text_width(number, FONT):
        return ""
    name_room = room - text_width(number, FONT)
    return fitted(name, name_room, FONT) + number if name_room > text_width("Mmmm", FONT) else number.strip()
