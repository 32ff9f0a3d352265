"""What a question takes for granted, of whom, and what claims nothing. N: a competitor, O: another, B: the brand."""

from uuid import UUID

import pytest

from visibility.services.ask.reading.premises import premises_of
from visibility.services.ask.types import Premise, Subject

BRAND, RIVAL, OTHER = Subject("Sony"), Subject("Samsung", UUID(int=1)), Subject("LG", UUID(int=2))
PEOPLE = {"B": BRAND, "N": RIVAL, "O": OTHER, "U": None}


def premises(question, language):
    """Read with its capital letters as names, and T as a topic."""
    words = question.split(" ")
    names = [PEOPLE[word.strip("?,'s")] for word in words if word.strip("?,'s") in PEOPLE]
    signs = {"N": "\x01", "O": "\x01", "B": "\x01", "U": "\x01", "T": "\x02", "E": "\x00"}
    text = " ".join(
        word.replace(word.strip("?,'s"), signs.get(word.strip("?,'s"), word.strip("?,'s"))) for word in words
    )
    return premises_of(text, language, BRAND, names)


@pytest.mark.parametrize(
    ("language", "question", "claimed", "subject", "other"),
    [
        ("en", "why is N ahead of O", "ahead", RIVAL, OTHER),
        ("en", "why is N ahead", "ahead", RIVAL, BRAND),
        ("en", "why does N outrank B?", "ahead", RIVAL, BRAND),
        ("en", "why are our competitors ahead of us", "behind", BRAND, None),
        ("en", "why are others ahead of B", "behind", BRAND, None),
        ("en", "why aren't we ahead of N?", "behind", BRAND, RIVAL),
        ("en", "why do we lose to N on T", "behind", BRAND, RIVAL),
        ("en", "why is the score of N better than ours", "ahead", RIVAL, BRAND),
        ("en", "why is N named but not us", "ahead", RIVAL, BRAND),
        ("en", "why is N named and we are not", "not_named", BRAND, None),
        ("en", "why do no answers name us", "not_named", BRAND, None),
        ("en", "how come nobody mentions N", "not_named", RIVAL, None),
        ("en", "why does E ignore us", "not_named", BRAND, None),
        ("en", "why did N's score go up?", "rose", RIVAL, None),
        ("en", "why are we worse than last week", "fell", BRAND, None),
        ("en", "what explains that our visibility fell", "fell", BRAND, None),
        ("en", "since N leads on T, what now", "leads", RIVAL, None),
        ("en", "now that we are number one, what next", "leads", BRAND, None),
        ("de", "warum liegen wir hinter N", "behind", BRAND, RIVAL),
        ("de", "warum liegt N vor uns", "ahead", RIVAL, BRAND),
        ("de", "warum ist uns N voraus?", "ahead", RIVAL, BRAND),
        ("de", "warum sind uns andere voraus", "behind", BRAND, None),
        ("de", "warum sind wir nicht besser als N", "behind", BRAND, RIVAL),
        ("de", "weshalb sind wir bei T unsichtbar", "not_named", BRAND, None),
        ("de", "wie kommt es, dass N öfter genannt wird als wir", "ahead", RIVAL, BRAND),
        ("de", "woran liegt es, dass wir abgerutscht sind", "fell", BRAND, None),
        ("de", "weil wir Marktführer sind, was tun", "leads", BRAND, None),
        ("fr", "pourquoi N nous devance", "ahead", RIVAL, BRAND),
        ("fr", "pourquoi les autres sont devant nous", "behind", BRAND, None),
        ("fr", "Comment se fait-il que nous soyons derrière N", "behind", BRAND, RIVAL),
        ("fr", "pourquoi ne sommes-nous pas nommés", "not_named", BRAND, None),
        ("fr", "pourquoi N est-il mieux classé que O", "ahead", RIVAL, OTHER),
        ("fr", "vu que nous avons progressé, que faire", "rose", BRAND, None),
        ("es", "¿por qué nos supera N?", "ahead", RIVAL, BRAND),
        ("es", "por qué N va por delante de O", "ahead", RIVAL, OTHER),
        ("es", "¿por qué no aparecemos en T?", "not_named", BRAND, None),
        ("es", "dado que lideramos, ¿qué hacemos?", "leads", BRAND, None),
        ("es", "¿por qué ha caído N?", "fell", RIVAL, None),
    ],
)
def test_what_is_taken_for_granted_is_read_with_whom_it_is_said_of(language, question, claimed, subject, other):
    assert premises(question, language) == (Premise(claimed, subject, other),)


@pytest.mark.parametrize(
    ("language", "question", "value"),
    [
        ("en", "how come we're at 12,5 percent", 12.5),
        ("en", "as 80 % of the answers name us, what next", 80.0),
        ("en", "why is N named in only 7.5% of answers", 7.5),
        ("de", "warum nennen uns nur 10 Prozent der Antworten", 10.0),
        ("fr", "comme 30 % des réponses nous nomment, que faire", 30.0),
        ("es", "¿por qué nos nombra el 5 por ciento?", 5.0),
    ],
)
def test_a_figure_is_taken_as_it_stands(language, question, value):
    [premise] = premises(question, language)
    assert (premise.claimed, premise.value) == ("figure", value)
    assert premise.subject == (RIVAL if "N" in question.split() else BRAND)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "are we behind N?"),
        ("en", "is N ahead of us on T"),
        ("en", "since when do we lead?"),
        ("en", "is it true that 80 % of the answers name us?"),
        ("en", "why are we not number one"),
        ("en", "why is U ahead of us"),
        ("en", "why is N behind U?"),
        ("en", "why does E prefer N?"),
        ("en", "why is N so strong"),
        ("en", "why is our share of voice 40 %"),
        ("en", "why are we never cited"),
        ("en", "why is the interval so wide"),
        ("en", "why should we write articles"),
        ("en", "why is there no scan"),
        ("de", "liegen wir hinter N?"),
        ("de", "seit wann führen wir"),
        ("fr", "depuis quand sommes-nous devant N"),
        ("es", "¿va N por delante de nosotros?"),
    ],
)
def test_a_question_that_only_asks_claims_nothing(language, question):
    assert premises(question, language) == ()


def test_names_stand_for_those_whom_the_question_has_there():
    text = "how is \x01 doing, and why is \x01 ahead of \x01?"
    [premise] = premises_of(text, "en", BRAND, [RIVAL, OTHER, BRAND])
    assert premise == Premise("ahead", OTHER, BRAND)


def test_two_clauses_claim_two_things():
    text = "since we lead on \x02, why is \x01 never named?"
    assert {premise.claimed for premise in premises_of(text, "en", BRAND, [RIVAL])} == {"leads", "not_named"}
