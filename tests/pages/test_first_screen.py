"""The first screen of a brand's page: what it says is what the services say, in plain words."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from tests.pages.charted import item, measured
from visibility.metrics.rivalry import Lead
from visibility.metrics.verdicts import Verdict
from visibility.pages.present.charts.series import Series
from visibility.pages.present.first_screen import engine_lines, pulse_of, topic_ends
from visibility.services.overview.page import TopicRow
from visibility.services.overview.verdict import Good, good_or_not

AHEAD = Lead(Verdict.MOVED, 12.0, 4.0, 20.0)
BEHIND = Lead(Verdict.MOVED, -12.0, -20.0, -4.0)
SMALL = Lead(Verdict.WITHIN_NOISE, 1.0, -2.0, 4.0)
BLIND = Lead(Verdict.CANNOT_DETECT, -3.0, -30.0, 24.0, 37.4)
UNTOLD = Lead(Verdict.CANNOT_DETECT, -3.0, None, None)
UNCOMPARABLE = Lead(Verdict.NOT_COMPARABLE, None, None, None)
NAMES = {"a": "Blitz", "b": "Cargo", "c": "Dyno", "d": "Eagle"}
AT = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("leads", "verdict", "words"),
    [
        ([AHEAD, AHEAD], Good.AHEAD, "Yes: ahead of all 2 rivals. In the same answers named 12.0 points (4.0 to"),
        ([AHEAD], Good.AHEAD, "Yes: ahead of Blitz. In the same answers named 12.0 points (4.0 to 20.0) more often,"),
        ([AHEAD, BLIND], Good.FRONT, "Yes: nobody is ahead beyond chance. You are ahead of Blitz; what lies between"),
        ([SMALL, SMALL], Good.LEVEL, "Level with Blitz and Cargo. A difference of ten points would have shown."),
        (
            [SMALL, BLIND],
            Good.OPEN,
            "Undecided: second of 3 brands, though chance allows any place. What lies between you and Cargo and "
            "Blitz may be chance: the smallest lead that would show is 37 points.",
        ),
        (
            [UNTOLD],
            Good.OPEN,
            "Undecided: second of 3 brands, though chance allows either place. What lies between you",
        ),
        ([BEHIND, AHEAD, BLIND], Good.BEHIND, "Not yet: behind Blitz. In the same answers named 12.0 points (4.0 to"),
        ([BEHIND] * 4, Good.BEHIND, "Not yet: behind Blitz, Cargo and 2 others."),
        ([BEHIND] * 3, Good.BEHIND, "Not yet: behind Blitz, Cargo and Dyno."),
        ([], Good.ALONE, "That takes a rival to hold it against."),
    ],
)
def test_whether_it_is_good_is_told_by_the_rivals_in_the_same_answers(leads, verdict, words):
    good = good_or_not(dict(zip(NAMES, leads, strict=False)), NAMES, "second of 3 brands")
    assert good.verdict is verdict
    assert f"{good.answer} {good.because}".startswith(words)


@pytest.mark.parametrize(
    ("leads", "place"),
    [
        ([BEHIND, AHEAD, BLIND], "Your place: second or third of 4."),
        ([BEHIND, BEHIND, AHEAD], "Your place: third of 4."),
        ([BEHIND, BLIND, SMALL], "Your place: second to fourth of 4."),
        ([AHEAD, BLIND, SMALL], "Your place: first to third of 4."),
        ([AHEAD, BLIND, UNCOMPARABLE], "Your place: first to third of 4."),
    ],
)
def test_the_place_lies_behind_all_who_are_ahead_and_before_all_who_are_behind(leads, place):
    assert good_or_not(dict(zip(NAMES, leads, strict=False)), NAMES).because.endswith(f" {place}")


def test_a_rival_that_cannot_be_compared_says_nothing():
    assert good_or_not({"a": UNCOMPARABLE}, NAMES).verdict is Good.ALONE


def engine(name, score, low, high):
    return SimpleNamespace(engine=name, score=score, low=low, high=high)


@pytest.mark.parametrize(
    ("engines", "words"),
    [
        ([], "No engine has a score now."),
        ([engine("chatgpt", 40.0, 30.0, 50.0)], "ChatGPT alone is measured."),
        ([engine("chatgpt", 40.0, 30.0, 50.0), engine("gpt", 40.0, 30.0, 50.0)], "All name you equally often."),
        (
            [engine("chatgpt", 60.0, 51.0, 70.0), engine("google_ai_mode", 40.0, 30.0, 50.0)],
            "Google AI Mode, beyond chance: intervals lie apart.",
        ),
        (
            [engine("chatgpt", 60.0, 50.0, 70.0), engine("google_ai_mode", 40.0, 30.0, 50.0)],
            "Google AI Mode, but it may be chance: intervals overlap.",
        ),
        (
            [engine("chatgpt", 60.0, None, None), engine("google_ai_mode", 40.0, 30.0, 50.0)],
            "Google AI Mode, but it may be chance: intervals overlap.",
        ),
    ],
)
def test_the_worst_engine_stands_first_and_is_called_so_only_beyond_chance(engines, words):
    series = [Series(row.engine, [measured(0, row.score)], key=row.engine) for row in engines]
    shown = engine_lines(SimpleNamespace(engines=engines), series)
    assert shown.words == words
    assert [line.key for line in shown.lines] == [row.engine for row in sorted(engines, key=lambda row: row.score)]


def test_engines_beyond_the_first_few_are_counted_and_a_bare_engine_without_days_is_shown():
    shown = engine_lines(SimpleNamespace(engines=[engine(f"e{n}", float(n), None, None) for n in range(7)]), [])
    assert len(shown.lines) == 4 and shown.more == 3 and shown.lines[0].spark.words == "Not measured yet"


def topic(name, own, rival):
    side = lambda score: SimpleNamespace(score=score, named=0, answers=1)  # noqa: E731
    return TopicRow(name, name, side(own), side(rival))


def test_each_topic_stands_at_one_end():
    rows = [topic("far behind", 10.0, 90.0), topic("ahead", 80.0, 20.0), topic("level", 50.0, 50.0)]
    ends = topic_ends(rows)
    assert [row.topic for row in ends.weakest] == ["far behind"]
    assert [row.topic for row in ends.strongest] == ["ahead"]
    assert [row.topic for row in topic_ends([rows[1]]).strongest] == ["ahead"]
    assert topic_ends([]).strongest == [] and topic_ends([]).weakest == []


def run(status="succeeded", *, finished=True, message=""):
    error = SimpleNamespace(message=message) if message else None
    progress = SimpleNamespace(percent=40.0)
    return SimpleNamespace(
        kind="visibility", status=status, finished_at=AT if finished else None, error=error, progress=progress
    )


@pytest.mark.parametrize(
    ("next_scan", "runs", "coming", "broken"),
    [
        (None, [], "no scan is planned", ""),
        (AT + timedelta(hours=21), [run()], "next scan 11 Mar 2026 09:00 UTC", ""),
        (AT - timedelta(hours=1), [run()], "next scan 10 Mar 2026 11:00 UTC", ""),
        (AT - timedelta(hours=3), [run()], "next scan 10 Mar 2026 09:00 UTC", "The next scan is late"),
        (None, [run(finished=False)], "a scan is under way (40 %)", ""),
        (None, [run("failed", message="The engine was silent.")], "no scan is planned", "The latest scan failed:"),
        (None, [run(), run("failed", message="Long ago.")], "no scan is planned", ""),
    ],
)
def test_the_pulse_says_what_comes_and_what_is_broken(next_scan, runs, coming, broken):
    pulse = pulse_of(SimpleNamespace(next_run_at=next_scan), item(0, 1.0), runs, AT)
    assert pulse.measured == "Measured 1 Mar 2026" and pulse.coming == coming
    assert pulse.broken.startswith(broken) and bool(pulse.broken) is bool(broken)


def test_how_long_ago_is_that_of_the_day_that_is_named():
    """Engines may have been asked last on a day before it."""
    brand, older = SimpleNamespace(next_run_at=None), item(0, 1.0)
    assert pulse_of(brand, older, [], AT).ago == ""
    assert pulse_of(brand, older, [], AT + timedelta(days=90)).ago == "99 days ago"
