"""Figures of tables in words."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One line of a table, what in it breaks a promise, and its averages where they count towards those of all."""

    text: str
    problems: tuple[str, ...] = ()
    averages: tuple[float | None, ...] = ()


def mean(parts):
    """The mean; None of nothing."""
    return sum(parts) / len(parts) if parts else None


def percent(part):
    """A part of 1 as a percentage."""
    return "–" if part is None else f"{100 * part:.1f} %"


def cells(*figures):
    """One line of a table."""
    return f"| {' | '.join(map(str, figures))} |"
