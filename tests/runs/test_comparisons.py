"""Comparisons: engines choose between the brand and its competitors, outside of every score."""

import asyncio

import pytest

from apikeys.errors import ErrorCode, ServiceError
from tests.factories import CompetitorFactory
from tests.live import own_database
from tests.runs.conftest import SYSTEM, make_brand, make_engine
from visibility import jobs
from visibility.competitors.comparisons import read_comparison, start_comparison
from visibility.models import Cell, DailyScore, Prompt, Run
from visibility.prompts.services import PromptDraft, add_prompts
from visibility.runs.services import start_scan


@pytest.fixture(scope="module", autouse=True)
def database(django_db_blocker):
    with django_db_blocker.unblock(), own_database() as url:
        yield url


def start(brand, **fields):
    return start_comparison(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.WEB, **fields)


def test_each_competitor_is_compared_in_both_orders_and_judged_by_the_words_of_the_answer(provider):
    brand = make_brand(prompts=2, samples=2)
    CompetitorFactory(brand=brand, name="Initech", domain="initech.example")
    verdict = "Both are fine. Overall, I would choose Acme over the other."
    make_engine("chooser", f"chooser?text={verdict}", provider)
    run = start(brand).run
    asyncio.run(jobs.ask.func(str(run.pk)))
    jobs.measure.func(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.total, run.score) == ("succeeded", 2 * 4 * 2, None)
    compared = read_comparison(run, full=True)
    assert [each.name for each in compared] == ["Globex", "Initech"]
    for each in compared:
        assert (each.answers, each.site_preferred, each.undecided) == (8, 8, 0)
        assert len(each.prompts) == 4 and {
            question.prompt.find("Acme") < question.prompt.find(each.name) for question in each.prompts
        } == {True, False}
        [quote] = each.prompts[0].engines[0].quotes
        assert (quote.prefers, quote.text) == ("site", "Overall, I would choose Acme over the other.")
    assert not Cell.objects.filter(run=run).exists() and not DailyScore.objects.filter(brand=brand).exists()


def test_a_comparison_has_a_clock_of_its_own_and_its_questions_are_stored_once(provider):
    brand = make_brand(prompts=1, samples=1)
    make_engine("gpt-clock", "m", provider)
    assert start(brand).started and start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.WEB).started
    assert not start(brand).started
    Run.objects.filter(brand=brand).delete()
    assert start(brand).started
    assert Prompt.objects.filter(brand=brand, purpose="comparison").count() == 4
    assert Prompt.objects.filter(brand=brand).active().count() == 1


def test_a_comparison_needs_competitors_of_the_brand(provider):
    brand, other = make_brand(prompts=1), make_brand(prompts=1)
    make_engine("gpt-needs", "m", provider)
    for ids in ([], [other.competitors.get().pk]):
        with pytest.raises(ServiceError) as refused:
            start(brand, competitor_ids=ids)
        assert refused.value.code == ErrorCode.INVALID_ARGUMENTS
    brand.competitors.all().delete()
    with pytest.raises(ServiceError):
        start(brand)


def test_questions_are_in_the_language_of_most_prompts(provider):
    brand = make_brand(prompts=1, samples=1)
    drafts = [PromptDraft("Welche Uhr?", locale="de-CH"), PromptDraft("Welcher Schuh?", locale="de-CH")]
    add_prompts(SYSTEM, brand_id=brand.pk, drafts=drafts)
    make_engine("gpt-german", "m", provider)
    texts = start(brand).run.answers.values_list("version__text", "version__locale")
    assert ("Acme oder Globex: Was würdest du wählen, und warum?", "de-CH") in texts
