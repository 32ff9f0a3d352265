"""Outcomes of answers as arrays: one row an answer, one column a subject."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visibility.metrics.types import AnswerOutcome

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Table:
    """`engine` and `prompt` hold each row's number of these; `topic` holds each prompt's number of topic.

    `ranks` is the subject's rank in the answer, 0 where it is absent or has none that can be told. `mentioned` and
    `cited` are 1 where the answer does so to the subject, else 0. `prominence` is 1/log2(1 + rank) where there is a
    rank (the discount of Järvelin and Kekäläinen 2002), else 0. `named` says that the row's prompt names the subject.
    `outcomes` are the rows as they came; `prompts` and `topics` the keys by number.
    """

    engines: tuple[str, ...]
    engine: Integers
    prompt: Integers
    topic: Integers
    ranks: Floats
    mentioned: Floats
    prominence: Floats
    cited: Floats
    named: Flags
    outcomes: Sequence[AnswerOutcome] = ()
    prompts: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


def tabulate(outcomes: Sequence[AnswerOutcome], subjects: Sequence[str]) -> Table:
    """The outcomes as a table whose rows stand in an order of their own, so that theirs cannot matter."""
    rows = sorted(outcomes, key=_key)
    engines = tuple(sorted({row.engine for row in rows}))
    prompts = sorted({row.prompt for row in rows})
    topics: dict[str, str] = {}
    for row in rows:
        topics[row.prompt] = min(row.topic, topics.get(row.prompt, row.topic))
    number_of_engine = {name: number for number, name in enumerate(engines)}
    number_of_prompt = {name: number for number, name in enumerate(prompts)}
    number_of_topic = {name: number for number, name in enumerate(sorted(set(topics.values())))}
    shape = (len(rows), len(subjects))
    mentioned = np.array([[subject in row.ranks for subject in subjects] for row in rows], dtype=bool).reshape(shape)
    ranks = np.array([[row.ranks.get(subject) or 0 for subject in subjects] for row in rows], dtype=float)
    ranks = ranks.reshape(shape)
    return Table(
        engines,
        np.array([number_of_engine[row.engine] for row in rows], dtype=np.int64),
        np.array([number_of_prompt[row.prompt] for row in rows], dtype=np.int64),
        np.array([number_of_topic[topics[prompt]] for prompt in prompts], dtype=np.int64),
        ranks,
        mentioned.astype(np.float64),
        np.divide(1.0, np.log2(1.0 + ranks), out=np.zeros_like(ranks), where=ranks > 0),
        np.array([[subject in row.cited for subject in subjects] for row in rows], dtype=float).reshape(shape),
        np.array([[subject in row.named for subject in subjects] for row in rows], dtype=bool).reshape(shape),
        rows,
        tuple(prompts),
        tuple(number_of_topic),
    )


def _key(row: AnswerOutcome) -> tuple[object, ...]:
    pages = row.pages
    return (
        row.engine,
        row.prompt,
        row.topic,
        sorted((subject, rank or 0) for subject, rank in row.ranks.items()),
        sorted(row.cited),
        sorted(row.named),
        pages.total,
        sorted(pages.by_subject.items()),
        sorted(pages.attached.items()),
        sorted(pages.published.items()),
    )
