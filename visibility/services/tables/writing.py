"""Tables as CSV, written while they are read: what a file takes in memory does not depend on its rows."""

import csv
import io
from collections.abc import Generator, Iterable
from contextlib import closing

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from visibility.services.tables.catalogue import Of, Table
from visibility.services.tables.columns import columns_of

CHUNK = 64 * 1024
"""Characters that are sent at once."""
BOM = "\ufeff"
"""Excel reads a file without it in the encoding of the country; other programs pass over it."""


def csv_chunks(table: Table[Of], caller: Caller, of: Of) -> Generator[bytes]:
    """The file, UTF-8 with a mark at its beginning, lines as RFC 4180 ends them.

    All of it is of one moment: what is measured meanwhile neither doubles rows nor loses any.
    """
    columns = columns_of(table.resource, table.without)
    with snapshot():
        lines = (columns.cells(item) for item in table.rows(caller, of))
        with closing(_chunks(columns.names, lines)) as chunks:
            yield from chunks


def _chunks(names: list[str], lines: Iterable[list[str]]) -> Generator[bytes]:
    buffer = io.StringIO(newline="")
    buffer.write(BOM)
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    for line in lines:
        writer.writerow(line)
        if buffer.tell() >= CHUNK:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    """What is in the buffer, which is empty afterwards."""
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8", "replace")
