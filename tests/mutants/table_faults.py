"""Faults of tables as files."""

from tests.mutants.harness import Fault

_CELLS = ("tests/tables/test_cells.py",)
_TABLES = "tests/tables/test_tables.py"

TABLES = (
    Fault(
        "cells: formulas behind blanks are calculated",
        "apikeys/text/cells.py",
        'if unicodedata.category(letter)[0] not in "ZC":',
        "if True:",
        _CELLS,
    ),
    Fault(
        "cells: signs of other widths are calculated",
        "apikeys/text/cells.py",
        'unicodedata.normalize("NFKC", letter)[0] in _SIGNS',
        "letter in _SIGNS",
        _CELLS,
    ),
    Fault(
        "cells: null is 0",
        "apikeys/text/cells.py",
        '        return ""\n    if isinstance(value, str):',
        '        return "0"\n    if isinstance(value, str):',
        _CELLS,
    ),
    Fault(
        "cells: negative numbers are texts",
        "apikeys/text/cells.py",
        "        return repr(value)",
        "        return defused(repr(value))",
        _CELLS,
    ),
    Fault(
        "tables: answers are cut as on pages",
        "visibility/services/tables/answers.py",
        "longest=None",
        "longest=4_000",
        (f"{_TABLES}::test_answers_are_whole_with_their_question_mentions_and_citations",),
    ),
    Fault(
        "tables: the answer that ends a page is lost",
        "visibility/services/tables/answers.py",
        "        position = next_position\n",
        "        position = next_position + 1\n",
        (f"{_TABLES}::test_answers_are_whole_with_their_question_mentions_and_citations",),
    ),
    Fault(
        "tables: strangers read them",
        "visibility/pages/tables.py",
        "brand = readable_brand(caller, brand_id)",
        "brand = Brand.objects.get(pk=brand_id)",
        (f"{_TABLES}::test_staff_who_look_read_others_do_not",),
    ),
    Fault(
        "tables: HEAD reads all rows",
        "visibility/pages/tables.py",
        'if request.method == "HEAD":',
        'if request.method == "NONE":',
        (f"{_TABLES}::test_head_reads_no_row",),
    ),
    Fault(
        "tables: a file that is broken off keeps its place",
        "visibility/pages/tables.py",
        "                _AT_ONCE.release()",
        "                pass",
        (f"{_TABLES}::test_a_file_that_is_broken_off_or_never_begun_gives_its_place_back",),
    ),
    Fault(
        "wsgi: the thread of a download waits for a client that is gone",
        "config/wsgi_bridge.py",
        "        finally:\n            self._gone.set()",
        "        finally:\n            pass",
        ("tests/service/test_wsgi_bridge.py::test_a_client_that_goes_away_ends_the_answer",),
    ),
    Fault(
        "load data: counted days are those of the pattern",
        "visibility/demo/load/copying.py",
        '(DayCount, "content"): self._counts,',
        '(DayCount, "content"): bytes,',
        ("tests/service/test_load_data.py::test_nothing_is_left_to_be_measured_and_everything_is_of_its_brand",),
    ),
    Fault(
        "load data: generations are outdated at once",
        "visibility/demo/load/copying.py",
        "    Generation: _stamped,\n",
        "",
        ("tests/service/test_load_data.py::test_nothing_is_left_to_be_measured_and_everything_is_of_its_brand",),
    ),
    Fault(
        "snapshots: what was read is kept for the next one",
        "apikeys/db/snapshot.py",
        "    finally:\n        _open.readings = None",
        "    finally:\n        pass",
        ("tests/service/test_snapshot_memory.py",),
    ),
    Fault(
        "snapshots: whoever asks first, asks for all",
        "apikeys/db/snapshot.py",
        "return read, args, tuple(sorted(more.items()))",
        "return read, args[1:], tuple(sorted(more.items()))",
        ("tests/service/test_snapshot_memory.py::test_what_one_caller_may_read_is_not_given_to_another",),
    ),
    Fault(
        "tables: a scan that writes meanwhile is seen",
        "visibility/services/tables/writing.py",
        "    with snapshot():\n        lines",
        "    if True:\n        lines",
        ("tests/tables/test_streaming.py::test_what_a_scan_writes_meanwhile_neither_doubles_rows_nor_loses_any",),
    ),
)
