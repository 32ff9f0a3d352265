"""Labels of real answers, read from the reference data: each answer with what other hands say of it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ANSWER_FILES = ("real-answers/answers.jsonl", "real-answers/eight-topics.jsonl", "labels/more-answers.jsonl")
LABEL_FILES = ("labels/google.jsonl", "labels/others.jsonl", "labels/eight-topics.jsonl")

JUDGE = frozenset(
    {
        "espresso-machine-700",
        "massage-gun-recovery",
        "mesh-wifi-home",
        "moisturizer-acne-prone",
        "nonstick-cookware-set",
        "ski-jacket-affordable",
        "streaming-service-movies",
        "tv-55-inch-1000",
    }
)
"""Topics whose answers and misses nobody read while the rules were written: only their totals tell."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader said of one brand in one answer; the fields are explained beside the data."""

    brand: str
    domain: str
    aliases: Sequence[str]
    is_mentioned: bool
    why: str
    rank: int | None
    stance: str | None
    is_homonym: bool


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """One answer with its labels. `topic` is what it was asked about, or the collection where that has no topics."""

    engine: str
    topic: str
    prompt: str
    text: str
    sources: Sequence[tuple[str, str]]
    labels: Sequence[Label]


def labelled_answers(folder: Path) -> Iterator[LabelledAnswer]:
    """All labelled answers of the reference data. Raises KeyError where a label's answer is missing."""
    answers = {_digest(answer["text"]): answer for name in ANSWER_FILES for answer in _rows(folder / name)}
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for name in LABEL_FILES:
        for row in _rows(folder / name):
            rows.setdefault(row["sha256"], []).append(row)
    for digest, labels in rows.items():
        answer = answers[digest]
        sources = [(source["url"], source.get("title") or "") for source in answer.get("citations") or ()]
        topic = answer["topic"] if "wording" in answer else labels[0]["set"]
        yield LabelledAnswer(
            answer["engine"], topic, labels[0]["prompt"], answer["text"], sources, [_label(row) for row in labels]
        )


def _label(row: Mapping[str, Any]) -> Label:
    return Label(
        row["brand"],
        row["domain"] or "",
        row["aliases"],
        row["mentioned"],
        row["why"],
        row["rank"],
        "unknown" if row["stance"] == "neutral" else row["stance"],
        row["rule"] == "homonym" or row["why"] == "other_sense",
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
