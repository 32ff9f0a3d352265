"""Comparisons: what they ask, what they cost, what stands in their way, and whom their answers prefer."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.models import Usage
from apikeys.resources import FOR_AGENTS
from apikeys.services.usage import period_of
from brands.services.competitors import remove_competitor, update_competitor
from brands.services.names import replace_aliases
from tests.factories import ApiKeyFactory, BrandFactory, CompetitorFactory, DailyScoreFactory, PromptFactory
from tests.scans.history import ended_run, rescored
from tests.scans.test_start_scan import credits_used, start
from visibility.engines.protocol import Engine, EngineAnswer
from visibility.models import Answer, DailyScore, Preference, Prompt, PromptVersion, Recommendation, Run
from visibility.pipeline.runner import execute
from visibility.services.prompts.editing import archive_prompt, edit_prompt
from visibility.services.prompts.listing import prompts_of
from visibility.services.scans.comparisons import DEFAULT_RIVALS, MAX_RIVALS, start_comparison
from visibility.services.scans.starting import StartReason, cancel_scan, start_scan
from visibility.services.scans.status import latest_scan, scan_status

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


class Judge(Engine):
    """Decides for the name that the question gives first, but for Zentra, which it never takes; sometimes nobody."""

    name = "judge"
    concurrency = 4

    async def ask(self, question):
        if question.text.startswith("How does"):
            return EngineAnswer(text="It depends on what you need.", served_model="j")
        names = question.text.split(":")[0].split(" or ")
        first = next(name for name in names if name != "Zentra")
        return EngineAnswer(text=f"Both are known. I'd go with **{first}** & be done.", served_model="j")


class Broken(Engine):
    """Never answers."""

    name = "broken"
    concurrency = 1

    async def ask(self, question):
        raise RuntimeError("a bug")


@pytest.fixture(autouse=True)
def _judge(settings):
    settings.EXTRA_ENGINES = ["tests.scans.test_comparison.Judge"]


@pytest.fixture
def zentra(cast):
    return CompetitorFactory(brand=cast.brand, name="Zentra", domain="zentra.example")


@pytest.fixture
def kryton(cast):
    return CompetitorFactory(brand=cast.brand, name="Kryton", domain="kryton.example")


@pytest.fixture
def brand(cast):
    """A name that means nothing else, so that the questions hold it alone."""
    cast.brand.name, cast.brand.samples = "Bolvex", 2
    cast.brand.save()
    return cast.brand


def compare(caller, brand, *rivals, **more):
    ids = [rival.pk for rival in rivals] or None
    return start_comparison(caller, brand_id=brand.pk, trigger=Run.Trigger.AGENT, competitor_ids=ids, **more)


def carried_out(caller, brand, *rivals):
    run = compare(caller, brand, *rivals).run
    execute(run.pk, "w")
    run.refresh_from_db()
    return run


def result(caller, brand):
    return latest_scan(caller, brand_id=brand.pk, kind="comparison").comparison


def test_each_rival_is_asked_about_in_both_orders(brand, owner, zentra, kryton):
    started = compare(owner, brand, zentra, kryton)
    assert (started.started, started.credits_spent, started.run.kind) == (True, 2 * 4 * 2, "comparison")
    asked = set(Answer.objects.values_list("version__text", "prompt__rival__name").distinct())
    assert len(asked) == 8
    for name in ("Zentra", "Kryton"):
        texts = sorted(text for text, rival in asked if rival == name)
        assert texts[0].startswith("Bolvex or " + name) or texts[0].startswith(name) or texts[0].startswith("Bolvex")
        assert {text.index("Bolvex") < text.index(name) for text in texts} == {True, False}
        assert all(text.count("Bolvex") == text.count(name) == 1 for text in texts)
    assert credits_used(brand.owner) == started.run.credits_reserved == 16


def test_questions_are_in_the_language_of_most_prompts(brand, owner, zentra):
    for number, locale in enumerate(("de-AT", "de-AT", "fr")):
        PromptFactory(brand=brand, text=f"welches {number}?", locale=locale)
    compare(owner, brand)
    questions = PromptVersion.objects.filter(prompt__purpose="comparison")
    assert {version.locale for version in questions} == {"de-AT"}
    assert any("Was würdest du wählen" in version.text for version in questions)


def test_a_language_without_questions_is_asked_in_english(brand, owner, zentra):
    PromptFactory(brand=brand, text="どれ?", locale="ja-JP")
    compare(owner, brand)
    questions = PromptVersion.objects.filter(prompt__purpose="comparison")
    assert {version.locale for version in questions} == {""}
    assert all("choose" in version.text or "choice" in version.text for version in questions)


def test_a_name_that_means_something_else_is_told_by_its_domain(cast, brand, owner):
    CompetitorFactory(brand=brand, name="Mercury", domain="mercury.example")
    compare(owner, brand)
    assert all("Mercury (mercury.example)" in prompt.text for prompt in Prompt.objects.all())


def test_by_default_the_most_visible_rivals_are_compared(brand, owner):
    rivals = [CompetitorFactory(brand=brand, name=f"Rivalo{n}") for n in range(DEFAULT_RIVALS + 2)]
    for rank, rival in enumerate(rivals):
        DailyScoreFactory(brand=brand, competitor=rival, score=rank)
    compare(owner, brand)
    compared = set(Prompt.objects.filter(purpose="comparison").values_list("rival__name", flat=True))
    assert compared == {rival.name for rival in rivals[2:]}


def test_a_second_comparison_asks_the_same_prompts(brand, owner, zentra):
    carried_out(owner, brand)
    Run.objects.update(created_at=timezone.now() - HOUR)
    carried_out(owner, brand)
    assert (Run.objects.count(), Prompt.objects.count(), PromptVersion.objects.count()) == (2, 4, 4)


def test_within_the_hour_the_comparison_that_is_there_is_returned(brand, owner, zentra, kryton):
    first = compare(owner, brand, zentra)
    again = compare(owner, brand, kryton)
    assert (again.run, again.started, again.reason, again.credits_spent) == (first.run, False, StartReason.ACTIVE, 0)
    execute(first.run.pk, "w")
    later = compare(owner, brand, kryton)
    assert (later.run, later.started, later.reason) == (first.run, False, StartReason.COOLDOWN)
    assert later.next_allowed_at == first.run.created_at + HOUR
    Run.objects.update(created_at=timezone.now() - HOUR)
    assert compare(owner, brand, kryton).started
    assert Prompt.objects.filter(rival=kryton).count() == 4


def test_comparisons_and_scans_have_clocks_of_their_own(brand, owner, zentra):
    PromptFactory(brand=brand)
    assert start(owner, brand).started
    assert compare(owner, brand).started
    assert not start(owner, brand).started


def test_what_cannot_be_compared_is_refused_and_nothing_is_left(brand, owner, zentra, refused):
    other = CompetitorFactory(brand=BrandFactory())
    many = [CompetitorFactory(brand=brand) for _ in range(MAX_RIVALS + 1)]
    for rivals in ([other], [zentra, other], many):
        refused(ErrorCode.INVALID_ARGUMENTS, compare, owner, brand, *rivals)
    refused(ErrorCode.INVALID_ARGUMENTS, compare, owner, BrandFactory(owner=brand.owner))
    assert (Run.objects.count(), Prompt.objects.count(), credits_used(brand.owner)) == (0, 0, 0)


def test_without_enough_credits_nothing_is_started_or_stored(brand, owner, zentra, refused):
    period = period_of(Usage.Kind.CREDITS)
    Usage.objects.create(user=brand.owner, kind="credits", period=period, used=400_000 - 7)
    error = refused(ErrorCode.QUOTA_EXCEEDED, compare, owner, brand)
    assert error.details["used"] == 400_000 - 7
    assert (Run.objects.count(), Prompt.objects.count()) == (0, 0)


def test_without_an_engine_nothing_is_started(brand, owner, zentra, settings, refused):
    settings.EXTRA_ENGINES = []
    refused(ErrorCode.NO_ENGINE_CONFIGURED, compare, owner, brand)
    assert Prompt.objects.count() == 0


@pytest.mark.parametrize(
    ("who", "code"), [("stranger", ErrorCode.NOT_FOUND), ("viewer", ErrorCode.READ_ONLY_COLLABORATOR)]
)
def test_who_may_not_change_the_brand_may_not_compare(cast, brand, zentra, who, code, refused):
    refused(code, compare, Caller.from_user(getattr(cast, who)), brand)


def test_answers_are_judged_with_the_words_that_decide(brand, owner, zentra, kryton):
    run = carried_out(owner, brand)
    assert (run.status, run.score, run.credits_spent) == ("succeeded", None, 16)
    compared = {each.name: each for each in result(owner, brand).competitors}
    counts = {
        name: (each.answers, each.site_preferred, each.competitor_preferred, each.undecided)
        for name, each in compared.items()
    }
    # Two samples of four questions; one in each order decides, never for Zentra.
    assert counts == {"Kryton": (8, 2, 2, 4), "Zentra": (8, 4, 0, 4)}
    assert compared["Zentra"].competitor == zentra.pk
    for each in compared.values():
        assert len(each.prompts) == 4
        [engine] = each.prompts[0].engines
        assert (engine.engine, engine.answers) == ("judge", 2)
    quotes = [quote for p in compared["Kryton"].prompts for e in p.engines for quote in e.quotes]
    assert {(quote.prefers, quote.text, quote.rule) for quote in quotes} == {
        ("site", "I'd go with **Bolvex** & be done.", "choice"),
        ("competitor", "I'd go with **Kryton** & be done.", "choice"),
    }
    body = latest_scan(owner, brand_id=brand.pk).model_dump(mode="json", by_alias=True, context=FOR_AGENTS)
    assert body["comparison"] and "<untrusted-quote>I'd go with **Kryton** &amp; be done.</untrusted-quote>" in str(
        body
    )


def test_a_comparison_is_no_part_of_any_figure(brand, owner, zentra):
    wordings = [PromptFactory(brand=brand, text=f"which one is good, number {n}?") for n in range(2)]
    ended_run(brand, wordings, texts=["Zentra.", "Bolvex."], created_at=timezone.now())
    before = list(DailyScore.objects.order_by("pk").values())
    queue = list(Recommendation.objects.values("pk", "priority", "evidence"))
    carried_out(owner, brand)
    assert list(DailyScore.objects.order_by("pk").values()) == before
    assert list(Recommendation.objects.values("pk", "priority", "evidence")) == queue
    Run.objects.filter(kind="visibility").delete()
    start_scan(owner, brand_id=brand.pk, trigger=Run.Trigger.AGENT)
    scanned = Run.objects.get(kind="visibility")
    assert set(Answer.objects.filter(run=scanned).values_list("prompt", flat=True)) == {w.pk for w in wordings}
    execute(scanned.pk, "w")
    [own] = DailyScore.objects.filter(competitor=None)
    assert own.runs == [str(scanned.pk)]


def test_its_questions_are_nobodys_prompts(brand, owner, zentra, refused):
    carried_out(owner, brand)
    listed = prompts_of(owner, brand_id=brand.pk, active=None)
    assert (listed.prompts, listed.quota.used) == ([], 0)
    question = Prompt.objects.first()
    refused(ErrorCode.CONFLICT, edit_prompt, owner, prompt=question, text="another?")
    refused(ErrorCode.CONFLICT, archive_prompt, owner, prompt=question)


def test_a_person_may_keep_the_same_question(brand, owner, zentra):
    carried_out(owner, brand)
    PromptFactory(brand=brand, text=Prompt.objects.first().text)
    assert len(prompts_of(owner, brand_id=brand.pk).prompts) == 1


def test_new_names_are_found_in_the_comparisons_of_before(brand, owner, zentra):
    """With no measured day at all, and with one."""
    carried_out(owner, brand)
    assert result(owner, brand).competitors[0].site_preferred == 4
    Answer.objects.filter(text__contains="Bolvex").update(text="I'd go with Nordlux.")
    replace_aliases(owner, brand=brand, aliases=["Nordlux"])
    assert result(owner, brand).competitors[0].site_preferred == 4
    rescored(brand)
    [quote, *_] = [q for p in result(owner, brand).competitors[0].prompts for e in p.engines for q in e.quotes]
    assert (result(owner, brand).competitors[0].site_preferred, quote.text) == (4, "I'd go with Nordlux.")
    ended_run(brand, [PromptFactory(brand=brand)], texts=["Bolvex."])
    update_competitor(owner, competitor=zentra, name="Zentrum")
    rescored(brand)
    assert Preference.of_all_generations.count() == 8
    [compared] = result(owner, brand).competitors
    assert (compared.name, compared.answers, compared.site_preferred) == ("Zentrum", 8, 4)


def test_a_rival_that_is_watched_no_more_is_left_out_and_its_answers_stay(brand, owner, zentra, kryton):
    carried_out(owner, brand)
    remove_competitor(owner, competitor=zentra)
    assert [each.name for each in result(owner, brand).competitors] == ["Kryton"]
    rescored(brand)
    assert [(each.name, each.answers) for each in result(owner, brand).competitors] == [("Kryton", 8)]
    assert Answer.objects.count() == 16
    assert Prompt.objects.filter(purpose="comparison", rival=None).count() == 4
    assert prompts_of(owner, brand_id=brand.pk, active=None).prompts == []


def test_a_rival_that_is_removed_while_it_is_compared_costs_nothing_but_its_answers(brand, owner, zentra):
    run = compare(owner, brand).run
    remove_competitor(owner, competitor=zentra)
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, result(owner, brand).competitors) == ("succeeded", [])


def test_what_gets_no_answer_is_given_back(brand, owner, zentra, settings):
    settings.EXTRA_ENGINES = ["tests.scans.test_comparison.Judge", "tests.scans.test_comparison.Broken"]
    run = carried_out(owner, brand)
    assert (run.status, run.done, run.failed, run.credits_spent) == ("partial", 8, 8, 8)
    assert credits_used(brand.owner) == 8
    assert result(owner, brand).competitors[0].answers == 8


def test_a_comparison_can_be_cancelled_and_followed(brand, owner, zentra):
    run = compare(owner, brand).run
    status = scan_status(owner, brand_id=brand.pk, run_id=run.pk)
    assert (status.run.kind, [each.total for each in status.engines]) == ("comparison", [8])
    cancel_scan(owner, run=run)
    assert credits_used(brand.owner) == 0
    assert result(owner, brand).competitors[0].answers == 0


def test_another_key_of_the_owner_sees_it_and_strangers_do_not(cast, brand, owner, zentra, refused):
    carried_out(owner, brand)
    key = Caller.from_key(ApiKeyFactory(owner=cast.viewer, scopes=["read:visibility"]))
    assert result(key, brand) == result(owner, brand)
    refused(ErrorCode.NOT_FOUND, latest_scan, Caller.from_user(cast.stranger), brand_id=brand.pk, kind="comparison")


def test_statements_do_not_grow_with_the_answers(brand, owner, zentra):
    def counted():
        with CaptureQueriesContext(connection) as captured:
            result(owner, brand)
        return len(captured)

    carried_out(owner, brand)
    few = counted()
    CompetitorFactory.create_batch(4, brand=brand)
    brand.samples = 4
    brand.save()
    Run.objects.update(created_at=timezone.now() - HOUR)
    carried_out(owner, brand)
    assert counted() == few <= 5


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_crowd_starts_one_comparison_and_pays_once(brand, owner, zentra, kryton, at_once):
    started = at_once(20, lambda index: compare(owner, brand, (zentra, kryton)[index % 2]))
    assert [each for each in started if isinstance(each, Exception)] == []
    assert sum(each.started for each in started) == 1
    assert len({each.run.pk for each in started}) == 1
    assert credits_used(brand.owner) == Run.objects.get().credits_reserved == 8
    assert (Answer.objects.count(), Prompt.objects.count(), PromptVersion.objects.count()) == (8, 4, 4)
