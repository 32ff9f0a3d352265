"""What a check of `manage.py doctor` is: a function with a name that yields what it finds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a finding is. Only what is wrong makes the exit code 1."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, in a sentence for the operator that says what to do."""

    state: State
    words: str


def ok(words: str) -> Finding:
    """All is well; with what makes it so."""
    return Finding(State.OK, words)


def warning(words: str) -> Finding:
    """Nothing is broken, but it may become so."""
    return Finding(State.WARNING, words)


def wrong(words: str) -> Finding:
    """Something is broken."""
    return Finding(State.WRONG, words)


Look = Callable[[], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Check:
    """A check: its name, what it looks at, and the function that looks."""

    name: str
    looks_at: str
    look: Look
    needs_database: bool = True


class Room:
    """Checks in the order in which they are written."""

    def __init__(self) -> None:
        self.checks: list[Check] = []

    def check(self, name: str, looks_at: str, *, needs_database: bool = True) -> Callable[[Look], Look]:
        """Register a function as a check."""

        def register(look: Look) -> Look:
            self.checks.append(Check(name, looks_at, look, needs_database))
            return look

        return register
