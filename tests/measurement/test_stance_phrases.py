"""What a writer would do, tells the reader to do, and warns of, in several languages; and what only looks like it."""

import pytest

from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name

RECOMMENDED, UNKNOWN, REJECTED = "recommended", "unknown", "rejected"


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("I'd open an account with Zibro, which settles within a day.", RECOMMENDED),
        ("An Zibro has the same sound for less, so I'd begin with that.", RECOMMENDED),
        ("Zibro powder takes rust off in a minute: use it.", RECOMMENDED),
        ("Start with a small Zibro Floater in silver.", RECOMMENDED),
        ("The seat to book is the Qsuite of Zibro.", RECOMMENDED),
        ("For big mugs take the Zibro Pop.", RECOMMENDED),
        ("Ich würde die Karte von Zibro nehmen.", RECOMMENDED),
        ("Zibro, c'est celui que je conseille.", RECOMMENDED),
        ("Zibro es muy claro para empezar, y te lo recomiendo.", RECOMMENDED),
        ("I wouldn't put Zibro on a deck that gets walked on.", REJECTED),
        ("I would no longer start with Zibro.", REJECTED),
        ("**Zibro** – avoid. It shows advertisements.", REJECTED),
        ("Von Zibro rate ich ab; es wirkt kaum noch.", REJECTED),
        ("Ni se te ocurra empezar con Zibro: no explica nada.", REJECTED),
        ("I can no longer recommend Zibro.", REJECTED),
        ("Nobody should start with Zibro today.", REJECTED),
        ("Zibro makes no sense for a flat.", REJECTED),
        ("Koop geen Zibro.", REJECTED),
        ("Zibro gets my vote.", RECOMMENDED),
        ("I can't recommend Zibro enough.", RECOMMENDED),
        ("Watch the fees at Zibro.", "cautioned"),
        ("Be very careful: by its own account, most clients of Zibro lose money.", "cautioned"),
        ("Zibro pays out today, so only lend what you can lose.", "cautioned"),
        ("I could not find any reviews or even a product page for Zibro.", "not_found"),
        ("No dispongo de datos sobre Zibro.", "not_found"),
    ],
)
def test_a_turn_of_phrase_shows_the_stance(text, stance):
    assert stance_of(text) == stance


@pytest.mark.parametrize(
    "text",
    [
        "I'd compare Zibro with others before deciding.",
        "I'd switch from Zibro to something else in time.",
        "Open Settings, pick Connected Apps and then Zibro.",
        "Save it as ENEX in Zibro and use it with any importer.",
        "Dezeen featured Zibro in 2023.",
        "You won't regret buying Zibro.",
        "Zibro never disappoints.",
        "Don't miss Zibro.",
    ],
)
def test_what_only_tells_or_instructs_advises_nothing(text):
    assert stance_of(text, prompt="How does it work?") == UNKNOWN


def stance_of(text, prompt=""):
    dictionary = Dictionary([Name("zibro", "Zibro")])
    return next(mention.stance.value for mention in detect(Reading(text), prompt, dictionary))
