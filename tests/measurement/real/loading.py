"""Labels of real answers, read from the reference data: the answer and every row of it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ANSWER_FILES = ("real-answers/answers.jsonl", "real-answers/eight-topics.jsonl", "labels/more-answers.jsonl")
LABEL_FILES = ("labels/google.jsonl", "labels/others.jsonl", "labels/eight-topics.jsonl")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader said of one brand in one answer. `span` is the shortest place that decides, `occurrences` all
    places where it is truly named, None where only `span` was labelled; `why` and `rule` are as the labels' README
    lists them."""

    brand: str
    domain: str
    aliases: Sequence[str]
    is_mentioned: bool
    why: str
    rule: str | None
    rank: int | None
    stance: str | None
    is_hard: bool
    span: Span | None
    occurrences: Sequence[Span] | None


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """One answer with its rows. `topic` is what it was asked about, or the collection where that has no topics: rules
    are judged on topics that their maker did not look at. `is_complete`: every company, shop, publication and service
    of it is a row."""

    engine: str
    prompt: str
    text: str
    sources: Sequence[Mapping[str, str]]
    topic: str
    is_complete: bool
    labels: Sequence[Label]


def labelled_answers(folder: Path) -> Iterator[LabelledAnswer]:
    """All labelled answers below the folder of reference data, in the order of their files.

    Raises KeyError where a label's answer is missing.
    """
    answers = {_digest(answer["text"]): answer for name in ANSWER_FILES for answer in _rows(folder / name)}
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for name in LABEL_FILES:
        for row in _rows(folder / name):
            rows.setdefault(row["sha256"], []).append(row)
    for digest, labels in rows.items():
        answer = answers[digest]
        yield LabelledAnswer(
            engine=answer["engine"],
            prompt=labels[0]["prompt"],
            text=answer["text"],
            sources=answer.get("citations") or (),
            topic=answer["topic"] if "wording" in answer else labels[0]["set"],
            is_complete=all(row.get("complete", False) for row in labels),
            labels=[_label(row) for row in labels],
        )


def _label(row: Mapping[str, Any]) -> Label:
    span = row["span"]
    return Label(
        brand=row["brand"],
        domain=row["domain"] or "",
        aliases=row["aliases"],
        is_mentioned=row["mentioned"],
        why=row["why"],
        rule=row["rule"],
        rank=row["rank"],
        stance="unknown" if row["stance"] == "neutral" else row["stance"],
        is_hard=row["hard"],
        span=(span[0], span[1]) if span else None,
        occurrences=_places(row["occurrences"] or ()) if "occurrences" in row else None,
    )


def _places(spans: Sequence[Sequence[int]]) -> list[Span]:
    return [(start, end) for start, end in spans]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
