"""What scores say of their uncertainty: what would lessen it, and what of that the account's plan allows."""

import orjson
import pytest

from apikeys.caller import Caller
from apikeys.models import User
from tests.factories import DailyScoreFactory
from visibility.metrics.planning import Design, Limits, Plan, Source
from visibility.services.reading.budgets import budgets_of
from visibility.services.reading.changes import change_report
from visibility.services.reading.plan_words import CHANGE, SCORE, in_words, known_in_words, plan_in_words

SPREAD = {"rate": 0.4, "prompt_correlation": 0.66, "topic_correlation": 0.6, "source": "own"}
SCORE_BUDGET = {
    "shares": {"topic": 70.0, "sample": 30.0}, "reach": 22.0, "target": 5.0, "prompts": 20, "topics": 16,
    "samples": 3.0, "engines": 1, "branded": 10, "spread": SPREAD, "wander": None,
}  # fmt: skip
CHANGE_BUDGET = {
    **SCORE_BUDGET, "shares": {"run": 20.0, "sample": 80.0}, "reach": 25.0, "target": 10.0, "spread": None,
    "wander": {"run": 0.001, "sample": 0.2, "source": "own"},
}  # fmt: skip
SCALE = {"max_prompts_per_site": 350, "max_samples": 10, "credits_per_month": 400_000}
GROWTH = {"max_prompts_per_site": 50, "max_samples": 5, "credits_per_month": 20_000}


def read(allowed=SCALE, **kept):
    return budgets_of(orjson.dumps(kept).decode(), allowed)


def test_what_the_plan_allows_is_told_as_needed():
    score = read(score=SCORE_BUDGET).score
    assert (score.needed.topics, score.needed.wordings, score.needed.samples) == (316, 1, 2)
    assert (score.needed.prompts, score.needed.answers, score.allowed) == (316, 632, None)
    assert score.needed.reach <= 5.0 and (score.advice, score.known_from) == ("prompts", "own")
    assert score.reason == (
        "±5 points needs about 316 topics × 1 wording × 2 samples: 632 answers a scan; you have 16 topics × "
        "1.3 wordings × 3 samples, which gives ±22. 30 % of the uncertainty is chance from one answer to the next."
    )


def test_beyond_the_plan_it_says_so_and_what_is_within():
    score = read(GROWTH, score=SCORE_BUDGET).score
    assert score.needed.prompts == 316
    assert (score.allowed.prompts, score.allowed.reach > 5.0) == (40, True), "ten prompts name the brand"
    assert "That is more than the plan allows: 316 prompts, where it has room for 40." in score.reason
    assert f"The most within the plan is {score.allowed.topics} topics × 1 wording" in score.reason


def test_samples_where_they_need_hardly_more_answers():
    spread = {**SPREAD, "prompt_correlation": 0.01, "topic_correlation": 0.01}
    kept = {**SCORE_BUDGET, "topics": 60, "prompts": 60, "reach": 7.7, "target": 6.0, "spread": spread}
    score = read(score=kept).score
    assert score.advice == "samples" and (score.needed.topics, score.needed.prompts) == (60, 60)
    assert score.reason.startswith("±6 points needs about 5 samples of each of your 60 prompts: 300 answers a scan;")


def test_enough_is_enough():
    score = read(score={**SCORE_BUDGET, "reach": 4.9}).score
    assert score.advice == "enough"
    assert score.reason.startswith("Precise enough: ±4.9 points, with a target of ±5.")
    change = read(change={**CHANGE_BUDGET, "reach": 8.0}).change
    assert change.reason.startswith("Fine enough: a change of 8 points would show, with a target of 10.")


def test_a_change_has_its_own_plan():
    change = read(score=SCORE_BUDGET, change=CHANGE_BUDGET).change
    assert change.reason.startswith("Seeing a change of 10 points needs about ")
    assert "which shows changes from 25 points on. 80 % of the uncertainty is chance" in change.reason
    assert change.known_from == "own"
    assert read(score=SCORE_BUDGET, change={**CHANGE_BUDGET, "wander": None}).change.known_from == "assumed"


def test_two_days_that_are_alike_do_not_make_every_change_visible():
    """Engines that quote stored pages say the same each day: no variance at all."""
    alike = {**CHANGE_BUDGET, "shares": {}, "reach": None, "wander": {"run": 0.0, "sample": 0.0, "source": "own"}}
    change = read(score=SCORE_BUDGET, change=alike).change
    assert change.known_from == "assumed" and change.advice == "prompts"
    assert change.needed.reach == pytest.approx(10, abs=0.5)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"topics": 1}, "All prompts are on one topic"),
        ({"shares": {}, "reach": None}, "No answers differ"),
        ({"shares": {"topic": 100.0}}, "Each prompt was asked once"),
    ],
)
def test_what_stands_in_the_way_is_told(more, words):
    assert words in read(score={**SCORE_BUDGET, **more}).score.reason


def test_what_an_earlier_release_kept_says_nothing():
    kept = {"shares": {}, "reach": 4.0, "prompts_needed": 747, "samples_needed": None, "reason": "747 prompts"}
    assert read(score=kept, change=None).model_dump() == {"score": None, "change": None}


def test_an_account_without_a_plan_is_allowed_nothing():
    score = read(dict.fromkeys(SCALE), score=SCORE_BUDGET).score
    assert score.allowed is None and "The plan has no room for a panel that tells anything." in score.reason


def test_where_nothing_reaches_it():
    plan = Plan(0.1, None, False, Design(350, 1, 5), 4.5, None, None)
    words = plan_in_words(plan, Limits(350), SCORE)
    assert words.startswith(
        "±0.1 points cannot be reached, not even with 10,000 topics. The most within the plan is "
    )
    assert words.endswith("You have no prompt yet that leaves your name out.")


def test_topics_that_are_too_few_are_told():
    words = plan_in_words(Plan(5, Design(300, 1, 2), True, None, None, Design(3, 1, 3), None), Limits(), SCORE)
    assert words.endswith("; you have 3 topics, too few to tell.")


def test_designs_and_sources_in_words():
    assert in_words(Design(1, 1.26, 2.5)) == "1 topic × 1.3 wordings × 2.5 samples"
    assert "0.7 of the variance" in known_in_words(Source.ASSUMED, SCORE)
    assert "10 points (their standard deviation)" in known_in_words(Source.ASSUMED, CHANGE)
    assert "all brands of the panel" in known_in_words(Source.PANEL, CHANGE)


@pytest.mark.django_db
def test_the_plan_of_the_owner_decides_whoever_looks(cast):
    DailyScoreFactory(brand=cast.brand, budget={"score": SCORE_BUDGET, "change": None})
    plan = cast.brand.owner.plan
    for prompts, room in ((350, None), (60, 50)):
        plan.max_prompts_per_site = prompts
        plan.save()
        score = change_report(Caller.from_user(cast.viewer), brand_id=cast.brand.pk).budgets.score
        assert (score.allowed and score.allowed.prompts) == room
    User.objects.filter(pk=cast.brand.owner_id).update(own_max_prompts_per_site=40)
    score = change_report(Caller.from_user(cast.viewer), brand_id=cast.brand.pk).budgets.score
    assert score.allowed.prompts == 30
