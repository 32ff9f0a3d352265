"""Files and functions stay small enough to be read at once."""

from tests.architecture.sources import sources

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40


def test_files_are_under_300_lines():
    long = [f"{source.path}: {source.lines}" for source in sources() if source.lines >= MAX_FILE_LINES]
    assert not long, "\n".join(long)


def test_functions_are_under_40_lines():
    long = [
        f"{source.path}:{function.lineno} {function.name}(): {length}"
        for source in sources()
        for function in source.functions()
        if (length := (function.end_lineno or function.lineno) - function.lineno + 1) >= MAX_FUNCTION_LINES
    ]
    assert not long, "\n".join(long)
