"""Which questions ask for a choice: by what is stated, else by their words."""

import pytest

from visibility.evidence.buying import is_buying

CHOOSING = [
    "best gym earbuds below $150",
    "top laptop below $1000",
    "GPS running watch below $400",
    "I'm shopping for a mesh WiFi system for home",
    "help me find an easy setup printer under $500",
    "Which commuter e-bike should I buy?",
    "Sony vs Bose headphones",
    "What are good alternatives to a leasing bike?",
    "Is an espresso machine worth it?",
    "Welches Pedelec sollte ich für den Arbeitsweg kaufen?",
    "Gute Kopfhörer für das Büro",
    "Waschmaschine unter 500 €",
    "Welche Versicherung empfiehlst du?",
    "Quel vélo électrique choisir ?",
    "les meilleurs écouteurs de sport",
    "ordinateur portable à moins de 800 €",
    "¿Qué portátil debería comprar?",
    "los mejores auriculares para correr",
    "televisor por menos de 600 €",
]
OTHERS = [
    "How does noise cancelling work?",
    "What is the best way to clean a saddle?",
    "When was the first e-bike built?",
    "How do I charge an e-bike in winter?",
    "Wie funktioniert ein Riemenantrieb?",
    "Wann ist die beste Zeit zum Radfahren?",
    "Comment entretenir une chaîne ?",
    "¿Cómo se carga una bicicleta eléctrica?",
    "",
]


@pytest.mark.parametrize("question", CHOOSING)
def test_words_that_ask_for_a_choice_are_heard_in_four_languages(question):
    assert is_buying(question, "", "")


@pytest.mark.parametrize("question", OTHERS)
def test_a_question_that_wants_to_know_something_is_no_buying_question(question):
    assert not is_buying(question, "", "")


@pytest.mark.parametrize(
    ("intent", "stage", "buying"),
    [
        ("comparison", "", True),
        ("transactional", "awareness", True),
        ("informational", "", False),
        ("informational", "decision", True),
        ("", "consideration", True),
        ("", "awareness", False),
    ],
)
def test_what_is_stated_counts_and_not_the_words(intent, stage, buying):
    assert is_buying("best earbuds", intent, stage) is buying
    assert is_buying("how it works", intent, stage) is buying


def test_a_long_question_is_read_in_time_that_grows_with_its_length():
    assert not is_buying("which " * 330 + "good " * 4, "", "")
