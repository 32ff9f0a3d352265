"""Where names do not count: shops, sources, the repeated question."""

from tests.detection.finding import words


def test_shops_and_sources_in_labels_do_not_count() -> None:
    for text in (
        "A fine shoe.\nWhere to buy: REI, Target\n",
        "A fine shoe. Available at: REI.",
        "A fine shoe (Source: REI).",
        "**Sources:**\n- REI\n- Target\n",
        "## Where to buy\n- REI\n- Target\n",
        "It is good.\xa0Where to Buy:\xa0REITargetWalmart",
    ):
        assert words(text, "REI") == [], text


def test_a_sentence_that_introduces_shops_makes_them_count() -> None:
    text = "Where to buy: you can find these shoes at REI and Target."
    assert words(text, "REI") == ["REI"]
    assert words("You can buy it at REI.", "REI") == ["REI"]


def test_the_repeated_question_does_not_count() -> None:
    prompt = "is zenbo better than orva?"
    assert words("Is Zenbo better than Orva? It depends on your feet.", "Zenbo", prompt=prompt) == []
    assert words("Zenbo is better than most.", "Zenbo", prompt=prompt) == ["Zenbo"]
