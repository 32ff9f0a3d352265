"""Whether the brand or a rival is named more often in the same answers: beyond chance, or not."""

from datetime import date

import numpy as np
import pytest

from visibility.metrics.pairs import DayCounts
from visibility.metrics.rivalry import find_leads, places_of
from visibility.metrics.verdicts import Verdict

TOPICS, WORDINGS, SAMPLES = 17, 4, 2
DAYS = 600


def counted(chances, *, rng, topics=TOPICS, engines=2, named=None):
    """A day on which each subject is named with its chance by prompt, shaped [prompt, subject]."""
    prompts, subjects = chances.shape
    answers = np.full((engines, prompts), float(SAMPLES))
    mentioned = rng.binomial(SAMPLES, np.broadcast_to(chances, (engines, prompts, subjects))).astype(float)
    names = ("brand", *(f"rival {number}" for number in range(1, subjects)))
    engine_names = tuple(f"engine {number}" for number in range(engines))
    return DayCounts(
        day=date.min,
        subjects=names,
        engines=engine_names,
        averaged=frozenset(engine_names),
        prompts=tuple(map(str, range(prompts))),
        topics=tuple(str(number * topics // prompts) for number in range(prompts)),
        named=np.zeros((prompts, subjects), dtype=bool) if named is None else named,
        answers=answers,
        mentioned=mentioned,
        cited=np.zeros_like(mentioned),
    )


def alike(rng, subjects, topics=TOPICS):
    """Chances by topic that are drawn for each subject alike: nobody is ahead, though they differ on each topic."""
    return np.repeat(rng.beta(1.0, 2.0, (topics, subjects)), WORDINGS, axis=0)


@pytest.mark.parametrize("topics", [5, 17])
def test_where_nobody_is_ahead_hardly_anybody_is_said_to_be(topics):
    rng = np.random.default_rng(1)
    alarms = sum(
        any(lead.verdict is Verdict.MOVED for lead in find_leads(day, "brand").values())
        for day in (counted(alike(rng, 4, topics), rng=rng, topics=topics) for _ in range(DAYS))
    )
    assert alarms / DAYS <= 0.07, "5 % and what chance makes of them in so many days"


def test_the_place_lies_between_those_that_are_told():
    """Brands of 20, 35, 50 and 65 %; each may be the own one."""
    rng = np.random.default_rng(7)
    held, narrow = 0, 0
    for number in range(DAYS):
        topics = rng.beta(1.0, 1.0, TOPICS)[:, None] * 0.4 - 0.2
        chances = np.repeat(np.clip(np.array([0.2, 0.35, 0.5, 0.65]) + topics, 0, 1), WORDINGS, axis=0)
        own = number % 4
        order = [own, *(place for place in range(4) if place != own)]
        places = places_of(find_leads(counted(chances[:, order], rng=rng), "brand").values())
        held += places.best <= 4 - own <= places.worst
        narrow += places.worst - places.best < 3
    assert held / DAYS >= 0.95
    assert narrow / DAYS >= 0.9, "it tells something"


def test_where_all_are_alike_the_place_may_be_any():
    rng = np.random.default_rng(8)
    days = [places_of(find_leads(counted(alike(rng, 4), rng=rng), "brand").values()) for _ in range(DAYS)]
    assert sum((day.best, day.worst, day.count) == (1, 4, 4) for day in days) / DAYS >= 0.93


def test_intervals_of_the_difference_hold_it():
    rng = np.random.default_rng(2)
    leads = [find_leads(counted(alike(rng, 2), rng=rng), "brand")["rival 1"] for _ in range(DAYS)]
    assert sum(lead.low <= 0 <= lead.high for lead in leads) / DAYS >= 0.93


def test_a_rival_that_is_named_more_often_on_most_topics_is_ahead_though_intervals_would_overlap():
    rng = np.random.default_rng(3)
    own = np.repeat(rng.beta(1.0, 1.0, TOPICS) * 0.7, WORDINGS)
    day = counted(np.stack([own, own + 0.25], axis=1), rng=rng)
    lead = find_leads(day, "brand")["rival 1"]
    assert lead.is_behind and not lead.is_ahead
    assert lead.low < lead.delta < lead.high < 0 and -40 < lead.delta < -10
    assert lead.least is not None and 0 < lead.least < -lead.delta


def test_a_difference_that_could_not_have_shown_is_not_called_none():
    rng = np.random.default_rng(4)
    lead = find_leads(counted(alike(rng, 2, topics=3), rng=rng, topics=3), "brand")["rival 1"]
    assert lead.verdict is Verdict.CANNOT_DETECT


@pytest.mark.parametrize("topics", [1, 2, 3])
def test_on_a_few_topics_the_answers_to_exactly_these_questions_tell(topics):
    """Nobody is ahead over all questions, though on each; and who is in all answers, beside who is in a third."""
    rng = np.random.default_rng(9)
    alarms = 0
    for _ in range(DAYS):
        half = rng.beta(1.0, 1.0, (topics * WORDINGS // 2, 2))
        day = counted(np.concatenate([half, half[:, ::-1]]), rng=rng, topics=topics)
        alarms += find_leads(day, "brand")["rival 1"].verdict is Verdict.MOVED
    assert alarms / DAYS <= 0.07
    certain = np.tile([1.0, 0.3], (topics * WORDINGS, 1))
    leads = [find_leads(counted(certain, rng=rng, topics=topics), "brand")["rival 1"] for _ in range(100)]
    assert sum(lead.is_ahead for lead in leads) >= 95


def test_prompts_that_name_either_count_for_neither():
    rng = np.random.default_rng(5)
    chances = np.tile([0.9, 0.1], (TOPICS * WORDINGS, 1))
    named = np.zeros(chances.shape, dtype=bool)
    named[:, 1] = True
    lead = find_leads(counted(chances, rng=rng, named=named), "brand")["rival 1"]
    assert lead.verdict is Verdict.NOT_COMPARABLE and lead.delta is None


def test_nobody_else_and_no_answers_give_no_leads():
    rng = np.random.default_rng(6)
    assert find_leads(counted(alike(rng, 1), rng=rng), "brand") == {}
    assert find_leads(counted(alike(rng, 2), rng=rng), "somebody") == {}
