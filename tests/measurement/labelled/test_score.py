"""The figures on the labelled set are counted right."""

from dataclasses import dataclass

import pytest

from tests.amounts import some
from tests.measurement.labelled.loading import FILES, HALVES, JUDGE, TRAPS, Brand, Label, Passage, load
from tests.measurement.labelled.score import FIGURES, figures, misses, score, stance_table, table
from visibility.detection.types import FoundMention

TEXT = "Slack and slack and Zoom"


def passage(**fields):
    brands = tuple(Brand(key, (key.title(),), (), None, None) for key in ("slack", "zoom"))
    mentions = (Label("slack", 0, 5, "Slack"), Label("zoom", 20, 24, "Zoom"))
    basis = {
        "id": "x-01",
        "half": "tune",
        "category": "x",
        "prompt": "",
        "text": TEXT,
        "brands": brands,
        "sources": (),
    }
    expected = {"mentions": mentions, "visible": frozenset({"slack", "zoom"}), "ranks": {"slack": 1, "zoom": 2}}
    return Passage(**basis | expected | {"stances": {}} | fields)


def found(subject, start, end, rank):
    return FoundMention(subject, start, end, TEXT[start:end], rank, "exact")


@dataclass(frozen=True)
class Judged:
    subject: str
    start: int
    end: int
    rank: int
    stance: str
    rule: str = "word"


def test_a_mention_is_right_only_at_its_exact_place():
    total = score(
        [passage()], lambda _: [found("slack", 0, 5, 1), found("slack", 10, 15, 1), found("zoom", 20, 23, 2)]
    )
    assert (total.mentions.right, total.mentions.claimed, total.mentions.labelled) == (1, 3, 2)
    assert (total.mentions.precision, total.mentions.recall) == ("33.3 %", "50.0 %")
    assert (total.visible.precision, total.visible.recall) == ("100.0 %", "100.0 %")


def test_ranks_count_where_they_are_told():
    told = [found("slack", 0, 5, 1), found("zoom", 20, 24, 1)]
    assert score([passage()], lambda _: told).ranks.precision == "50.0 %"
    untold = [found("slack", 0, 5, 1), found("zoom", 20, 24, None)]
    assert score([passage()], lambda _: untold).ranks.precision == "100.0 %"


def test_without_labels_there_is_no_share():
    total = score([passage(mentions=(), visible=frozenset(), ranks={})], lambda _: [])
    assert total.row("x") == "| x | 1 | – | – | – | – | – | – |"


def test_what_is_judged_as_not_found_is_not_visible():
    labelled = passage(
        stances={"slack": "not_found", "zoom": "rejected"}, visible=frozenset({"zoom"}), ranks={"zoom": 1}
    )
    judged = [
        Judged("slack", 0, 5, 2, "not_found"),
        Judged("zoom", 20, 24, 1, "unknown"),
        Judged("zoom", 20, 24, 1, "rejected"),
    ]
    total = score([labelled], lambda _: judged)
    assert (total.visible.precision, total.visible.recall) == ("100.0 %", "100.0 %")
    assert (total.stances.recall, total.ranks.recall) == ("100.0 %", "100.0 %")


def test_the_detector_runs_over_the_set_and_shows_misses_of_one_half_only():
    passages = some(load(), 8)
    lines = table(passages).split("\n")
    assert len(lines) == 3 + len({passage.category for passage in passages})
    held_out = {passage.id for passage in passages if passage.half == HALVES[1]}
    assert not held_out & {line.split()[1] for line in misses(passages)}


def test_stances_are_counted_by_class():
    told = stance_table({("unknown", "unknown"): 3, ("recommended", "unknown"): 1, ("rejected", "rejected"): 1})
    rows = {line.split()[1]: line for line in told.split("\n")[2:]}
    assert rows["unknown"] == "| unknown | 3 | 75.0 % | 100.0 % |"
    assert rows["recommended"] == "| recommended | 1 | – | 0.0 % |"


def test_the_figures_in_the_document_are_those_of_the_detector():
    """After a change of the rules: `python -m tests.measurement.labelled.score --write`."""
    assert FIGURES.read_text(encoding="utf-8") == figures()


# What was reached on the halves that no rule was tuned on, rounded down: precision and recall of mentions, for which
# the aim is 98; then how many of the stances that are told, and of the ranks, are right. Closing lines are left out:
# most are of interfaces that were never seen in real answers, and are no longer cut.
UNSEEN = "closing"
FLOORS = {"passages": (96, 98, 87, 91), "fourth": (98, 98, 98, 98)}


@pytest.mark.parametrize(
    "path", [path for path in (*FILES, JUDGE) if path.stem in FLOORS], ids=lambda path: path.stem
)
def test_on_the_held_out_half_the_detector_is_as_good_as_it_was(path):
    judging = [passage for passage in load([path]) if passage.half == HALVES[1]]
    total = score(passage for passage in judging if passage.category != UNSEEN)
    mentions, ranks = total.mentions, total.ranks
    told = {pair: number for pair, number in total.classes.items() if pair[1] not in ("unknown", "")}
    reached = (
        100 * mentions.right / mentions.claimed,
        100 * mentions.right / mentions.labelled,
        100 * sum(number for (labelled, class_), number in told.items() if labelled == class_) / sum(told.values()),
        100 * ranks.right / ranks.claimed,
    )
    assert all(found >= floor for found, floor in zip(reached, FLOORS[path.stem], strict=True)), reached


def test_the_adversarial_passages_are_for_tuning_only_and_sound():
    traps = load([TRAPS])
    assert {passage.half for passage in traps} == {HALVES[0]}
    assert len({passage.id for passage in [*traps, *load()]}) == len(traps) + len(load())
    assert not {passage.text for passage in traps} & {passage.text for passage in load()}
