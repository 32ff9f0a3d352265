"""What an answer says of a name: picked in a list, advised against, warned of, not known; and what tells nothing."""

import pytest

from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name

RECOMMENDED, UNKNOWN, REJECTED = "recommended", "unknown", "rejected"


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("I wouldn't put Zibro on a deck that gets walked on.", REJECTED),
        ("I would no longer start with Zibro.", REJECTED),
        ("**Zibro** – avoid. It shows advertisements.", REJECTED),
        ("Von Zibro rate ich ab; es wirkt kaum noch.", REJECTED),
        ("Ni se te ocurra empezar con Zibro: no explica nada.", REJECTED),
        ("I can no longer recommend Zibro.", REJECTED),
        ("Nobody should start with Zibro today.", REJECTED),
        ("Zibro makes no sense for a flat.", REJECTED),
        ("Koop geen Zibro.", REJECTED),
        ("Watch the fees at Zibro.", "cautioned"),
        ("Be very careful: by its own account, most clients of Zibro lose money.", "cautioned"),
        ("Zibro pays out today, so only lend what you can lose.", "cautioned"),
        ("I could not find any reviews or even a product page for Zibro.", "not_found"),
        ("No dispongo de datos sobre Zibro.", "not_found"),
    ],
)
def test_a_turn_of_phrase_shows_the_stance(text, stance):
    assert stance_of(text) == stance


REJECTIONS = """
I'd choose Bose over Zibro. | Zibro used to be my top pick. | I would not buy Zibro again. | Skip Zibro.
Ich empfehle Zibro nicht. | Kaufen Sie Zibro auf keinen Fall. | Statt Zibro lieber Bose. | Zibro war früher gut.
No recomiendo comprar Zibro. | Yo no compraría Zibro. | Mejor Bose que Zibro. | Evita Zibro.
Non consiglio Zibro. | Meglio Bose di Zibro. | Zibro non vale il prezzo. | Eviterei Zibro.
Je ne recommande pas Zibro. | Évitez Zibro. | Plutôt Bose que Zibro. | Zibro n'est plus le meilleur choix.
Não recomendo a Zibro. | Evite a Zibro. | Melhor Bose do que Zibro. | A Zibro não vale o preço.
Ik raad Zibro niet aan. | Vermijd Zibro. | Liever Bose dan Zibro. | Koop geen Zibro.
不推荐Zibro。 | 不要买Zibro。 | 避免选择Zibro。 | 我会选Bose而不是Zibro。
"""
LISTED = """
1. **Zibro** – not recommended: leaks
1. **Zibro** – avoid, it leaks
1. **Zibro** – nicht empfohlen
1. **Zibro** – no recomendado
1. **Zibro** – non consigliato
1. **Zibro** – pas recommandé
1. **Zibro** – não recomendado
1. **Zibro** – niet aanbevolen
1. **Zibro** – 不推荐
"""


def test_no_rejection_is_told_as_a_recommendation():
    texts = [text.strip() for line in REJECTIONS.split("\n") for text in line.split("|") if text.strip()]
    others = "2. **Bose** – the best sound for the money\n3. **Sonos** – easy to set up"
    texts += [f"{line}\n{others}" for line in LISTED.split("\n") if line]
    assert len(texts) > 40
    assert [text for text in texts if stance_of(text, prompt="Which speaker is best?") == RECOMMENDED] == []


def test_a_pick_in_a_list_is_recommended():
    for text in (
        "1. **Bose** – rich sound\n2. **Zibro** – the best for the money\n3. **Sonos** – easy",
        "- **Zibro**: clear voices\n- **Bose**: deep\n- **Sonos**: easy",
    ):
        assert stance_of(text, prompt="Which speaker is best?") == RECOMMENDED
    assert stance_of("- **Zibro**: hard pass\n- **Bose**: deep", prompt="Which speaker is best?") == UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        "I'd open an account with Zibro, which settles within a day.",
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
