"""What the embedded writer makes of ordinary instructions."""

import pytest

from visibility.writers.protocol import CannotWrite
from visibility.writers.refining import refine
from visibility.writers.tasks import RefineTask, Subject

ENGLISH, SEARCH = "What is the best e-bike?", "best laptop under 1000"
GERMAN, FRENCH = "Welches E-Bike ist das beste?", "Quel est le meilleur vélo électrique ?"
SPANISH = "¿Cuál es la mejor bicicleta eléctrica?"


def refined(text, instruction, locale="en"):
    return refine(RefineTask(Subject("Acme", "acme.example"), text, instruction, locale)).text


@pytest.mark.parametrize(
    ("instruction", "wording"),
    [
        ("make it about commuting", "What is the best e-bike for commuting?"),
        (
            "Please focus this question on battery life.",
            "What is the best e-bike, especially when it comes to battery life?",
        ),
        ("for students", "What is the best e-bike for students?"),
        ("make it for students and teachers", "What is the best e-bike for students and teachers?"),
        ("aim it at commuters", "What is the best e-bike for commuters?"),
        ("as asked by a student", "What is the best e-bike for a student?"),
        ("in the UK", "What is the best e-bike in the UK?"),
        ("limit it to the UK", "What is the best e-bike in the UK?"),
        ("limit it to students", "What is the best e-bike for students?"),
        ("mention a budget of 200 euros", "What is the best e-bike with a budget of 200 euros?"),
        ("mention battery life", "What is the best e-bike, with battery life in mind?"),
        ("mention that I live in Spain", "I live in Spain. What is the best e-bike?"),
        ("more formal", "Could you please advise me: what is the best e-bike?"),
        ("ask for a comparison", "What is the best e-bike? Please compare the leading options."),
        ("make it a comparison", "What is the best e-bike? Please compare the leading options."),
        ("ask for prices", "What is the best e-bike? Please include prices."),
        ("ask which e-bike lasts longest", "Which e-bike lasts longest?"),
        ("say safest instead of best", "What is the safest e-bike?"),
        ("in the UK and under 2000 euros", "What is the best e-bike in the UK under 2000 euros?"),
        ("remove best and for students", "What is the e-bike for students?"),
    ],
)
def test_ordinary_instructions(instruction, wording):
    assert refined(ENGLISH, instruction) == wording
    if "best" not in instruction:
        assert refined(wording, instruction) == wording, "what holds already stays"


@pytest.mark.parametrize(
    ("text", "instruction", "wording", "locale"),
    [
        (SEARCH, "more formal", "Could you please recommend the best laptop under 1000?", "en"),
        (SEARCH, "under 500 euros", "Best laptop under 500 euros", "en"),
        (SEARCH, "ask for a comparison", "best laptop under 1000. Please compare the leading options.", "en"),
        ("What's good?", "make it more formal", "Could you please advise me: what is good?", "en"),
        ("Which e-bike should I choose, and why?", "shorter", "Which e-bike should I choose?", "en"),
        (GERMAN, "für Studenten", "Welches E-Bike ist das beste für Studenten?", "de"),
        (GERMAN, "in Wien", "Welches E-Bike ist das beste in Wien?", "de-AT"),
        (GERMAN, "mention a budget of 200 Euro", "Welches E-Bike ist das beste mit einem Budget von 200 Euro?", "de"),
        (GERMAN, "more formal", "Könnten Sie mir bitte sagen: welches E-Bike ist das beste?", "de"),
        (FRENCH, "for étudiants", "Quel est le meilleur vélo électrique pour étudiants ?", "fr"),
        (
            FRENCH,
            "mention a budget of 200 euros",
            "Quel est le meilleur vélo électrique avec un budget de 200 euros ?",
            "fr",
        ),
        (SPANISH, "in España", "¿Cuál es la mejor bicicleta eléctrica en España?", "es"),
        (SPANISH, "more formal", "¿Podría decirme, por favor, cuál es la mejor bicicleta eléctrica?", "es"),
    ],
)
def test_in_the_form_and_language_of_the_question(text, instruction, wording, locale):
    assert refined(text, instruction, locale).casefold() == wording.casefold()


@pytest.mark.parametrize(
    ("text", "instruction", "locale", "said"),
    [
        (ENGLISH, "sing it", "en", "make it about …"),
        (ENGLISH, "sing it and for students", "en", "The embedded writer understands"),
        (ENGLISH, "in German", "en", "does not translate"),
        (GERMAN, "for students", "de", "in the language de, and “students” would stand in it in English"),
        (GERMAN, "make it about commuting", "de", "question's language"),
        (FRENCH, "mention that I live in Spain", "fr", "in English"),
        (SPANISH, "ask for prices", "es", "in English"),
    ],
)
def test_what_cannot_be_done_by_rule_is_said_with_what_can(text, instruction, locale, said):
    with pytest.raises(CannotWrite) as refusal:
        refined(text, instruction, locale)
    assert refusal.value.argument == "instruction" and said in refusal.value.message
