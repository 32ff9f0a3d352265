"""How tests read a table: as spreadsheets and scripts do."""

import csv
import io


def rows_of(response):
    """The rows of a CSV answer, each by the names of the first line."""
    body = b"".join(response.streaming_content)
    assert body.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline=""), strict=True))
