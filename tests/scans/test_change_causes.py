"""Why days cannot be compared, and what can be told of single engines all the same."""

import pytest

from tests.factories import PromptFactory
from tests.generations import tracked_names_of
from tests.scans.test_change import at, change_of, named, wordings
from tests.scans.test_scoring import run_of
from visibility.metrics.verdicts import Verdict
from visibility.models import PromptVersion
from visibility.pipeline.days.scoring import score_days
from visibility.resources.changes import Change
from visibility.services.reading.change_words import in_words

__all__ = ["wordings"]


def measure(brand, wordings, day, **engines):
    """A day with these engines, each with the prompts that name the brand."""
    run = None
    for engine, places in engines.items():
        run = run_of(brand, wordings, named(*places, of=len(wordings)), engine=engine, run=run, at=at(day))
    score_days(brand, tracked_names_of(brand), [at(day).date()])


def codes(brand, day):
    return [cause["code"] for cause in change_of(brand, day).change["causes"]]


def by_engine(brand, day):
    return {each["engine"]: each for each in change_of(brand, day).change["by_engine"]}


def test_an_engine_that_stays_is_told_of_where_another_comes(brand, wordings):
    measure(brand, wordings, 0, chat=range(2))
    measure(brand, wordings, 1, chat=range(11), sonar=range(3))
    assert codes(brand, 1) == ["engines"]
    own = by_engine(brand, 1)
    assert (own["chat"]["verdict"], own["chat"]["delta"]) == ("moved", 75.0)
    assert [cause["code"] for cause in own["sonar"]["causes"]] == ["no_score"]
    assert change_of(brand, 1).comparable is False
    words = in_words(Change.model_validate(change_of(brand, 1).change))
    assert words.startswith("not comparable: sonar counted only on this day. On chat alone it moved up 75.0 points")
    assert words.endswith("since 10 Mar 2026")
    metrics = {(each["engine"], each["metric"]) for each in change_of(brand, 1).changes}
    assert ("chat", "score") in metrics and (None, "score") not in metrics


def test_the_engines_common_to_both_days_are_compared_together(brand, wordings):
    measure(brand, wordings, 0, chat=range(2), sonar=range(2), quill=range(6))
    measure(brand, wordings, 1, chat=range(10), sonar=range(12))
    common = change_of(brand, 1).change["common"]
    assert (common["engines"], common["delta"]) == (["chat", "sonar"], 75.0)
    assert change_of(brand, 1).change["delta"] is None
    words = in_words(Change.model_validate(change_of(brand, 1).change))
    assert "With chat and sonar the score differs by +75.0 points (" in words
    assert "+0.0 points" not in words and "points are due to other engines" in words


def test_engines_that_take_turns_are_compared_with_their_own_day_before(brand, wordings):
    measure(brand, wordings, 0, chat=range(2))
    measure(brand, wordings, 1, sonar=range(3))
    measure(brand, wordings, 2, chat=range(11))
    own = by_engine(brand, 2)["chat"]
    assert (own["since"], own["delta"]) == (at(0).date().isoformat(), 75.0)
    assert Verdict(own["verdict"]) is Verdict.MOVED
    assert codes(brand, 2) == ["engines"]
    measure(brand, wordings, 0, chat=range(2), other=range(2))  # the first day is measured again, with more answers
    assert by_engine(brand, 2)["chat"]["since"] == at(0).date().isoformat()


def test_a_day_is_judged_anew_when_the_one_that_it_looks_back_to_changes(brand, wordings):
    measure(brand, wordings, 1, sonar=range(3))
    measure(brand, wordings, 2, chat=range(11))
    assert [cause["code"] for cause in by_engine(brand, 2)["chat"]["causes"]] == ["no_score"]
    measure(brand, wordings, 0, chat=range(2))
    assert by_engine(brand, 2)["chat"]["delta"] == 75.0


def test_each_cause_is_named(brand, wordings):
    measure(brand, wordings, 0, chat=range(2))
    run_of(brand, wordings, named(*range(2)), at=at(1), model="m-2")
    score_days(brand, tracked_names_of(brand), [at(1).date()])
    assert codes(brand, 1) == ["model"]
    others = [PromptFactory(brand=brand, topic=f"o{number}") for number in range(4)]
    run_of(brand, [*wordings[:8], *others], named(*range(2)), at=at(2), model="m-2")
    score_days(brand, tracked_names_of(brand), [at(2).date()])
    assert codes(brand, 2) == ["prompts"]
    [cause] = change_of(brand, 2).change["causes"]
    assert cause["message"] == "only 8 of 12 earlier prompts were asked on both days in the same wording"


def test_another_locale_is_a_cause(brand, wordings):
    measure(brand, wordings, 0, chat=range(2))
    for wording in wordings:
        PromptVersion.objects.create(prompt=wording, number=2, text=wording.text, locale="de")
        wording.version = 2
        wording.save()
    measure(brand, wordings, 1, chat=range(2))
    assert codes(brand, 1) == ["prompts", "locale"]


@pytest.mark.parametrize("first", [True, False])
def test_a_day_without_a_score_is_a_cause(brand, wordings, first):
    texts = [[*named(0, of=2), *[None] * 10], named(0)]
    for day, said in enumerate(texts if first else reversed(texts)):
        run_of(brand, wordings, said, at=at(day))
        score_days(brand, tracked_names_of(brand), [at(day).date()])
    assert codes(brand, 1) == ["no_score"]
    change = change_of(brand, 1).change
    assert change["causes"][0]["message"] == f"{at(0 if first else 1).date()} has no score to compare"
    assert change["verdict"] == "not_comparable"
