"""Faults in what variables may be called, and in which tracked names are one."""

from tests.mutants.harness import Fault

NAMES = (
    Fault(
        "a variable is called by what was done to get it",
        "brands/domains.py",
        '    printable = ascii(text[:100])\n    return invalid(argument, f"{printable} is',
        '    shown = ascii(text[:100])\n    return invalid(argument, f"{shown} is',
        ("tests/architecture/test_names.py",),
    ),
)
