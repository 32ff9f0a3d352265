"""The page that says why another tool shows another number for the same answers."""

from datetime import timedelta

import pytest
from django.urls import reverse

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory
from tests.scans.history import DAY, ended_run, rescored
from visibility.metrics.definitions import Definition
from visibility.services.reading.other_tools import other_numbers
from visibility.services.topics.deciding import choose_topics, topic_decisions

pytestmark = pytest.mark.django_db

TEXTS = [
    "1. Rival\n2. Brenn\n3. Quarz\n4. Zephyr\n5. Acme",
    "Rival is good; see [its shop](https://acme.example/rival).",
    "I found nothing about Acme. Take Rival.",
    "1. Acme\n2. Rival",
]


@pytest.fixture
def measured(cast):
    """Four prompts on four topics, answered once by one engine, and one that names the brand."""
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    prompts = [PromptFactory(brand=cast.brand, text=f"which anvil is good, number {n}?") for n in range(4)]
    prompts.append(PromptFactory(brand=cast.brand, text="is Acme good?"))
    ended_run(cast.brand, prompts, texts=[*TEXTS, "Acme is the best."])
    return cast.brand


@pytest.fixture
def visit(client, cast):
    def go(brand, user=cast.owner, name="other-tools-page"):
        client.force_login(user)
        response = client.get(reverse(name, kwargs={"brand_id": brand.pk}))
        return response.status_code, " ".join(response.content.decode().split())

    return go


def by_definition(report):
    return {number.definition: number for number in report.numbers}


def test_each_definition_beside_ours_on_stored_answers(cast, measured):
    """Ours: 2 of 4. All answers cite acme.example as a source; the third only says that nothing was found."""
    report = other_numbers(Caller.from_user(cast.viewer), brand_id=measured.pk)
    assert report.now.score == 50.0
    values = {name: (number.value, number.difference) for name, number in by_definition(report).items()}
    assert values == {
        Definition.POOLED: (50.0, 0.0),
        Definition.ANY_SAMPLE: (50.0, 0.0),
        Definition.FIRST_THREE: (25.0, -25.0),
        Definition.CITATIONS: (100.0, 50.0),
        Definition.LETTERS: (100.0, 50.0),
    }
    letters = by_definition(report)[Definition.LETTERS]
    assert letters.evidence == "2 of 4 answers hold the letters without naming the brand."
    assert letters.here == "Here it is 50.0 points above ours."


def test_the_page_says_it_in_words_and_the_score_links_to_it(visit, cast, measured):
    status, page = visit(measured, cast.viewer)
    assert status == 200
    assert "show <bdi>Acme</bdi> at 25 to 100 %. Ours is <strong>50.0 %</strong>" in page
    assert "1 of the 2 answers that name the brand do not count." in page
    assert "2 of 4 answers cite its site without naming it." in page
    assert "2 of 4 answers name the brand; taken for independent they would be said to lie within" in page
    address = reverse("other-tools-page", kwargs={"brand_id": measured.pk})
    assert address in visit(measured, name="brand-page")[1]


def test_before_the_first_scan_it_says_what_it_will_show(visit, cast):
    status, page = visit(cast.brand)
    assert status == 200 and "Nothing is measured yet" in page
    assert other_numbers(Caller.from_user(cast.owner), brand_id=cast.brand.pk).numbers == []


def test_strangers_find_nothing(visit, cast, measured):
    assert visit(measured, cast.stranger)[0] == 404
    assert visit(BrandFactory(), cast.owner)[0] == 404
    with pytest.raises(ServiceError) as refused:
        other_numbers(Caller.from_user(cast.stranger), brand_id=measured.pk)
    assert refused.value.code == ErrorCode.NOT_FOUND


def test_the_answers_of_other_brands_are_no_part_of_it(cast, measured):
    other = BrandFactory(name="Other", domain="other.example")
    ended_run(other, [PromptFactory(brand=other, text="which hammer?")], texts=["Acme is good."])
    report = other_numbers(Caller.from_user(cast.owner), brand_id=measured.pk)
    assert report.now.answers == 4
    assert by_definition(report)[Definition.POOLED].evidence.startswith("2 of 4 answers")


def test_it_counts_what_now_counts(cast, measured):
    """An engine's newest day alone, prompts that are active today alone."""
    prompts = list(measured.prompts.order_by("created_at"))
    ended_run(measured, prompts, texts=["Nothing."] * 5, day=1)
    report = other_numbers(Caller.from_user(cast.owner), brand_id=measured.pk)
    assert (report.now.score, by_definition(report)[Definition.POOLED].value) == (0.0, 0.0)
    first = prompts[0]
    first.archived_at = DAY + timedelta(days=2)
    first.save()
    report = other_numbers(Caller.from_user(cast.owner), brand_id=measured.pk)
    assert by_definition(report)[Definition.POOLED].evidence.startswith("0 of 3 answers")


def test_without_a_score_there_is_nothing_to_compare_and_the_page_says_why(visit, cast, measured):
    for number in range(30):
        PromptFactory(brand=measured, text=f"which hammer is good, number {number}?")
    assert "is <strong>50.0 %</strong>" in visit(measured)[1], "prompts that were not asked yet take nothing away"
    owner = Caller.from_user(cast.owner)
    topics = topic_decisions(owner, brand_id=measured.pk).topics
    choose_topics(owner, brand_id=measured.pk, choices={topic.key: False for topic in topics})
    rescored(measured)
    said = "There is no score now, so there is nothing to compare: none of its topics is marked as its own."
    assert said in visit(measured)[1]


def test_the_page_costs_the_same_for_many_answers(client, cast, measured, django_assert_max_num_queries):
    client.force_login(cast.owner)
    address = reverse("other-tools-page", kwargs={"brand_id": measured.pk})
    with django_assert_max_num_queries(20):
        client.get(address)
    prompts = [PromptFactory(brand=measured, text=f"which hammer is good, number {n}?") for n in range(30)]
    ended_run(measured, prompts, texts=["Acme is good."] * 30, day=1)
    with django_assert_max_num_queries(20):
        client.get(address)
