"""Which own page answers a question, judged on saved sites with questions that were labelled by reading."""

import pytest

from apikeys.db.prepared import Prepared
from brands.models import OwnedDomain
from tests.evidence.handmade import page, read_pages
from tests.searching.sites import QUESTIONS, own_pages, parsed_pages
from visibility.audit.page import Heading, Text
from visibility.measured import own_pages as module
from visibility.measured.own_pages import OwnPage, OwnPages, read_own_pages
from visibility.models import Page

JUDGED = {"nutch": (15, 0, 15), "ofbiz": (21, 1, 19), "saved": (16, 1, 16)}
"""By site: how many of the questions that a page answers are told to be, how many of the others, and how often the
page is the one that was read."""


@pytest.mark.parametrize("site", JUDGED)
def test_questions_are_answered_as_people_read_the_pages(reference_data, site):
    pages, questions = own_pages(reference_data, site), QUESTIONS[site]
    matches = [(pages.answers(question), address) for question, address in questions["yes"]]
    told = sum(match is not None for match, _ in matches)
    wrong = [question for question in questions["no"] if pages.answers(question)]
    right = sum(match is not None and address in match.page.url for match, address in matches)
    assert (told, len(wrong), right) == JUDGED[site], wrong
    assert told / (told + len(wrong)) >= 0.9
    assert told / len(matches) >= 0.9


def test_over_all_sites_precision_and_recall(reference_data):
    asked = sum(len(questions["yes"]) + len(questions["no"]) for questions in QUESTIONS.values())
    told, wrong, _ = (sum(figures) for figures in zip(*JUDGED.values(), strict=True))
    assert asked >= 100
    assert (told / (told + wrong), told / sum(len(each["yes"]) for each in QUESTIONS.values())) >= (0.96, 0.98)


def test_each_passage_stands_on_its_page(reference_data):
    for site in JUDGED:
        pages = own_pages(reference_data, site)
        for question, _ in QUESTIONS[site]["yes"]:
            match = pages.best(question)
            assert match is not None
            assert match.passage in " ".join(match.page.text.split())
            assert 0 < match.share <= 1


def own(*pages):
    return OwnPages([OwnPage(f"https://acme.example/{number}", *each) for number, each in enumerate(pages)])


ANVILS = (
    "Anvils for smiths",
    ("Weight",),
    "Weight\nOur anvils weigh 40 kg and stand on oak.\nThey are cast in one piece.",
)
BELLOWS = ("Bellows", (), "Leather bellows for small forges, sewn by hand.")


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how much does an anvil weigh", 0),
        ("anvil weight", 0),
        ("What are the best leather bellows for a small forge in 2026?", 1),
        ("LEATHER BELLOW", 1),
    ],
)
def test_case_plurals_years_and_praise_make_no_difference(question, number):
    assert own(ANVILS, BELLOWS).answers(question).page.url.endswith(str(number))


@pytest.mark.parametrize(
    "question",
    ["", "???", "the best", "2026", "anvil price", "anvil vs hammer", "forge", "\u0000" * 50, "x" * 100_000],
)
def test_what_is_not_said_or_asks_nothing_is_not_answered(question):
    assert own(ANVILS, (*BELLOWS[:2], "Leather bags for smiths, sewn by hand.")).answers(question) is None


def test_a_title_over_nothing_answers_nothing():
    stub = (
        "Noise cancelling headphones",
        ("Noise cancelling headphones",),
        "Noise cancelling headphones\nComing soon. Come back later.",
    )
    pages = own(stub, ANVILS, BELLOWS)
    assert pages.best("noise cancelling headphones battery").page.title == stub[0]
    assert pages.answers("noise cancelling headphones battery") is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Kopfhörer mit Geräuschunterdrückung", "Unsere Kopfhörern bieten Geräuschunterdrückung im Zug."),
        ("mejores auriculares inalámbricos", "Un auricular inalambrico con 30 horas."),
        ("meilleurs écouteurs sans fil", "Nos ecouteurs fil a fil, sans couture."),
    ],
)
def test_endings_and_accents_of_each_language_make_no_difference(question, text):
    assert own(("A", (), text), ANVILS, BELLOWS).answers(question).page.title == "A"


def test_no_page_is_no_answer():
    assert own().best("anvil") is own().answers("anvil") is None


@pytest.mark.django_db
class TestRead:
    def test_pages_of_the_latest_audit_and_own_ones_of_the_corpus(self, cast):
        OwnedDomain.objects.create(brand=cast.brand, domain="acme-shop.example")
        read_pages(cast.brand, page("old", "Of an earlier audit."), day=0)
        read_pages(
            cast.brand,
            page("", "Acme makes anvils.", titles=(Text("Acme", 1),), headings=(Heading(1, "Anvils", 2),)),
            day=1,
        )
        for url in (
            "https://acme.example",
            "https://sub.acme-shop.example/x",
            "https://rival.example/",
            "no address",
        ):
            Page.objects.create(brand=cast.brand, url=url, title="T", text="Stored text.")
        assert read_own_pages(cast.brand).pages == [
            OwnPage("https://acme.example/", "Acme", ("Anvils",), "Acme makes anvils."),
            OwnPage("https://sub.acme-shop.example/x", "T", (), "Stored text."),
        ]

    def test_without_an_audit_and_pages_nothing_is_known(self, cast):
        assert read_own_pages(cast.brand).pages == []

    def test_they_are_bounded_and_cost_the_same_statements(self, cast, monkeypatch, django_assert_num_queries):
        monkeypatch.setattr(module, "MAX_PAGES", 3)
        monkeypatch.setattr(module, "_ROWS", Prepared(module._rows))  # compiled with this bound
        monkeypatch.setattr(module, "MAX_PAGE_TEXT", 10)
        monkeypatch.setattr(module, "MAX_TEXT", 25)
        with django_assert_num_queries(2):
            assert read_own_pages(cast.brand).pages == []
        read_pages(cast.brand, *(page(str(number), "word " * 100) for number in range(5)))
        Page.objects.create(brand=cast.brand, url="https://acme.example/z", title="T", text="Stored text.")
        with django_assert_num_queries(2):
            pages = read_own_pages(cast.brand).pages
        assert [len(each.text) for each in pages] == [10, 10]


def test_a_whole_site_is_read_as_it_is_audited(reference_data):
    assert len(parsed_pages(reference_data, "nutch")) >= 40
    assert len(parsed_pages(reference_data, "ofbiz")) >= 50
