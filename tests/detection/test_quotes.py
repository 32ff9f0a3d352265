"""The words that show a stance."""

from tests.detection.finding import mentions
from visibility.detection.quotes import MAX_QUOTE


def quoted(text: str, name: str = "Zenbo") -> list[str]:
    return [text[mention.quote_start : mention.quote_end] for mention in mentions(text, name)]


def test_a_quote_is_the_sentence_of_its_name() -> None:
    assert quoted("Shoes vary. The Zenbo X2 is light, e.g. for runs. Others are not.") == [
        "The Zenbo X2 is light, e.g. for runs."
    ]
    assert quoted("Top Picks:\xa0Zenbo X2: It is light.Orva Pro: Cheap.") == ["Zenbo X2: It is light."]


def test_a_quote_holds_its_name_and_is_short() -> None:
    text = "word " * 90 + "Zenbo" + " more words" * 90
    (found,) = quoted(text)
    assert "Zenbo" in found and len(found) <= MAX_QUOTE
    assert not found.startswith("ord") and text.count(found) == 1
