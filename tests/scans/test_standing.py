"""Every figure of a measured day: what detection stores for them, what scoring makes of it, and who may read it."""

from datetime import UTC, date, datetime

import pytest
from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from brands.services.access import readable_brand
from brands.services.names import replace_domains
from tests.factories import AnswerFactory, ApiKeyFactory, CompetitorFactory, DailyScoreFactory, RunFactory
from tests.generations import tracked_names_of
from tests.scans.history import rescored
from visibility.models import Answer, Citation, DailyScore, Run
from visibility.pipeline.days.scoring import score_days
from visibility.pipeline.detect.detecting import analyse
from visibility.services.reading.figures import figures_and_changes

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 10)
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
OWN, OTHER, RIVALS = "https://acme.example/a", "https://press.example/b", "https://rival.example/c"
# Three words longer than two characters support the own page, then eight the press's.
TEXT = "Acme builds bikes [1]. Many other good makers build cheap ones too [2]."


@pytest.fixture
def brand(cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    return cast.brand


def standing(caller, brand):
    return figures_and_changes(caller, readable_brand(caller, brand.pk))[2]


def sources(*urls):
    return [{"url": url, "title": "t", "start": None, "end": None} for url in urls]


def measured(brand, answers, *, run=None, at=NOON):
    """A run with these (prompt, engine, text, urls), analysed and scored."""
    run = run or RunFactory(brand=brand, created_at=at)
    for number, (prompt, engine, text, urls) in enumerate(answers):
        AnswerFactory(
            run=run, prompt=prompt, engine=engine, sample=number + 1, text=text, sources=sources(*urls),
            answered_at=at, served_model="m",
        )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(total=len(answers), done=len(answers))
    tracked = tracked_names_of(brand)
    list(analyse(tracked, run, transaction.atomic))
    score_days(brand, tracked, [at.date()])
    return run


def test_citations_keep_what_they_support_and_how_much_they_carry(brand, wordings):
    measured(brand, [(wordings[0], "chat", TEXT, [OWN, OTHER, RIVALS])])
    own, press, rivals = Citation.objects.order_by("position")
    assert [TEXT[start:end] for start, end in own.spans] == ["Acme builds bikes [1]."]
    assert [TEXT[start:end] for start, end in press.spans] == ["Many other good makers build cheap ones too [2]."]
    assert rivals.spans == []
    # Words × e^(-i/(S-1)): 3 × 1 and 8 × e^-1.
    assert own.impression == pytest.approx(3 / (3 + 8 * 0.36787944), abs=1e-6)
    assert own.impression + press.impression == pytest.approx(1, abs=2e-6)
    assert rivals.impression == 0
    assert 0 < own.impression_published < 1


def test_engine_offsets_decide_what_is_supported(brand, wordings):
    run = RunFactory(brand=brand, created_at=NOON)
    source = {"url": OWN, "title": "", "start": 24, "end": 30}
    AnswerFactory(run=run, prompt=wordings[0], text="Nothing of this is told. Acme is, though.", sources=[source])
    list(analyse(tracked_names_of(brand), run, transaction.atomic))
    assert Citation.objects.get().spans == [[25, 41]]
    assert Citation.objects.get().impression == 1


def test_the_figures_of_a_day_by_hand(brand, wordings, cast):
    listed = f"1. Acme\n2. Norbike\n\n{TEXT}"
    answers = [(prompt, "chat", text, [OWN, OTHER]) for prompt in wordings for text in (listed, "1. Rival\n2. Acme")]
    answers += [(prompt, "plain", "Rival.", []) for prompt in wordings]
    measured(brand, answers)
    report = standing(Caller.from_user(cast.viewer), brand)
    assert (report.as_of, [each.name for each in report.subjects]) == (DAY, ["Acme", "Rival"])
    acme = report.subjects[0]
    chat, plain = acme.engines
    assert (chat.engine, chat.score.value, chat.answers, chat.topics) == ("chat", 100, 10, 5)
    assert chat.reciprocal_rank.value == 75  # first in one answer, second in the other
    assert (chat.top_three.value, chat.average_position, chat.mentions) == (100, 1.5, 10)
    assert (chat.citation_share, chat.own_citations, chat.citations) == (50, 10, 20)
    # The second answer of each prompt has no markers: nothing in it is supported, and each of two sources gets half.
    first = Citation.objects.filter(owner="own").order_by("answer__position").first()
    assert chat.impression_share.value == pytest.approx(50 * first.impression, abs=0.01)
    assert chat.impression_share_published.value == pytest.approx(50 * (first.impression_published + 0.5), abs=0.01)
    assert (chat.agreement, chat.mentioned_again, chat.repeated_prompts) == (50, 100, 5)
    assert (chat.share_of_voice.value, chat.prominence.value, chat.citation_rate.value) == (66.67, 81.55, 100)
    assert chat.share_of_voice.low < 66.67 < chat.share_of_voice.high
    assert (plain.score.value, plain.citation_share, plain.impression_share.value) == (0, None, None)
    assert (plain.mentions, plain.average_position, plain.agreement) == (0, None, None)
    assert acme.overall.score.value == 50
    assert acme.overall.citation_share == 50, "the mean of the engines that cite anything"
    assert (acme.overall.reciprocal_rank.value, acme.overall.agreement) == (37.5, 50)
    assert acme.overall.share_of_voice.value == pytest.approx(33.33, abs=0.01)


def test_an_engine_that_did_not_count_has_no_figures(brand, wordings, cast):
    run = RunFactory(brand=brand, created_at=NOON)
    for prompt in wordings[1:4]:
        AnswerFactory(run=run, prompt=prompt, engine="broken", state=Answer.State.FAILED, text="")
    measured(brand, [(prompt, "broken", TEXT, [OWN]) for prompt in wordings[:1]], run=run)
    [engine] = standing(Caller.from_user(cast.owner), brand).subjects[0].engines
    assert (engine.score.value, engine.citation_share, engine.mentions, engine.answers) == (None, None, 0, 1)


def test_a_new_domain_of_the_brand_changes_the_shares_of_history(brand, wordings, cast):
    measured(brand, [(prompt, "chat", TEXT, [OWN, OTHER]) for prompt in wordings])
    replace_domains(system_caller("test"), brand=brand, domains=["press.example"])
    rescored(brand)
    [own, _] = standing(Caller.from_user(cast.owner), brand).subjects
    assert (own.overall.citation_share, own.overall.impression_share.value) == (100, 100)


def test_scoring_again_changes_nothing(brand, wordings):
    run = measured(brand, [(prompt, "chat", TEXT, [OWN, OTHER]) for prompt in wordings])
    before = list(DailyScore.objects.order_by("competitor").values_list("details", flat=True))
    score_days(brand, tracked_names_of(brand), [DAY])
    assert list(DailyScore.objects.order_by("competitor").values_list("details", flat=True)) == before
    run.delete()
    score_days(brand, tracked_names_of(brand), [DAY])
    assert not DailyScore.objects.exists()


def test_statements_do_not_grow_with_the_competitors(brand, wordings, cast, django_assert_max_num_queries):
    CompetitorFactory.create_batch(10, brand=brand)
    measured(brand, [(prompt, "chat", TEXT, [OWN]) for prompt in wordings])
    with django_assert_max_num_queries(12):
        report = standing(Caller.from_user(cast.owner), brand)
    assert len(report.subjects) == 12


def test_who_may_read_it(brand, cast):
    DailyScoreFactory(brand=brand, date=DAY)
    with pytest.raises(ServiceError, match="Nothing is here"):
        standing(Caller.from_user(cast.stranger), brand)
    with pytest.raises(ServiceError, match="read:visibility"):
        key = ApiKeyFactory(owner=cast.owner, scopes=["read:sites"])
        standing(Caller.from_key(key), brand)


def test_rows_without_details(brand, cast):
    DailyScoreFactory(brand=brand, date=DAY)
    found = standing(Caller.from_user(cast.owner), brand).subjects[0]
    assert (found.overall.score.value, found.overall.citation_share, found.engines[0].score.value) == (40, None, 40)
