"""Passages of answers: where words are, and whom the sentences around them are about."""

import pytest

from tests.ask.conftest import ask
from tests.counts.conftest import measured
from visibility.answers.passages import find_warnings, find_words
from visibility.counts.reader import select_now

pytestmark = pytest.mark.django_db

NOTHING: dict[str, str] = {}


def answers(*texts):
    """A brand that Kryton is, with these answers to one prompt."""
    line = {"prompt": "Best bike?", "topic": "bikes", "engine": "chatgpt", "time": "2026-01-10T10:00:00Z"}
    return measured({**line, "text": text, "sample": number} for number, text in enumerate(texts, 1))


def found(brand, words, asked=None):
    now = select_now(brand)
    return find_words(now.answers, words, {None: "Kryton", **now.names}, {"Oblinx": "Oblinx"}, asked)


@pytest.mark.parametrize(
    ("words", "counts"),
    [("frame BREAKS", (1, 1, True)), ("frames break", (0, 1, True)), ("breaks frame", (1, 0, False))],
)
def test_words_are_counted_as_they_are_in_any_form_or_in_any_order(words, counts):
    counted, passages = found(answers("Avoid Kryton: its frame breaks."), words)
    assert (counted.answers, counted.in_any_form, counted.as_phrase) == counts
    assert [passage.about for passage in passages] == [["Kryton"]]


def test_a_passage_is_the_text_at_its_place():
    brand = answers("Bikes last. Avoid Kryton: its frame breaks.")
    _, [passage] = found(brand, "frame")
    assert brand.answers.get(pk=passage.answer_id).text[passage.start : passage.end] == passage.text


def test_warnings_are_quoted():
    brand = answers("Avoid Kryton: its frame breaks.", "Zentra is fine.")
    [warning] = find_warnings(select_now(brand).answers, None, "Kryton")
    assert (warning.stance, warning.text) == ("rejected", "Avoid Kryton: its frame breaks.")


TEXT = """### 1. Zentra
* A fine saddle.

---

Would you like a fine basket?

### 2. Oblinx
* A fine light.

**In short:**
* Best value: the Zentra bike. It has a fine bell."""


@pytest.mark.parametrize(
    ("words", "about"), [("saddle", ["Zentra"]), ("light", ["Oblinx"]), ("bell", []), ("basket", [])]
)
def test_a_sentence_is_about_the_list_item_around_it(words, about):
    [passage] = ask(answers(TEXT), words=words).passages
    assert passage.about == about


def test_all_that_the_points_of_a_flat_list_say_is_about_their_items():
    flat = (
        "Top picks:\xa0Zentra City:Pros: Light, fast.Cons: Heavy, frame can bend.Price Range: $700-$900."
        "Oblinx Road:Pros: Very light, fast.Cons: Costly, frame can bend.Price Range: $300-$400."
        "Kryton One:Pros: Good brakes, fast.Cons: Loud, frame can bend.Price Range: $100.\xa0Things to know:\xa0"
        "Frames: Check whether a frame can bend."
    )
    about = {
        each.subject or "": each.answers for each in ask(answers(flat), words="frame can bend").words_found.about
    }
    assert about == {"Zentra": 1, "Oblinx": 1, "Kryton": 1}


@pytest.mark.parametrize(("competitor", "words"), [("Zentra", "about Zentra in 1"), ("Kryton", "about Kryton in 0")])
def test_words_are_counted_for_whom_was_asked(competitor, words):
    brand = answers("1. **Zentra**: good.\n2. **Kryton**: fine.")
    assert words in ask(brand, words="good", competitor=competitor).answer
