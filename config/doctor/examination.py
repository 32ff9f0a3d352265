"""All checks, and what they find."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from django.db import DatabaseError

from config.doctor import invariants, service
from config.doctor.checks import Check, State, wrong

CHECKS = (*service.ROOM.checks, *invariants.ROOM.checks)
"""The table of docs/operators.md has the same."""


@dataclass(frozen=True, slots=True)
class Line:
    """A finding with the name of its check."""

    check: str
    state: State
    words: str

    def as_json(self) -> dict[str, str]:
        """The line for programs."""
        return {name: str(value) for name, value in asdict(self).items()}


def examine(checks: Sequence[Check]) -> Iterator[Line]:
    """Make these checks. One that cannot be made is wrong; without a database those that need it are left out."""
    is_away = False
    for each in checks:
        if is_away and each.needs_database:
            continue
        try:
            found = list(each.look())
        except DatabaseError as error:
            found = [wrong(f"The database refused: {' '.join(str(error).split())}")]
        is_away |= each.name == "database" and any(finding.state == State.WRONG for finding in found)
        yield from (Line(each.name, finding.state, finding.words) for finding in found)
    if is_away:
        yield Line("database", State.WARNING, "What needs the database was not looked at.")
