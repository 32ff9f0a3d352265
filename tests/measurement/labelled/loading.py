"""The labelled passages with the places of their labels. What a field means is in README.md beside this file."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILES = tuple(Path(__file__).with_name(name) for name in ("passages.jsonl", "second.jsonl", "third.jsonl"))
JUDGE = Path(__file__).with_name("fourth.jsonl")
"""Passages that are held out whole: they judge rules that were made on the others."""
TRAPS = Path(__file__).with_name("adversarial.jsonl")
"""Passages that were written to find faults in the rules: all of them are for tuning."""
HALVES = ("tune", "held_out")
STANCES = frozenset({"recommended", "unknown", "cautioned", "rejected", "not_found"})
_LABELS = {"neutral": "unknown"}
FIELDS = frozenset({"id", "half", "category", "prompt", "text", "brands", "sources", "expected"})
EXPECTED = frozenset({"mentions", "visible", "rank", "stance"})


@dataclass(frozen=True, slots=True)
class Policy:
    """What a user would say of a name that is also a common word."""

    case_sensitive: bool = False
    required_near: tuple[str, ...] = ()
    forbidden_near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brand:
    """`policy` is None where the user said nothing and the detector has to find out by itself."""

    key: str
    names: tuple[str, ...]
    domains: tuple[str, ...]
    policy: Policy | None
    parent: str | None


@dataclass(frozen=True, slots=True)
class Label:
    """One mention by hand: `text == passage.text[start:end]`."""

    key: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """An answer and what a reader finds in it."""

    id: str
    half: str
    category: str
    prompt: str
    text: str
    brands: tuple[Brand, ...]
    sources: tuple[tuple[str, str], ...]
    mentions: tuple[Label, ...]
    visible: frozenset[str]
    ranks: Mapping[str, int]
    stances: Mapping[str, str]

    def brand(self, key: str) -> Brand:
        """The brand with this key."""
        return next(brand for brand in self.brands if brand.key == key)


def load(paths: Iterable[Path] = FILES) -> list[Passage]:
    """The passages of these files in their order. A label that names no place in its text is a ValueError."""
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").split("\n"))
    return [_passage(json.loads(line)) for line in lines if line]


def span(text: str, wanted: str, occurrence: int) -> tuple[int, int]:
    """Where `wanted` stands in `text` for the nth time, counting from 1 and inside other words too."""
    if not wanted or occurrence < 1:
        raise ValueError(f"no such label: {wanted!r}, {occurrence}")
    start = -1
    for _ in range(occurrence):
        start = text.find(wanted, start + 1)
        if start < 0:
            raise ValueError(f"{wanted!r} does not occur {occurrence} times in {text!r}")
    return start, start + len(wanted)


def _passage(raw: dict[str, Any]) -> Passage:
    _only(raw, FIELDS)
    expected = raw["expected"]
    _only(expected, EXPECTED)
    text = raw["text"]
    return Passage(
        id=raw["id"],
        half=raw["half"],
        category=raw["category"],
        prompt=raw["prompt"],
        text=text,
        brands=tuple(_brand(brand) for brand in raw["brands"]),
        sources=tuple((source["url"], source["title"]) for source in raw.get("sources", ())),
        mentions=tuple(
            Label(label["key"], *span(text, label["text"], label["occurrence"]), label["text"])
            for label in expected["mentions"]
        ),
        visible=frozenset(expected["visible"]),
        ranks=expected.get("rank", {}),
        stances={key: _LABELS.get(stance, stance) for key, stance in expected.get("stance", {}).items()},
    )


def _brand(raw: dict[str, Any]) -> Brand:
    _only(raw, {"key", "names", "domains", "policy", "parent"})
    policy = raw.get("policy")
    if policy is not None:
        _only(policy, {"case_sensitive", "required_near", "forbidden_near"})
        policy = Policy(
            policy.get("case_sensitive", False),
            tuple(policy.get("required_near", ())),
            tuple(policy.get("forbidden_near", ())),
        )
    return Brand(raw["key"], tuple(raw["names"]), tuple(raw["domains"]), policy, raw.get("parent"))


def _only(raw: Mapping[str, Any], allowed: frozenset[str] | set[str]) -> None:
    if unknown := set(raw) - allowed:
        raise ValueError(f"unknown fields: {sorted(unknown)}")
