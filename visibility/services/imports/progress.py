"""How far a long act is, told to whoever shows it."""

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]
"""Called with the stage's name, how much of it is done, and its total where that is known."""


def silent(stage: str, done: int, total: int | None) -> None:
    """Shows nothing."""
