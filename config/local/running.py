"""Who works on the data of a folder: all processes of the service hold it together, a restore holds it alone."""

import fcntl
from pathlib import Path
from typing import IO

FILE = "running.lock"
_held: list[IO[str]] = []


class Occupied(Exception):
    """Another holds the folder in a way that does not go together."""


def join(folder: Path) -> None:
    """Hold the folder for as long as this process lives, and those that it forks; raises Occupied during a restore.

    In a folder that nobody may write to there is nothing to hold, and nothing to restore.
    """
    _held.extend(_lock(folder, fcntl.LOCK_SH))


def hold_alone(folder: Path) -> list[IO[str]]:
    """Hold the folder until the returned file is closed; raises Occupied while any process of the service runs."""
    return _lock(folder, fcntl.LOCK_EX)


def _lock(folder: Path, how: int) -> list[IO[str]]:
    try:
        file = (folder / FILE).open("a")
    except OSError:
        return []
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise Occupied(str(folder)) from error
    return [file]
