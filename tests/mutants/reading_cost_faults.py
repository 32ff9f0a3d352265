"""Faults in what pages read once, and in the statements that read several things at once."""

from tests.mutants.harness import Fault

_BASIS = ("tests/reading/test_basis_rows.py",)
_COSTS = ("tests/pages/test_reading_costs.py",)

READING_COSTS = (
    Fault(
        "the services of a page read its brand again",
        "brands/services/access.py",
        "        remember(readable_brand, brand, caller, brand_id)\n",
        "",
        _COSTS,
    ),
    Fault(
        "what the answers of now show is read by each who asks",
        "visibility/measured/found.py",
        "@remembered\ndef _read(",
        "def _read(",
        _COSTS,
    ),
    Fault(
        "of one brand the window begins a day early",
        "visibility/measured/reading.py",
        "if day.day >= first]\n    return _decided(",
        "]\n    return _decided(",
        _BASIS,
    ),
    Fault(
        "engines whose answers were imported are not in use",
        "visibility/measured/basis_rows.py",
        "rows.choices.append((text, yes if part == _CHOICE else None, brand))",
        "rows.choices.append((text, yes, brand))",
        _BASIS,
    ),
    Fault(
        "questions are told in the words of now, not in those that were asked",
        "visibility/measured/topics.py",
        "return self.earlier or self.text",
        "return self.text",
        ("tests/reading/test_found.py",),
    ),
    Fault(
        "sources of one engine are those of all",
        "visibility/measured/found.py",
        "if answer.engine in names]",
        "]",
        ("tests/reading/test_found.py",),
    ),
    Fault(
        "an answer cites its sources in another order",
        "visibility/measured/found.py",
        "key=lambda row: (row.place or 0, row.number)",
        "key=lambda row: row.second",
        ("tests/reading/test_found.py",),
    ),
)
