"""What the raw answers say, counted by text search alone: nothing of the product is used."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlsplit

from tests.mcp.worlds import REAL
from tests.reference import reference_file

_HIDDEN = re.compile(
    r"\]\([^)\n]*\)|\(\[[^\n]*?\]\[\d+\][^\n]*?\)|https?://\S+|^\[\d+\]:.*$|Where to Buy:.*$", re.M | re.I
)


_ADDRESS = re.compile(r"https?://\S+")


UNSEEN = {
    "T-fal": (["GreenPan", "Caraway", "Tramontina"], ["nonstick-cookware-set", "nonstick-pan"], "eight-topics"),
    "Fluance": (["Audio-Technica", "Sony"], ["record-player-beginner"], "four-topics"),
}
"""Brands that nothing was built on: their rivals, own topics and file."""
ANY_CASE = {"Coros", "T-fal", "GreenPan", "Audio-Technica"}
SITES = {**{name: (*each, "answers") for name, each in REAL.items()}, **UNSEEN}


class Counter:
    """The answers about a site's own topics. `now` are those of each engine's last day and the six before it."""

    def __init__(self, site: str) -> None:
        self.site = site
        rivals, topics, file = SITES[site]
        self.names, self.topics = [site, *rivals], topics
        lines = reference_file(f"real-answers/{file}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if row["topic"] in topics]
        self.rows = [{**row, "day": row["time"][:10], "prose": _HIDDEN.sub(" ", row["text"])} for row in rows]
        engines = {row["engine"] for row in self.rows}
        last = {engine: max(row["day"] for row in self.rows if row["engine"] == engine) for engine in engines}
        since = {engine: str(date.fromisoformat(day) - timedelta(days=6)) for engine, day in last.items()}
        self.now = [row for row in self.rows if row["day"] >= since[row["engine"]]]

    def of(
        self, topic: str | None = None, engine: str | None = None, days: str | None = None
    ) -> list[dict[str, Any]]:
        """The answers of now, or of these days, of a topic or engine."""
        first, _, end = (days or "/").partition("/")
        rows = self.rows if days else self.now
        return [
            row
            for row in rows
            if topic in (None, row["topic"])
            and engine in (None, row["engine"])
            and (not days or first <= row["day"] <= (end or first))
        ]

    def count(self, subject: str, rows: Iterable[dict[str, Any]]) -> dict[str, int]:
        """The counts of a subject that a reader without the product can make."""
        rows = list(rows)
        others = [name for name in self.names if name != subject]
        naming = [row for row in rows if names(row, subject)]
        return {
            "mentioned": len(naming),
            "of": len(rows),
            "alone": sum(not any(names(row, other) for other in others) for row in naming),
            "cited": sum(f"{subject.lower()}.com" in set(domains(row)) for row in rows),
        }

    def first(self, subject: str, rows: Iterable[dict[str, Any]]) -> int:
        """In how many answers a model read a product of the subject as the first; it errs in one of twenty."""
        labels = [label for row in rows for label in row["labelled_products"] if label["rank"] == 1]
        return sum(label["brand"].casefold() == subject.casefold() for label in labels)

    def cited(self, domain: str, rows: Iterable[dict[str, Any]]) -> int:
        return sum(domain in set(domains(row)) for row in rows)

    def holding(self, words: str, rows: Iterable[dict[str, Any]]) -> int:
        """How many answers hold these words one after the other."""
        pattern = re.compile(r"(?<!\w)" + r"\W+".join(map(re.escape, words.split())) + r"(?!\w)", re.I)
        return sum(pattern.search(_ADDRESS.sub(" ", row["text"])) is not None for row in rows)


def names(row: dict[str, Any], subject: str) -> bool:
    """Whether the prose of an answer names somebody as a word of its own, with or without its hyphen."""
    pattern = re.escape(subject).replace(r"\-", "[-\u2011 ]?")
    is_any_case = subject in ANY_CASE
    return re.search(rf"(?<![A-Za-z]){pattern}(?![a-z])", row["prose"], re.I if is_any_case else 0) is not None


def domains(row: dict[str, Any]) -> Iterator[str]:
    """The last two labels of the hosts that an answer cites."""
    for source in row["citations"]:
        yield ".".join(urlsplit(source["url"]).netloc.split(".")[-2:])
