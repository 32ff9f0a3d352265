"""A day's answers counted by engine, prompt and subject: the input of every figure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Key = int | str


class Row(NamedTuple):
    """The counts of one engine's answers to one prompt, for one subject: a row of the table of counts.

    `answers` counts those that came; of these, `mentioned` mention the subject, `ranked` give it a rank and `cited`
    cite a page of it. `gain` is the sum of 1/log2(1 + rank) over the ranked ones and `gain_squares` that of its
    squares. `comentions` is the sum, over the answers that mention the subject, of how many subjects each mentions,
    this one included. `without_brand`: those of `mentioned` that do not mention the brand; NaN: not known. `named`:
    the prompt itself names the subject. `unsourced`: answers that cite pages which nobody knows. `recommended`: those
    that recommend the subject. `absent`: askings for which no AI answer was shown, apart from `answers`.
    A prompt is one wording in one market.
    """

    engine: Key
    prompt: Key
    topic: Key
    subject: Key
    answers: float
    mentioned: float = 0
    ranked: float = 0
    gain: float = 0
    gain_squares: float = 0
    cited: float = 0
    comentions: float = 0
    named: bool = False
    without_brand: float = nan
    unsourced: float = 0
    recommended: float = 0
    absent: float = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """The rows of one day as arrays. The first subject is the brand, whose score is tested by itself.

    `topics` has the topic of each prompt, `averaged` the engines of the all-engine figure. `answers`, of these those
    whose cited pages are known (`sourced`), and `absent`, for which no AI answer was shown, are shaped [engine,
    prompt], `named` [subject, prompt], the rest [subject, engine, prompt].
    """

    subjects: tuple[Key, ...]
    engines: tuple[Key, ...]
    averaged: frozenset[Key]
    prompts: tuple[Key, ...]
    topics: tuple[Key, ...]
    answers: Floats
    sourced: Floats
    absent: Floats
    named: Flags
    mentioned: Floats
    ranked: Floats
    gain: Floats
    gain_squares: Floats
    cited: Floats
    comentions: Floats
    without_brand: Floats
    recommended: Floats

    @property
    def is_averaged(self) -> Flags:
        """By engine whether it is one of the all-engine figure."""
        return np.array([engine in self.averaged for engine in self.engines], dtype=bool)


def count(rows: Iterable[Row], subjects: Collection[Key], averaged: Collection[Key] | None = None) -> Counts:
    """The rows of one day, in any order; rows of one engine, prompt and subject are added up.

    `subjects` begins with the brand, which must have a row wherever there are answers; a rival without a row there
    was not mentioned. `averaged` are the engines of the all-engine figure, all by default.
    """
    table = [row for row in map(Row._make, rows) if row.subject in subjects]
    topic_of = {row.prompt: row.topic for row in sorted(table, key=lambda row: str(row.topic), reverse=True)}
    engines, prompts = (tuple(sorted(keys, key=str)) for keys in ({row.engine for row in table}, topic_of))
    cells = (
        _places(subjects, (row.subject for row in table)),
        _places(engines, (row.engine for row in table)),
        _places(prompts, (row.prompt for row in table)),
    )
    sums = np.zeros((11, len(subjects), len(engines), len(prompts)))
    columns = [
        (*row[4:11], row.without_brand, row.recommended, row.answers - row.unsourced, row.absent) for row in table
    ]
    values = np.array(columns, dtype=np.float64).reshape(-1, 11)
    for target, column in zip(sums, values.T, strict=True):
        np.add.at(target, cells, column)
    named = np.zeros((len(subjects), len(prompts)), dtype=bool)
    np.logical_or.at(named, (cells[0], cells[2]), np.array([row.named for row in table], dtype=bool))
    return Counts(
        tuple(subjects),
        engines,
        frozenset(engines if averaged is None else averaged) & frozenset(engines),
        prompts,
        tuple(topic_of[prompt] for prompt in prompts),
        sums[0].max(axis=0, initial=0.0),
        sums[9].max(axis=0, initial=0.0),
        sums[10].max(axis=0, initial=0.0),
        named,
        *sums[1:9],
    )


def numbers(topics: Iterable[Key]) -> Integers:
    """The number of each prompt's topic, from 0."""
    place: dict[Key, int] = {}
    return np.array([place.setdefault(topic, len(place)) for topic in topics], dtype=np.int64)


def sum_by(values: Floats, group: Integers) -> Floats:
    """Sums over the last axis by group, numbered from 0 without gaps, as `numbers` does."""
    order = np.argsort(group, kind="stable")
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    sums: Floats = np.add.reduceat(values[..., order], first, axis=-1)
    return sums


def optional(value: float, scale: float = 1.0) -> float | None:
    """A computed value times `scale`, such as 100 for percent; None where it is NaN, unmeasured."""
    return None if np.isnan(value) else float(value) * scale


def _places(keys: Collection[Key], wanted: Iterable[Key]) -> Integers:
    place = {key: number for number, key in enumerate(keys)}
    return np.array([place[key] for key in wanted], dtype=np.int64)
