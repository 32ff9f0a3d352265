"""Changes on record: one row each, the same whatever the order of days, followed until they are over."""

from random import Random

import pytest

from tests.factories import CompetitorFactory, PromptFactory, RunFactory
from tests.generations import tracked_names_of
from tests.scans.history import ended_run
from tests.scans.test_change import at, named
from tests.scans.test_development import noisy
from tests.scans.test_scoring import NAMED, run_of
from visibility.models import Answer, AuditPage, ChangeRecord, Run
from visibility.pipeline.days.scoring import score_days
from visibility.resources.change_records import ChangeContent

PROMPTS = 14
IGNORED = ("id", "generation_id", "brand_id")


@pytest.fixture
def many(brand):
    return [PromptFactory(brand=brand, text=f"which is good, number {n}?", topic=f"t{n}") for n in range(PROMPTS)]


def answered(brand, many, shares, engine="chat"):
    """Runs of these days, each naming the brand in so many answers; not scored yet."""
    for day, share in shares.items():
        run_of(brand, many, named(*noisy(share, day, PROMPTS), of=PROMPTS), at=at(day), engine=engine)


def score(brand, *days):
    score_days(brand, tracked_names_of(brand), [at(day).date() for day in days])


def records(**more):
    rows = ChangeRecord.objects.filter(**more).order_by("of", "engine", "topic", "began").values()
    return [{key: value for key, value in row.items() if key not in IGNORED} for row in rows]


def day(number):
    return at(number).date()


def test_a_confirmed_change_is_one_record_of_the_score_and_one_of_its_engine(brand, many):
    answered(brand, many, dict.fromkeys(range(6), 10) | dict.fromkeys(range(6, 12), 2))
    score(brand, *range(12))
    of_engine, of_score = records(of__in=("engine", "score"))
    assert (of_engine["engine"], of_score["engine"]) == ("chat", "")
    assert {key: of_engine[key] for key in ("before", "after", "delta", "low", "high")} == {
        key: of_score[key] for key in ("before", "after", "delta", "low", "high")
    }
    assert (of_score["direction"], of_score["known_by"], of_score["state"]) == ("down", "confirmed", "holds")
    assert (of_score["began"], of_score["known_on"], of_score["after_day"]) == (day(6), day(7), day(11))
    assert (of_score["before_first"], of_score["before_last"], of_score["before_days"]) == (day(0), day(5), 6)
    assert (of_score["before"], of_score["after"]) == (78.57, 21.43)
    assert of_score["low"] < of_score["delta"] == -57.14 < of_score["high"]
    assert of_score["prompts_changed"] == 0
    assert of_score["told_until"] == day(35)


def test_a_change_ends_on_the_second_day_that_is_back_and_not_on_one(brand, many):
    answered(brand, many, dict.fromkeys(range(6), 11) | dict.fromkeys(range(6, 10), 1) | {10: 11, 11: 1, 12: 11})
    score(brand, *range(13))
    [fall] = records(of="score")
    assert (fall["state"], fall["after_day"]) == ("holds", day(12))
    answered(brand, many, {13: 11})
    score(brand, 13)
    fall, *_ = records(of="score")
    assert (fall["state"], fall["state_since"], fall["told_until"]) == ("recovered", day(12), day(13))
    answered(brand, many, {14: 11})
    score(brand, 14)
    assert fall in records(of="score"), "what is over stays as it was"


def test_a_change_that_goes_on_says_so(brand, many):
    answered(brand, many, dict.fromkeys(range(6), 13) | dict.fromkeys(range(6, 15), 7) | {15: 0, 16: 0})
    score(brand, *range(16))
    assert [row["state"] for row in records(of="score")] == ["holds"]
    score(brand, 16)
    [fall] = records(of="score")
    assert (fall["state"], fall["state_since"], fall["after_day"]) == ("went_on", day(15), day(16))
    assert (fall["began"], fall["told_until"]) == (day(6), day(35))


def test_a_slow_decline_is_known_by_the_monitor(brand, many):
    answered(brand, many, {number: max(0, 13 - number // 2) for number in range(26)})
    score(brand, *range(26))
    [decline, *_] = records(of="score")
    assert decline["known_by"] == "monitor" and decline["delta"] < -10
    assert decline["before"] + decline["delta"] + decline["prompts_changed"] == pytest.approx(decline["after"])


def test_other_prompts_stand_apart(brand, many):
    answered(brand, many, dict.fromkeys(range(6), 11) | dict.fromkeys(range(6, 9), 1))
    others = [PromptFactory(brand=brand, topic=f"o{number}") for number in range(10)]
    run_of(brand, [*many[:10], *others], named(*range(2, 12), of=20), at=at(9))
    score(brand, *range(10))
    [fall] = records(of="score")
    assert (fall["after"], fall["after_day"]) == (50.0, day(9))
    assert fall["delta"] == -20, "on the ten prompts that both have"
    assert fall["prompts_changed"] == pytest.approx(50 - fall["before"] + 20)
    assert fall["before"] + fall["delta"] + fall["prompts_changed"] == pytest.approx(fall["after"], abs=1e-9)
    for partition in ("topics", "engines", "wordings"):
        assert sum(part["points"] for part in fall["content"][partition]) == pytest.approx(-20, abs=1e-9)


def test_a_model_that_changed_ends_what_can_be_followed(brand, many):
    answered(brand, many, dict.fromkeys(range(6), 11) | dict.fromkeys(range(6, 9), 1))
    run_of(brand, many, named(*range(12), of=PROMPTS), at=at(9), model="m-2")
    score(brand, *range(10))
    [fall] = records(of="score")
    assert fall["after_day"] == day(8)


def test_the_order_in_which_days_come_does_not_matter(brand, many):
    shares = dict.fromkeys(range(6), 11) | dict.fromkeys(range(6, 9), 1) | dict.fromkeys(range(9, 15), 11)
    shares |= dict.fromkeys(range(45, 50), 11) | dict.fromkeys(range(50, 54), 2)
    answered(brand, many, shares)
    score(brand, *shares)
    expected = records()
    assert len({row["began"] for row in expected}) >= 3
    for number in sorted(shares, reverse=True):
        score(brand, number)
    assert records() == expected, "scored again, the latest first"
    Run.objects.update(status="cancelled")
    score(brand, *shares)
    assert not ChangeRecord.objects.exists(), "no day, no record"
    Run.objects.update(status="succeeded")
    for number in Random(7).sample(sorted(shares), len(shares)):
        score(brand, number)
    assert records() == expected, "measured one by one in any order"


def test_a_topic_that_falls_by_itself_is_a_record_of_its_own(brand):
    questions = [PromptFactory(brand=brand, text=f"question {n}?", topic=f"t{n // 6}") for n in range(24)]
    for number in range(16):
        others = set(range(6, 24, 3)) ^ {6 + number % 3}
        run_of(brand, questions, named(*others, *(range(6) if number < 14 else ()), of=24), at=at(number))
    score(brand, *range(16))
    [fall] = records(of="topic")
    assert (fall["topic"], fall["direction"], fall["began"], fall["known_on"]) == ("t0", "down", day(14), day(15))
    assert (fall["before"], fall["after"], fall["delta"]) == (100, 0, -100)
    assert [part["key"] for part in fall["content"]["topics"]] == ["t0"]
    assert len(fall["content"]["wordings"]) == 6


def test_what_went_with_a_change_and_what_is_known_to_be_a_cause(brand, many):
    rival = CompetitorFactory(brand=brand, name="Rival")
    page = "https://acme.example/guide"
    for number in range(9):
        own = noisy(11 if number < 6 else 1, number, PROMPTS)
        texts = [NAMED if place in own else "Rival is a good choice." for place in range(PROMPTS)]
        cited = [[page] if place in own else ["https://other.example/x"] for place in range(PROMPTS)]
        cited = cited if number < 6 else [["https://other.example/x"]] * PROMPTS
        ended_run(brand, many, day=number, texts=texts, cited=cited)
    run = RunFactory(brand=brand, kind="audit", status="succeeded")
    AuditPage.objects.create(run=run, url=page, position=1, state="aside", fetched={"status": 404}, fetched_at=at(7))
    score(brand, 8)
    [fall] = records(of="score")
    content = fall["content"]
    assert [(row["key"], row["before"] < 25, row["after"] > 80) for row in content["competitors"]] == [
        (str(rival.pk), True, True)
    ]
    assert {row["key"]: row["points"] > 0 for row in content["sources"]} == {
        "acme.example": False, "other.example": True,
    }  # fmt: skip
    [cause] = content["known_causes"]
    assert (cause["url"], cause["day"]) == (page, day(7).isoformat())
    for partition in ("topics", "engines", "wordings"):
        assert sum(part["points"] for part in content[partition]) == pytest.approx(fall["delta"], abs=1e-9)
        for part in content[partition][:3]:
            before, after = part["answers"]
            assert (before["named"], after["named"], after["day"]) == (True, False, day(8).isoformat())
            answers = Answer.objects.in_bulk([before["answer"], after["answer"]])
            assert {answer.prompt_id for answer in answers.values()} == {
                Answer.objects.get(pk=after["answer"]).prompt_id
            }
    assert ChangeContent.model_validate(content)
