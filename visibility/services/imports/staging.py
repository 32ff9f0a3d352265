"""Holds the checked rows of a file on disk until all of them are known to be good: nothing is half imported."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from typing import IO

import orjson

from apikeys.errors import ErrorCode, ServiceError
from visibility.engines.protocol import Source
from visibility.engines.surfaces import Surface
from visibility.services.imports.progress import Progress, silent
from visibility.services.imports.reader import BadLine
from visibility.services.imports.rows import ImportedAnswer

CHUNK = 500
"""Rows that are held in memory at a time."""
MAX_NAMED = 20
"""Bad lines that an error names; the others are counted."""


class StagedAnswers:
    """The rows of one file, kept in another file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count = 0

    def add(self, answer: ImportedAnswer) -> None:
        """Keep one row."""
        sources = [(source.url, source.title) for source in answer.citations]
        row = (
            answer.prompt,
            answer.engine,
            answer.sample,
            answer.time.isoformat(),
            answer.text,
            sources,
            answer.topic,
            answer.surface,
        )
        self._file.write(orjson.dumps(row) + b"\n")
        self.count += 1

    def chunks(self) -> Iterator[list[ImportedAnswer]]:
        """All rows in the order they came, a few at a time. Can be repeated."""
        self._file.seek(0)
        while chunk := [_row(line) for line in islice(self._file, CHUNK)]:
            yield chunk


@contextmanager
def staged_answers(rows: Iterable[ImportedAnswer | BadLine], progress: Progress = silent) -> Iterator[StagedAnswers]:
    """All rows, checked before any is used, in a temporary file that lasts as long as the context.

    Raises invalid_arguments that names the bad lines by number and reason (`lines`: the first of them), or says
    that the file holds no answer.
    """
    with tempfile.TemporaryFile() as file:
        staged, bad, bad_count = StagedAnswers(file), list[BadLine](), 0
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, BadLine):
                staged.add(row)
            elif (bad_count := bad_count + 1) <= MAX_NAMED:
                bad.append(row)
            progress("Reading", number, None)
        if bad_count or not staged.count:
            raise refusal(bad, bad_count, "answer")
        yield staged


def refusal(bad: Sequence[BadLine], count: int, what: str) -> ServiceError:
    """Why a file of so-called things was not imported: `count` bad lines, the first of them by number and reason, or
    nothing in it."""
    if not count:
        return ServiceError(ErrorCode.INVALID_ARGUMENTS, f"The file holds no {what}. Nothing was imported.", lines=[])
    named = "; ".join(f"line {line.line}: {line.reason}" for line in bad)
    more = f"; and {count - len(bad):,} more" if count > len(bad) else ""
    return ServiceError(
        ErrorCode.INVALID_ARGUMENTS,
        f"Nothing was imported. Correct {'this line' if count == 1 else f'these {count:,} lines'} and import the "
        f"whole file again: {named}{more}.",
        lines=[{"line": line.line, "reason": line.reason} for line in bad],
    )


def _row(line: bytes) -> ImportedAnswer:
    prompt, engine, sample, time, text, sources, topic, surface = orjson.loads(line)
    citations = tuple(Source(url=url, title=title) for url, title in sources)
    moment = datetime.fromisoformat(time)
    return ImportedAnswer(prompt, engine, sample, moment, text, citations, topic, Surface(surface))
