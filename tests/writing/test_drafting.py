"""The embedded writer quotes a brand on a question only where its pages speak to it; all else is a marked gap."""

import pytest

from visibility.writers.drafting import compose
from visibility.writers.tasks import DraftFormat, DraftTask, Material, Subject

BATTERY = "Every Norrvik bike has a removable battery that locks into the down tube and weighs 2.9 kilograms."
CHARGES = "The battery of the bike keeps 70 per cent of its capacity for 1,000 full charges or five years."
SERVICE = "A Norrvik e-bike needs a first service after 500 kilometres and then one a year."
FRAMES = "Norrvik has built electric bikes since 2014. Two thirds of the frames are made from recycled aluminium."
WINTER = "An e-bike battery loses about a fifth of its range at freezing point. Winter range is 60 kilometres."
QUOTES = (BATTERY, CHARGES, SERVICE, FRAMES, WINTER)


def page(*questions, quotes=QUOTES, topic="bikes", format=DraftFormat.FAQ):
    task = DraftTask(
        subject=Subject("Norrvik Cycles", "norrvik.example", names=("Norrvik Cycles", "Norrvik")),
        topic=topic,
        format=format,
        questions=questions,
        materials=[Material(f"S{n}", text, "Page", own=True) for n, text in enumerate(quotes, start=1)],
    )
    return compose(task).markdown


@pytest.mark.parametrize(
    "question",
    [
        "How can I carry two children to school by bike?",
        "Is leasing an e-bike cheaper than buying it?",
        "What is the best electric cargo bike for two kids?",
        "Which e-bike brand sends mobile mechanics to my home?",
        "Is Norrvik a good e-bike brand?",
        "How do I keep my e-bike from being stolen?",
        "1,000",
        "<script>alert(1)</script>",
        "?",
    ],
)
@pytest.mark.parametrize("quotes", [QUOTES, QUOTES[:1], QUOTES[2:4]], ids=["many", "one", "two"])
def test_a_brand_is_not_quoted_on_what_it_does_not_speak_of(question, quotes):
    assert page(question, quotes=quotes).startswith("[fact needed: what Norrvik Cycles can show to answer ")
    assert "[S" not in page("zeppelins", question, quotes=quotes, topic="airships")
    assert "[S" not in page(topic=question, quotes=quotes, format=DraftFormat.ARTICLE)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Does an e-bike battery lose range in winter?", WINTER),
        ("How many full charges does an e-bike battery last?", CHARGES),
        ("How often does an e-bike need a service?", SERVICE),
        ("Which e-bike with a removable battery should I buy?", BATTERY),
        ("Which Norrvik frames are from recycled aluminium?", FRAMES),
        ("winter range", WINTER),
        ("bikes", BATTERY),
    ],
)
def test_a_brand_is_quoted_on_what_it_speaks_of(question, quote):
    assert page(question).removeprefix("> ").startswith(f"{quote} [S")
    assert f"{quote} [S" in page("zeppelins", question)
    assert f"{quote} [S" in page("zeppelins", topic=question, format=DraftFormat.ARTICLE)


def test_each_passage_is_quoted_once():
    questions = ["How often does an e-bike need a service?"] * 3
    assert page(*questions).count(SERVICE) == 1
