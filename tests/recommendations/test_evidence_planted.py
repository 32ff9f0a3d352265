"""Claims and reviews planted beside real answers, with evidence found by the service's own finders."""

from dataclasses import replace

import pytest

from tests.amounts import some
from tests.asking.world import BRANDS
from tests.evidence.handmade import page, read_pages, reviewed
from tests.recommendations.planting import RealAnswers, opened
from visibility.insights.recommendations.kinds.claim import Claims
from visibility.insights.recommendations.kinds.review_theme import ReviewThemes
from visibility.pipeline.evidence.finding import find_positioning, find_review_themes
from visibility.pipeline.evidence.gathering import gather

pytestmark = pytest.mark.django_db
CLAIMS = (
    ("batteries last 40 hours on one charge.", "batteries last 12 hours on one charge."),
    ("ships orders to 90 countries worldwide.", "ships orders to 20 countries worldwide."),
    ("runs 300 repair shops in Europe.", "runs 50 repair shops in Europe."),
    ("gives a warranty of 7 years on every motor.", "gives a warranty of 2 years on every motor."),
)
"""What the own page claims, and what answers say instead."""
THEMES = (
    ("Battery life", "The battery life is terrible, I hate it."),
    ("Customer support", "The customer support is awful and rude."),
    ("Delivery", "The delivery was terrible, late and broken."),
    ("Strap", "The strap is horrible, I hate it."),
)


def find_evidence(brand):
    gathered = gather(brand)
    for row in (*find_positioning(gathered), *find_review_themes(gathered)):
        row.brand = brand
        row.save()


@pytest.mark.parametrize("name", some(BRANDS, len(BRANDS)))
def test_planted_claims_and_complaints_are_found_and_nothing_without_them(reference_data, name):
    """Of each brand four claims that three answers contradict, and four complaints of six reviews each."""
    answers = RealAnswers(reference_data)
    named = [record for record in answers.now if name in record["text"]]
    for number, (_, said) in enumerate(CLAIMS):
        for record in named[number :: len(CLAIMS)][:3]:
            record["text"] += f"\n\n{name} {said}"
    brand = answers.imported(name)
    home = replace(page(text="\n".join(f"{name} {claim}" for claim, _ in CLAIMS)), url=f"https://{BRANDS[name][0]}/")
    read_pages(brand, home)
    good = [f"It came on time, number {number}." for number in range(6)]
    for _, text in THEMES:
        reviewed(brand, *[f"{text} Review {number}." for number in range(6)], stars=1.0)
    reviewed(brand, *good, stars=5.0)
    find_evidence(brand)
    rows = [words for _, words in opened(Claims(), brand).values() if words.title.startswith("Settle")]
    # In doubt the weighing of claims says nothing: beside real answers one of the four may stay unheard.
    assert len(rows) >= len(CLAIMS) - 1
    for words in rows:
        [said] = [said for claim, said in CLAIMS if words.evidence[0].text.endswith(claim)]
        assert words.evidence[0].url == home.url
        assert all(said in piece.text for piece in words.evidence[1:]) and len(words.evidence) >= 3
    themes = {words.evidence[0].text: words for _, words in opened(ReviewThemes(), brand).values()}
    for _, text in THEMES:
        assert any(text.split(" is ")[0].split(" was ")[0] in quote for quote in themes), (text, list(themes))


@pytest.mark.parametrize("name", ["Sony"])
def test_without_plants_nothing_is_contradicted(reference_data, name):
    brand = RealAnswers(reference_data).imported(name)
    home = replace(page(text="\n".join(f"{name} {claim}" for claim, _ in CLAIMS)), url=f"https://{BRANDS[name][0]}/")
    read_pages(brand, home)
    reviewed(brand, *[f"It came on time, number {number}." for number in range(30)], stars=5.0)
    find_evidence(brand)
    assert not [words for _, words in opened(Claims(), brand).values() if words.title.startswith("Settle")]
    assert opened(ReviewThemes(), brand) == {}
