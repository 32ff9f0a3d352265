"""Ranks and stances beside labels of real answers: `python -m tests.measurement.real.opinions [--misses] [--write]`.

A rank is right where it equals the label, none where the label has one counts apart; a stance by class, what was told
beside what was labelled. `--write` writes the figures beside the first ones to opinion_figures.md; `--misses` lists
what is wrong on the tuning half; nobody is to look at single rows of the judging half.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.measurement.real.loading import JUDGING, TUNING, Label, LabelledAnswer, Span, labelled_answers
from visibility.detection.detector import DETECTOR_VERSION, WITHIN, detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.closing import end_of_answer
from visibility.detection.text.reading import Reading
from visibility.detection.types import Domains, FoundMention, Name
from visibility.engines.protocol import Source

FIGURES = Path(__file__).with_name("opinion_figures.md")
FIRST = Path(__file__).with_name("first_opinions.json")
STANCES = ("recommended", "rejected", "cautioned", "not_found", "unknown")
RANKS = ("equal", "other", "none", "told though none is labelled", "rightly none")
_OLDER = {"neutral": "unknown"}


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the detector told of a brand that a label says is named."""

    rank: int | None
    stance: str
    quotes: Sequence[Span]


@dataclass
class Figures:
    """The figures of some answers: outcomes of ranks, stances as (labelled, told), lengths of quotes."""

    ranks: Counter[str] = field(default_factory=Counter)
    stances: Counter[tuple[str, str]] = field(default_factory=Counter)
    quotes: list[int] = field(default_factory=list)

    def add(self, label: Label, told: Opinion) -> None:
        self.ranks[outcome(label.rank, told.rank)] += 1
        self.quotes += [end - start for start, end in told.quotes]
        if label.stance is not None:
            self.stances[_class(label.stance), told.stance] += 1

    @property
    def as_table(self) -> Mapping[str, str]:
        """Each figure with its counts, in words."""
        ranked = sum(self.ranks[each] for each in RANKS[:3])
        rows = {f"rank: {each}": _share(self.ranks[each], ranked) for each in RANKS[:3]}
        unranked = self.ranks[RANKS[3]] + self.ranks[RANKS[4]]
        rows[f"rank: {RANKS[3]}"] = _share(self.ranks[RANKS[3]], unranked)
        right = sum(number for (labelled, told), number in self.stances.items() if labelled == told)
        rows["stance: right"] = _share(right, self.stances.total())
        labelled = Counter[str]()
        for (each, _), number in self.stances.items():
            labelled[each] += number
        rows["stance: a constant would be right"] = _share(max(labelled.values(), default=0), self.stances.total())
        for stance in STANCES:
            told = sum(number for (_, each), number in self.stances.items() if each == stance)
            rows[f"stance: precision of {stance}"] = _share(self.stances[stance, stance], told)
            rows[f"stance: recall of {stance}"] = _share(self.stances[stance, stance], labelled[stance])
        rows["quotes: median length"] = str(round(median(self.quotes))) if self.quotes else "–"
        rows["quotes: longest"] = str(max(self.quotes, default=0))
        return rows


def outcome(labelled: int | None, told: int | None) -> str:
    """How a rank that is told stands to the labelled one: one of RANKS."""
    if labelled is None:
        return RANKS[4] if told is None else RANKS[3]
    return "none" if told is None else "equal" if told == labelled else "other"


def opinions_of(answer: LabelledAnswer) -> Iterator[tuple[Label, Opinion]]:
    """Each label of a brand that is named and was found, with what was told; the brand is tracked alone."""
    text = answer.text[: end_of_answer(answer.text)]
    reading = Reading(text, [Source(source["url"], source.get("title") or "") for source in answer.sources])
    for label in answer.labels:
        if label.is_mentioned and (told := _opinion(reading, answer.prompt, label)):
            yield label, told


def _opinion(reading: Reading, prompt: str, label: Label) -> Opinion | None:
    domains = Domains({"own": (label.domain,)} if label.domain else {})
    dictionary = Dictionary([Name("own", name) for name in label.aliases], domains)
    own = [each for each in detect(reading, prompt, dictionary) if each.rule != WITHIN]
    if not own or stance_of(own) == "not_found":
        return None
    quotes = [(each.quote_start, each.quote_end) for each in own]
    return Opinion(own[0].rank, stance_of(own), quotes)


def stance_of(mentions: Iterable[FoundMention]) -> str:
    """The first stance of a subject's mentions that is told."""
    told = [_class(mention.stance.value) for mention in mentions]
    return next((stance for stance in told if stance != "unknown"), "unknown")


def _class(stance: str) -> str:
    return _OLDER.get(stance, stance)


def figures(answers: Iterable[LabelledAnswer]) -> Figures:
    """The figures of these answers."""
    total = Figures()
    for answer in answers:
        for label, told in opinions_of(answer):
            total.add(label, told)
    return total


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % ({part} of {whole})" if whole else "–"


def by_group(answers: Sequence[LabelledAnswer]) -> dict[str, dict[str, str]]:
    """The figures of each half, and of each engine in it."""
    groups: dict[str, dict[str, str]] = {}
    for half in (TUNING, JUDGING):
        chosen = [answer for answer in answers if answer.half == half]
        groups[half] = dict(figures(chosen).as_table)
        for engine in sorted({answer.engine for answer in chosen}):
            groups[f"{half}, {engine}"] = dict(figures(each for each in chosen if each.engine == engine).as_table)
    return groups


def document(last: Mapping[str, Mapping[str, str]], first: Mapping[str, Mapping[str, str]], version: str) -> str:
    """The first and the last figures side by side, as tables in Markdown."""
    parts = [_PREFACE.format(first=version, last=DETECTOR_VERSION)]
    for group, rows in last.items():
        parts += [f"\n## {group}\n", "| | first | last |", "|---|--:|--:|"]
        parts += [f"| {title} | {first.get(group, {}).get(title, '–')} | {now} |" for title, now in rows.items()]
    return "\n".join(parts) + "\n"


_PREFACE = """# Ranks and stances on labelled real answers

Written by `python -m tests.measurement.real.opinions --write`: detector version {first} as it was first measured on
these labels, and version {last}. Each labelled brand is tracked alone, and only brands that the label says are named,
and that were found, are counted. No rule was written on the judging half. A class of stance is told where its
precision on the judging half is 90 % or more over 30 cases; *rejected* and *cautioned* have too few cases there to
say so. They are told for the plainest words alone; how right they are on the written passages stands in
[figures.md](../labelled/figures.md)."""


def misses(answers: Iterable[LabelledAnswer]) -> Iterator[str]:
    """A line for each rank and stance of the tuning half that differs from its label."""
    for answer in answers:
        if answer.half != TUNING:
            continue
        for label, told in opinions_of(answer):
            row = f"{answer.engine} {label.brand} {answer.prompt[:40]!r}"
            if label.rank != told.rank:
                yield f"rank {label.rank} told {told.rank}: {row}"
            if label.stance is not None and _class(label.stance) != told.stance:
                yield f"stance {label.stance} told {told.stance}: {row}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("REFERENCE_DATA", "../shared/data")))
    parser.add_argument("--misses", action="store_true", help="list what is wrong on the tuning half")
    parser.add_argument("--write", action="store_true", help=f"write {FIGURES.name}")
    parser.add_argument(
        "--keep-first", action="store_true", help=f"write {FIRST.name}: once, before rules are changed"
    )
    chosen = parser.parse_args()
    answers = list(labelled_answers(chosen.data))
    last = by_group(answers)
    if chosen.keep_first:
        FIRST.write_text(
            json.dumps({"version": DETECTOR_VERSION, "groups": last}, ensure_ascii=False, indent=1) + "\n"
        )
    first = json.loads(FIRST.read_text(encoding="utf-8"))
    text = document(last, first["groups"], first["version"])
    print(text)
    if chosen.write:
        FIGURES.write_text(text, encoding="utf-8")
    if chosen.misses:
        print(*misses(answers), sep="\n")


if __name__ == "__main__":
    main()
