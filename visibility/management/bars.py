"""Progress bars of the commands, on the error stream, so that what a command prints stays clean."""

import sys
from types import TracebackType
from typing import NoReturn, Self

from tqdm import tqdm


class Bars:
    """One bar after another, one for each stage; shows nothing where the stream is no terminal."""

    def __init__(self) -> None:
        self._bar: tqdm[NoReturn] | None = None
        self._stage = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Show that `done` of `total` (None: not known) of the stage is over."""
        if self._bar is None or self._stage != stage:
            self._close()
            self._stage, self._bar = stage, tqdm(desc=stage, file=sys.stderr, disable=None)
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
