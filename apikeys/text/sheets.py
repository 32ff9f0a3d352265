"""Files that people bring, as spreadsheets and shops write them: bytes to text, and the mark between cells. Pure."""

import codecs

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DELIMITERS = ",;\t|"
_NONE = "\x1f"
"""Of a file with one column, whose cells may hold all of these."""


class BadFile(ValueError):
    """Why nothing of a file can be read, and the line where that shows."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def decoded(raw: bytes, *, longest: int, encoding: str = "utf-8") -> str:
    """The text of a file of `longest` bytes at most. UTF-8 and UTF-16 that say so go before the `encoding`.

    Raises BadFile for a longer one, and for what is not text in that encoding.
    """
    if len(raw) > longest:
        raise BadFile(f"the file is longer than {longest // 2**20} MB; cut it into several")
    for mark, marked_encoding in _BOMS:
        if raw.startswith(mark):
            raw, encoding = raw.removeprefix(mark), marked_encoding
            break
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise BadFile(f"the line is not {encoding}; save the file as UTF-8, or name its encoding", line) from None


def delimiter_of(text: str) -> str:
    """What stands between the cells: the mark that the first line has most of."""
    first = text.partition("\n")[0]
    return max(_DELIMITERS, key=first.count) if any(mark in first for mark in _DELIMITERS) else _NONE
