"""Companies behind names that nobody tracks, and the answers that have them."""

import pytest

from tests.counts.conftest import SYSTEM, asked, measured
from tests.factories import BrandFactory, CompetitorFactory
from visibility.counts.reader import select_now
from visibility.counts.sums import COUNTED
from visibility.counts.untracked import by_answer, companies_behind, company_by_name, sums_naming, untracked_sums
from visibility.detection import UntrackedName as Offered
from visibility.models import PromptVersion, UntrackedName, WatchedName
from visibility.prompts.services import PromptDraft, add_prompts

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    """A brand with the competitor "Zentra Bikes Nord", asked about cheap locks."""
    brand = BrandFactory(name="Kryton")
    CompetitorFactory(brand=brand, name="Zentra Bikes Nord")
    add_prompts(SYSTEM, brand_id=brand.pk, drafts=[PromptDraft("Which cheap locks?", "bells")])
    return brand


def companies(brand, *answers):
    """The companies of answers that offer these names, each with the domain that is cited for it."""
    found = [[Offered(name, 0, 1, domain) for name, domain in answer.items()] for answer in answers]
    versions = PromptVersion.objects.filter(prompt__brand=brand).values_list("pk", flat=True)
    return [each.name for each in companies_behind(brand, found, list(versions))]


def test_the_company_in_most_answers_comes_first(brand):
    assert companies(brand, {"Avola": ""}, {"Varmio": ""}, {"Varmio": "", "Oblinx": ""}) == [
        "Varmio",
        "Avola",
        "Oblinx",
    ]


@pytest.mark.parametrize("name", ["Kryton", "Zentra", "Zentra Bikes", "Zentra Bikes Nord", "ZENTRA"])
def test_a_tracked_name_and_the_words_that_it_begins_with_are_tracked(brand, name):
    assert companies(brand, {name: "", "Varmio": ""}) == ["Varmio"]


@pytest.mark.parametrize("name", ["Bikes", "Nord", "Zentro"])
def test_other_words_of_a_tracked_name_are_not(brand, name):
    assert companies(brand, {name: ""}) == [name]


@pytest.mark.parametrize(
    ("name", "is_company"),
    [("QM751G", False), ("U6N", False), ("751", True), ("Cheap", False), ("Locks", False), ("Lock", False)],
)
def test_a_number_of_a_model_or_a_word_of_the_prompts_is_a_company_only_with_its_own_domain(brand, name, is_company):
    assert companies(brand, {name: ""}) == ([name] if is_company else [])
    assert len(companies(brand, {name: "own.example"})) == 1


@pytest.mark.parametrize(
    ("name", "company"),
    [("Paula's Locks", "Paula's"), ("Paula's Bells", "Paula's"), ("Paula's Choice", "Paula's Choice")],
)
def test_words_of_the_prompts_and_topics_behind_a_name_are_no_part_of_it(brand, name, company):
    assert companies(brand, {name: ""}) == [company]


@pytest.fixture
def offering():
    """Two of four answers offer Varmio, one of them twice and with the brand; one offers Oblinx."""
    texts = [
        "1. **Varmio Pro**: fine.\n2. **Varmio Max**: light.\n3. **Kryton**: strong.",
        "1. **Varmio Pro**: fine.\n2. **Oblinx**: light.",
        "Nothing to offer.",
        "Still nothing.",
    ]
    lines = zip(asked("chatgpt", 1), texts, strict=True)
    return select_now(measured([{**line, "text": text} for line, text in lines]))


def test_an_answer_that_offers_a_company_twice_counts_once(offering):
    mentioned = {name: sum(each.mentioned for each in sums) for name, sums in untracked_sums(offering).items()}
    assert mentioned == {"Varmio": 2, "Oblinx": 1}


def test_a_company_is_known_by_all_its_names_and_the_names_of_an_answer_are_in_their_order(offering):
    found = by_answer(UntrackedName.objects.offered().filter(answer__in=offering.answers))
    assert sorted([each.name for each in names] for names in found.values()) == [
        ["Varmio Pro", "Oblinx"],
        ["Varmio Pro", "Varmio Max"],
    ]
    assert company_by_name(offering, found) == {
        "Varmio Pro": "Varmio",
        "Varmio Max": "Varmio",
        "Oblinx": "Oblinx",
    }


def test_sums_of_a_name_say_in_how_many_answers_the_brand_is_missing(offering):
    sums = sums_naming(offering, ["Varmio", "Oblinx", "Nobody"]).sums
    counts = {
        name: (sum(s.mentioned for s in each), sum(s.without_brand for s in each)) for name, each in sums.items()
    }
    assert counts == {"Varmio": (2, 1), "Oblinx": (1, 1)}
    own = {(each.engine, each.surface, each.version, each.topic, each.first_day) for each in offering.sums}
    places = {(s.engine, s.surface, s.version, s.topic, s.last_day) for each in sums.values() for s in each}
    assert places <= own
    assert sums_naming(offering, []).sums == {}


def test_of_a_name_that_nobody_tracks_nothing_else_is_counted(offering):
    sums = [each for of_name in sums_naming(offering, ["Varmio", "Oblinx"]).sums.values() for each in of_name]
    others = set(COUNTED) - {"mentioned", "ranked", "without_brand"}
    assert {getattr(each, name) for each in sums for name in others} == {0}
    assert not any(each.named for each in sums)


def test_a_name_that_is_also_a_word_is_looked_for_with_its_capital():
    texts = ["We like Beats a lot.", "This beats that.", "It beats them.", "None."]
    lines = zip(asked("chatgpt", 1), texts, strict=True)
    now = select_now(measured([{**line, "text": text} for line, text in lines]))
    assert sum(each.mentioned for each in sums_naming(now, ["Beats"]).sums["Beats"]) == 1


def test_for_a_name_that_nobody_watched_a_bounded_number_of_answers_is_read(offering, monkeypatch):
    monkeypatch.setattr("visibility.counts.untracked.MOST_READ", 1)
    WatchedName.objects.all().delete()
    naming = sums_naming(offering, ["Varmio"])
    assert (sum(each.mentioned for each in naming.sums["Varmio"]), naming.unread) == (1, 1)
    assert "1 more are not" in naming.limit


def test_a_company_that_is_named_more_often_than_it_is_offered_has_two_counts():
    texts = ["1. **Varmio**: fine.\n2. **Oblinx**: light.\n3. **Kryton**: ok.", "Varmio is known.", "None.", "None."]
    lines = zip(asked("chatgpt", 1), texts, strict=True)
    [sums] = [untracked_sums(select_now(measured([{**line, "text": text} for line, text in lines])))["Varmio"]]
    assert (sum(each.mentioned for each in sums), sum(each.ranked for each in sums)) == (2, 1)
