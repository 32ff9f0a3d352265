"""Cells are read in one room."""

import re
from pathlib import Path

import visibility

ROOM = Path(visibility.__file__).parent
READERS = ("counts", "models", "migrations", "scores/cells.py", "scores/history.py", "scores/recount.py")
"""The reader, the table, and what writes it."""


def test_nothing_but_the_counts_room_reads_cells():
    files = [path for path in ROOM.rglob("*.py") if not str(path.relative_to(ROOM)).startswith(READERS)]
    assert [str(path) for path in files if re.search(r"import .*\bCell\b|\bCell\.objects", path.read_text())] == []
