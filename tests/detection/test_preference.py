"""Which of two names an answer prefers, and what holds for any answer."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection.preference import preferred
from visibility.detection.types import Mention, Stance

SIDES = {"brand": "Kryton", "other": "Zentra", None: None}


def mentions_of(text, names=(("brand", "Kryton"), ("other", "Zentra"))):
    """Every place of the two names, as a detector finds them; a name behind "avoid" or before it is rejected."""
    found = []
    for key, name in names:
        for place in re.finditer(name, text):
            rest = text[place.end() :].partition("\n")[0]
            stance = (
                Stance.REJECTED
                if "avoid" in rest
                else Stance.RECOMMENDED
                if "great choice" in rest
                else Stance.UNKNOWN
            )
            found.append(Mention(key, *place.span(), None, stance, "word", "", *place.span()))
    return sorted(found, key=lambda mention: mention.start)


def judged(text):
    return preferred(text, mentions_of(text), ("brand", "other"))


DECIDED = [
    ("I'd go with Kryton. It is cheaper.", "Kryton", "choice"),
    ("I would choose Zentra over Kryton because of its support.", "Zentra", "choice"),
    ("I'd choose Kryton because Zentra doesn't offer support.", "Kryton", "choice"),
    ("If I had to pick one, I'd go with **Zentra**.", "Zentra", "choice"),
    ("Zentra is better than Kryton.", "Zentra", "choice"),
    ("Kryton, Zentra is better.", "Zentra", "choice"),
    ("Zentra falls short of Kryton.", "Kryton", "choice"),
    ("Kryton beats Zentra in almost every respect.", "Kryton", "choice"),
    ("Kryton beats Zentra on price, but Zentra is the overall winner.", "Zentra", "choice"),
    ("For most people, Kryton is the better choice, while Zentra is better for professionals.", "Kryton", "choice"),
    ("My recommendation for most people is Kryton.", "Kryton", "verdict"),
    ("I would go with Kryton for most projects.", "Kryton", "choice"),
    ("Zentra has the edge.", "Zentra", "choice"),
    ("Kryton gets my vote.", "Kryton", "choice"),
    ("Of the two, I prefer Kryton.", "Kryton", "choice"),
    ("Personally, I'd lean towards Kryton.", "Kryton", "choice"),
    ("| | Kryton | Zentra |\n|---|---|---|\n| Price | low | high |\n\n**Verdict:** Kryton", "Kryton", "verdict"),
    ("### Verdict\n\nZentra is the better choice for most people.", "Zentra", "verdict"),
    ("Zentra is better than Kryton on paper.\n\nOverall, Kryton wins.", "Kryton", "verdict"),
    ("I'd pick Zentra today.\n\nWinner: Kryton", "Kryton", "verdict"),
    ("- **Verdict**: I'd choose Kryton, which isn't cheap.", "Kryton", "verdict"),
    ("**Bottom line**\nKryton", "Kryton", "verdict"),
    ("1st place: Kryton\n2nd place: Zentra", "Kryton", "rank"),
    ("#1 Zentra\n#2 Kryton", "Zentra", "rank"),
    ("- Kryton: a great choice\n- Avola: a solid choice\n- Zentra: avoid.", "Kryton", "stance"),
    ("Ich würde Kryton wählen, weil es günstiger ist.", "Kryton", "choice"),
    ("Ich würde mich für Zentra entscheiden.", "Zentra", "choice"),
    ("Für die meisten Nutzer ist das klar: Kryton ist die bessere Wahl.", "Kryton", "choice"),
    ("Fazit: Kryton ist die bessere Wahl.", "Kryton", "verdict"),
    ("Je choisirais Kryton, car il est moins cher.", "Kryton", "choice"),
    ("Pour la plupart des gens, Zentra est le meilleur choix.", "Zentra", "choice"),
    ("Verdict : Zentra l’emporte.", "Zentra", "verdict"),
    ("Elegiría Zentra por su soporte.", "Zentra", "choice"),
    ("En resumen, Kryton es la mejor opción.", "Kryton", "verdict"),
]
UNDECIDED = [
    "",
    "It depends on what you need.",
    "Both are good. Kryton is better for small teams; Zentra is better for enterprises.",
    "Choose Kryton if you need speed. Choose Zentra if you need support.",
    "Choose Kryton for its price and Zentra for its support.",
    "Choose Kryton for design.",
    "Kryton wins on price.",
    "Kryton is a great choice. Zentra is a solid choice too.",
    "Kryton is not the better choice.",
    "I wouldn't choose Kryton.",
    "I'd recommend Kryton or Zentra.",
    "Kryton is a company based in Rome. Zentra makes bikes.",
    "I could not find any information about Kryton. Zentra is well known.",
    "**Bottom line:** I'd choose Zentra unless price is your main concern.",
    "In the end, both are fine.",
    "1. Kryton: bikes for children.\n2. Zentra: bikes for racing.",
    "Kryton comes first, Kryton comes again, and Kryton is named most. Zentra.",
    "Wähle Kryton, wenn du Tempo brauchst.",
    "Choisissez Kryton si vous cherchez la vitesse.",
    "Kryton es mejor si buscas velocidad.",
]


@pytest.mark.parametrize(("text", "winner", "rule"), DECIDED)
def test_an_answer_that_decides_is_read_with_the_words_that_do(text, winner, rule):
    found = judged(text)
    assert (SIDES[found.subject], found.rule) == (winner, rule)
    assert winner in text[found.start : found.end] or rule == "stance"


@pytest.mark.parametrize(("text", "winner", "rule"), DECIDED)
def test_the_other_name_wins_where_the_names_change_places(text, winner, rule):
    swapped = text.replace("Kryton", "\0").replace("Zentra", "Kryton").replace("\0", "Zentra")
    found = judged(swapped)
    assert (SIDES[found.subject], found.rule) == ({"Kryton": "Zentra", "Zentra": "Kryton"}[winner], rule)


@pytest.mark.parametrize("text", UNDECIDED)
def test_an_answer_that_does_not_decide_is_undecided(text):
    assert judged(text).subject is None


def test_an_answer_that_decides_both_ways_says_so():
    found = judged("I'd pick Kryton. Later I'd pick Zentra.")
    assert (found.subject, found.rule) == (None, "contradiction")


def test_a_name_of_both_decides_nothing():
    text = "I'd go with Kryton."
    shared = mentions_of(text, (("brand", "Kryton"), ("other", "Kryton")))
    assert preferred(text, shared, ("brand", "other")).subject is None


PARTS = [
    "Kryton",
    "Zentra",
    "I'd choose ",
    "is better than ",
    "Verdict: ",
    "\n",
    ". ",
    "\x01",
    "\x02",
    "not ",
    " if you ",
]


@given(
    st.lists(st.sampled_from([*PARTS, "**", "# ", "- ", "é", "\u202e", "1. ", "x" * 40]), max_size=25).map("".join)
)
def test_any_text_gets_an_answer_whose_words_lie_in_it(text):
    found = judged(text)
    assert 0 <= found.start <= found.end <= len(text)
    if found.subject is not None:
        assert text[found.start : found.end].strip()
