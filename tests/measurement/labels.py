"""Labels of real answers, read from the reference data: each answer with what other hands say of it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ANSWER_FILES = (
    "real-answers/answers.jsonl",
    "real-answers/eight-topics.jsonl",
    "real-answers/four-topics.jsonl",
    "labels/more-answers.jsonl",
    "languages/answers.jsonl",
)
LABEL_FILES = ("google", "others", "eight-topics", "four-topics")
LANGUAGES = "languages/labels.jsonl"

JUDGE = frozenset(
    {
        "credit-card-travel-no-fee",
        "dehumidifier-garage-basement",
        "electric-car-luxury",
        "espresso-machine-700",
        "m-arena-hard-2",
        "massage-gun-recovery",
        "mesh-wifi-home",
        "moisturizer-acne-prone",
        "nonstick-cookware-set",
        "record-player-beginner",
        "ski-jacket-affordable",
        "streaming-service-movies",
        "tv-55-inch-1000",
    }
)
"""Topics whose answers and misses nobody reads while rules are written: only their totals tell."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader said of one brand in one answer; the fields are explained beside the data. `rank` and `stance`
    are doubtful where the reader was not sure of the order."""

    brand: str
    domain: str
    aliases: Sequence[str]
    is_mentioned: bool
    why: str
    rank: int | None
    stance: str | None
    is_homonym: bool
    is_doubtful: bool
    places: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """One answer with its labels. `topic` is what it was asked about, or the collection where that has no topics;
    `collection` is the file that its labels are in, or a part of it that was read by itself."""

    engine: str
    topic: str
    collection: str
    language: str
    prompt: str
    text: str
    sources: Sequence[tuple[str, str]]
    labels: Sequence[Label]


def labelled_answers(folder: Path) -> Iterator[LabelledAnswer]:
    """All labelled answers of the reference data, in English first. Raises KeyError where a label's answer is
    missing."""
    answers = {_digest(answer["text"]): answer for name in ANSWER_FILES for answer in _rows(folder / name)}
    for name in (*(f"labels/{name}.jsonl" for name in LABEL_FILES), LANGUAGES):
        rows: dict[str, list[Mapping[str, Any]]] = {}
        for row in _rows(folder / name):
            rows.setdefault(row["sha256"], []).append(row)
        for digest, labels in rows.items():
            answer, first = answers[digest], labels[0]
            part = first.get("set") or Path(name).stem
            yield LabelledAnswer(
                answer["engine"],
                answer["topic"] if "wording" in answer else part,
                part,
                first.get("lang", "en"),
                first["prompt"],
                answer["text"],
                [(source["url"], source.get("title") or "") for source in answer.get("citations") or ()],
                [_label(row) for row in labels],
            )


def _label(row: Mapping[str, Any]) -> Label:
    spans = row.get("occurrences") or [row["span"]] if row["mentioned"] else []
    return Label(
        row["brand"],
        row["domain"] or "",
        row["aliases"],
        row["mentioned"],
        row["why"],
        row["rank"],
        "unknown" if row["stance"] == "neutral" else row["stance"],
        row["rule"] == "homonym" or row["why"] == "other_sense",
        row["rule"] in ("rank doubtful", "stance doubtful"),
        [(start, end) for start, end in spans],
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
