"""The demo as somebody meets it: sixty days, one fall with its cause, answers that pages really gave."""

import asyncio
import json
import re
from datetime import UTC, date, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from apikeys.accounts.operators import system_caller
from brands.models import Brand
from tests.factories import BrandFactory
from tests.live import own_database
from tests.mcp.conftest import PREFIX, Agent, whole_endpoint
from visibility.audits.reads import read_audit, read_findings
from visibility.audits.run import audit
from visibility.audits.services import start_audit
from visibility.demo.content import read_content
from visibility.demo.seeding import DAYS
from visibility.demo.site import FOLDER, _make_run, audit_site
from visibility.engines import Question
from visibility.jobs import defer_what_is_missing
from visibility.models import (
    Answer,
    ChangeRecord,
    DailyScore,
    Engine,
    Page,
    Prompt,
    PromptVersion,
    Recommendation,
    Run,
    Topic,
)
from visibility.recommendations.advise import recommend
from visibility.recommendations.cards import show
from visibility.runs.engines import engines_of, open_engine
from visibility.runs.services import run_in_the_way
from visibility.scores.change_reads import changes_of

LINE = re.compile(r"- (.+) \[\d+\]")


def seed() -> str:
    """What the command prints."""
    printed = StringIO()
    call_command("seed_demo", stdout=printed)
    return printed.getvalue()


@pytest.fixture(scope="module")
def printed(django_db_setup, django_db_blocker):
    """What was printed when the demo was seeded, once for all tests of this file, in a database of their own."""
    with django_db_blocker.unblock(), own_database():
        yield seed()


@pytest.fixture
def brand(printed) -> Brand:
    return Brand.objects.get()


def day_of(number: int) -> date:
    today = Run.objects.newest()[0].day
    return today - timedelta(DAYS + 1 - number)


def test_sixty_days_up_to_yesterday_are_measured_and_today(brand):
    scores = DailyScore.objects.of_brand(brand).exclude(date=None).order_by("date")
    today = timezone.now().astimezone(UTC).date()
    assert [score.date for score in scores] == [today - timedelta(back) for back in range(DAYS, -1, -1)]
    assert all(score.low < score.score < score.high for score in scores)
    assert not Run.objects.exclude(status=Run.Status.SUCCEEDED).exists()


def test_one_fall_is_reported_with_its_cause_and_its_parts_sum_to_it(brand):
    record = ChangeRecord.objects.get()
    assert (record.began, record.known_by, record.state, record.engine) == (day_of(40), "confirmed", "holds", "")
    assert record.delta < -20 and record.high < 0 and record.reported_until > day_of(DAYS)
    for name, parts in record.parts.items():
        total = sum(part["points"] for part in parts)
        rounding = 0.011 if parts[-1]["key"] is None else 0.005 * len(parts)
        assert total == pytest.approx(record.delta, abs=rounding), name
    [change] = changes_of(brand, day_of(1), day_of(DAYS), full=True)
    text = change.model_dump_json(by_alias=True)
    assert "Velmora" in text and "norrvik-guide.example" in text
    moved = DailyScore.objects.of_brand(brand).filter(change__verdict="moved")
    assert [score.date for score in moved] == [record.began]


def test_the_guide_that_went_is_cited_up_to_the_fall_and_never_after(brand):
    own = Answer.objects.filter(citations__domain="norrvik-guide.example").order_by("day")
    days = set(own.values_list("day", flat=True))
    assert min(days) == day_of(1) and max(days) == day_of(39)


def test_answers_quote_the_pages_of_their_day_word_for_word(brand):
    content = read_content()
    for number in range(1, DAYS + 2):
        pages = content.pages_on(number)
        answers = Answer.objects.filter(day=day_of(number)).only("text", "sources")
        assert answers
        for answer in answers:
            lines = LINE.findall(answer.text)
            assert len(lines) == len(answer.sources) >= 3
            for line, source in zip(lines, answer.sources, strict=True):
                sentences = re.split(r"(?<=[.!?]) ", line)
                page = " ".join(pages[source["url"]].text.split())
                assert all(sentence in page for sentence in sentences)
                assert answer.text[source["start"] : source["end"]] == line


def test_the_engines_give_the_same_answers_over_the_pages_of_a_day(brand):
    content = read_content()
    versions = list(PromptVersion.objects.order_by("pk")[::4])

    async def ask_all():
        engines = [open_engine(reached, brand.pk) for reached in await asyncio.to_thread(engines_of, brand)]
        questions = [(version.pk, engine) for version in versions for engine in engines]
        texts = {version.pk: version.text for version in versions}
        return {(pk, engine.name): (await engine.ask(Question(texts[pk]))).text for pk, engine in questions}

    for number in (7, 41, DAYS + 1):  # the last is today, whose pages stay
        Page.objects.all().delete()
        for page in content.pages_on(number).values():
            day = day_of(page.appears)
            Page.objects.create(brand=brand, url=page.url, title=page.title, text=page.text, published_on=day)
        stored = Answer.objects.filter(day=day_of(number), version__in=versions).select_related("engine")
        assert asyncio.run(ask_all()) == {(each.version_id, each.engine.name): each.text for each in stored}


def test_the_audit_names_the_defects_that_its_site_has(brand):
    caller = system_caller("command:tests")
    scores = read_audit(caller, brand.pk)
    assert (scores.run.status, scores.run.progress.done) == ("succeeded", 7) and scores.overall < 90
    assert [defect.check for defect in scores.critical_defects] == ["ACC-01"]
    found = {finding.check: finding for finding in read_findings(caller, brand.pk).findings}
    assert list(found) == ["ACC-01", "SCH-04", "REN-03", "DIS-06"]
    assert "OAI-SearchBot" in found["ACC-01"].finding and "robots.txt line 4" in found["ACC-01"].evidence[0].where
    assert "2,890" in found["SCH-04"].finding and "/help/battery" in found["DIS-06"].evidence[0].quote
    recommend(brand)  # as the worker does after every audit
    cards = Recommendation.objects.filter(brand=brand, kind__in=("blocked", "hygiene"))
    assert [card.subject for card in cards.filter(kind="blocked")] == ["ACC-01"]
    words = " ".join(f"{card.subject} {show(card, brand).fact}" for card in cards)
    assert all(check in words or finding.title in words for check, finding in found.items())


def test_the_site_says_what_the_engines_quote_of_it(brand):
    for url, page in read_content().pages_on(DAYS + 1).items():
        path = url.removeprefix(f"https://{brand.domain}/")
        if path != url:
            assert page.text in (FOLDER / f"{path}.html").read_text()


def test_the_site_is_audited_once_and_no_other_audit_reaches_it(brand):
    audit_site(system_caller("command:tests"), brand)
    assert Run.objects.filter(kind=Run.Kind.AUDIT).count() == 1
    again = start_audit(system_caller("command:tests"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR).run
    asyncio.run(audit(again.pk))
    again.refresh_from_db()
    assert (again.status, again.error_code) == ("failed", "site_unreachable")


@pytest.mark.django_db
def test_a_worker_leaves_an_audit_alone_that_the_command_carries_out():
    run = _make_run(system_caller("command:tests"), BrandFactory())
    defer_what_is_missing()
    [job] = ProcrastinateJob.objects.filter(args__run_id=str(run.pk))
    assert job.scheduled_at > timezone.now()


def test_topics_are_decided_but_for_one(brand):
    assert list(Topic.objects.filter(own=False).values_list("name", flat=True)) == ["children"]
    assert list(Topic.objects.filter(own=None).values_list("name", flat=True)) == ["train"]
    assert Topic.objects.filter(own=True).count() >= 5
    assert not Topic.objects.filter(own=None).exclude(decided_at=None).exists()


def test_a_scan_can_be_started_at_once(brand):
    assert run_in_the_way(brand, Run.Kind.VISIBILITY) is None
    assert {reached.engine.name for reached in engines_of(brand)} == {"local-search", "local-search-recent"}
    assert Brand.objects.get().counted_version == brand.names_version


def test_the_printed_calls_work(brand, printed, rest):
    key = re.search(r"bvs_live_\w+", printed)[0]
    answer = rest.call("GET", re.search(r"http://127.0.0.1:8000(/api/v1/brands/\S+)", printed)[1], key)
    assert [day["date"] for day in answer.json()["trend"]][-1] == day_of(DAYS + 1).isoformat()
    message = json.loads(re.search(r"-d '(.+)'", printed)[1])
    brief = Agent(whole_endpoint()).call(key, "get_site_brief", message["params"]["arguments"])
    assert message["params"]["name"] == f"{PREFIX}get_site_brief" and brief.structured_content["siteId"] == str(
        brand.pk
    )


def test_seeding_again_renews_passwords_and_key_only(brand, printed):
    tables = (Brand, Prompt, Page, Run, Answer, DailyScore, ChangeRecord, Engine)
    before = [table.objects.count() for table in tables]
    again = seed()
    assert [table.objects.count() for table in tables] == before
    secrets = [set(re.findall(r"bvs_live_\w+|(?<=example\.com   )\S+", text)) for text in (printed, again)]
    assert len(secrets[0]) == 3 and not secrets[0] & secrets[1]
