"""The files that backups are: where they may lie, what they are, and how they appear whole or not at all."""

import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
_MAGIC = {b"SQLite format 3\0": SQLITE, b"PGDMP": POSTGRES}


class Refused(Exception):
    """A backup or a restore that cannot be done; its text says why and what to do."""


def shown(path: Path) -> str:
    """The path for a person: one that holds what a terminal would act on is quoted."""
    text = str(path)
    return text if text.isprintable() else ascii(text)


def check_target(path: Path, *, force: bool, not_in: Sequence[Path], not_these: Sequence[Path]) -> None:
    """Refuse to write a backup there: where the service keeps files of its own, or over what is there already."""
    if "\0" in str(path):
        raise Refused("The file name contains the character NUL. Choose another name.")
    whole = path.parent.resolve() / path.name
    for folder in not_in:
        if whole.is_relative_to(folder.resolve()):
            raise Refused(f"{shown(path)} is in a folder that the service uses itself. Choose another place.")
    if whole in [file.resolve() for file in not_these]:
        raise Refused(f"{shown(path)} is the database itself. Choose another name.")
    if not path.parent.is_dir():
        raise Refused(f"The folder {shown(path.parent)} does not exist. Make it, or choose another place.")
    if not os.path.lexists(path):
        return
    if not stat.S_ISREG(path.lstat().st_mode):
        raise Refused(f"{shown(path)} exists and is not a file. Choose another name.")
    if not force:
        raise Refused(f"{shown(path)} exists. Choose another name, or overwrite it with --force.")


def kind_of(path: Path) -> str:
    """Which database the backup is of, by its first bytes; refuses what is no backup."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Refused(f"{shown(path)} is not a file.")
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise Refused(f"{shown(path)} cannot be read: {error.strerror}.") from error
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    raise Refused(f"{shown(path)} is not a backup: manage.py backup writes SQLite files and archives of pg_dump.")


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A new private file beside `path`, which takes its name once the block has ended well and the disk has it."""
    try:
        number, name = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
    except OSError as error:
        raise Refused(f"Cannot write to {shown(path.parent)}: {error.strerror}.") from error
    os.close(number)
    try:
        yield Path(name)
        synced(Path(name))
        os.replace(name, path)
        synced(path.parent)
    except OSError as error:
        raise Refused(f"Cannot write {shown(path)}: {error.strerror}.") from error
    finally:
        for file_name in (name, f"{name}-journal", f"{name}-wal", f"{name}-shm"):
            with suppress(FileNotFoundError):
                os.unlink(file_name)


def synced(path: Path) -> None:
    """Wait until the disk has the file, or the names in the folder."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
