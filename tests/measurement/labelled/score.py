"""How the detector does on the labelled passages: `python -m tests.measurement.labelled.score [--misses]`.

`--misses` adds what went wrong, for the half `tune` only: nobody is to look at single passages of the other.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tests.measurement.labelled.loading import HALVES, Brand, Passage, load
from visibility.detection.detector import DETECTOR_VERSION, WITHIN, detect
from visibility.detection.matching import Dictionary
from visibility.detection.types import Domains, FoundMention, Name, Policy
from visibility.engines.protocol import Source

Detect = Callable[[Passage], Sequence[FoundMention]]


@dataclass
class Hits:
    """What was right, of what was claimed and of what should have been."""

    right: int = 0
    claimed: int = 0
    labelled: int = 0

    def add(self, found: set, expected: set) -> None:
        self.right += len(found & expected)
        self.claimed += len(found)
        self.labelled += len(expected)

    @property
    def precision(self) -> str:
        return _share(self.right, self.claimed)

    @property
    def recall(self) -> str:
        return _share(self.right, self.labelled)


@dataclass
class Score:
    """The figures of some passages. A rank or stance that was not found at all counts as wrong."""

    passages: int = 0
    mentions: Hits = field(default_factory=Hits)
    visible: Hits = field(default_factory=Hits)
    ranks: Hits = field(default_factory=Hits)
    stances: Hits = field(default_factory=Hits)

    def add(self, passage: Passage, found: Sequence[FoundMention]) -> None:
        self.passages += 1
        self.mentions.add(places(found), labelled_places(passage))
        self.visible.add(visible_keys(found), set(passage.visible))
        ranks = {mention.subject: mention.rank for mention in reversed(found)}
        self.ranks.add(set(ranks.items()), set(passage.ranks.items()))
        self.stances.add(set(stances(found).items()), set(passage.stances.items()))

    def row(self, label: str) -> str:
        cells = [
            label,
            str(self.passages),
            self.mentions.precision,
            self.mentions.recall,
            self.visible.precision,
            self.visible.recall,
            self.ranks.recall,
            self.stances.recall,
        ]
        return "| " + " | ".join(cells) + " |"


def run_detector(passage: Passage) -> list[FoundMention]:
    """What the detector of the service finds."""
    names = [Name(brand.key, name, _policy(brand)) for brand in passage.brands for name in brand.names]
    domains = Domains({brand.key: brand.domains for brand in passage.brands})
    parents = {brand.key: brand.parent for brand in passage.brands if brand.parent}
    sources = [Source(url, title) for url, title in passage.sources]
    return detect(passage.text, passage.prompt, sources, Dictionary(names, domains, parents))


def _policy(brand: Brand) -> Policy | None:
    given = brand.policy
    return given and Policy(given.case_sensitive, given.required_near, given.forbidden_near)


def places(found: Iterable[FoundMention]) -> set[tuple[str, int, int]]:
    """Subject and exact place of each mention; owners who only show through their line have no label."""
    return {(mention.subject, mention.start, mention.end) for mention in found if mention.rule != WITHIN}


def labelled_places(passage: Passage) -> set[tuple[str, int, int]]:
    """The same of the labels."""
    return {(label.key, label.start, label.end) for label in passage.mentions}


def stances(found: Iterable[FoundMention]) -> dict[str, str]:
    """Each subject's stance: its first one that is not neutral."""
    told: dict[str, str] = {}
    for mention in found:
        stance = mention.stance
        if told.get(mention.subject, "neutral") == "neutral":
            told[mention.subject] = stance
    return told


def visible_keys(found: Sequence[FoundMention]) -> set[str]:
    """The subjects that were found, other than as not found."""
    told = stances(found)
    return {mention.subject for mention in found if told.get(mention.subject) != "not_found"}


def score(passages: Iterable[Passage], detector: Detect = run_detector) -> Score:
    """The figures of these passages."""
    total = Score()
    for passage in passages:
        total.add(passage, detector(passage))
    return total


def table(passages: Sequence[Passage]) -> str:
    """The figures by category, as a table in Markdown."""
    lines = [
        "| Category | Passages | Mentions: precision | recall | Visible: precision | recall | Rank | Stance |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for category in dict.fromkeys(passage.category for passage in passages):
        lines.append(score(passage for passage in passages if passage.category == category).row(category))
    lines.append(score(passages).row("**all**"))
    return "\n".join(lines)


def misses(passages: Iterable[Passage]) -> Iterable[str]:
    """A line for each mention of `tune` that was found in vain, or missed."""
    for passage in passages:
        if passage.half != "tune":
            continue
        found, expected = places(run_detector(passage)), labelled_places(passage)
        for key, start, end in sorted(found ^ expected, key=lambda place: place[1:]):
            sign = "+" if (key, start, end) in found else "-"
            yield f"{sign} {passage.id} {key} {start} {passage.text[max(0, start - 20) : end + 20]!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list what went wrong in the half that is for tuning")
    chosen = parser.parse_args()
    passages = load()
    print(f"Detector version {DETECTOR_VERSION}")
    for half in HALVES:
        print(f"\n## {half}\n\n{table([passage for passage in passages if passage.half == half])}")
    print(f"\n## both\n\n{table(passages)}")
    if chosen.misses:
        print("", *misses(passages), sep="\n")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


if __name__ == "__main__":
    main()
