"""Which tests `make test` runs on which variant: what says nothing new on the second one runs on one."""

PURE = (
    "tests/architecture",
    "tests/measurement",
    "tests/mutants",
    *(f"tests/engines/test_{what}.py" for what in ("answers", "errors", "faults", "requests")),
    *(f"tests/engines/test_recorded_{what}.py" for what in ("answers", "errors")),
    "tests/engines/test_equal_bytes.py",
    "tests/imports/test_reader.py",
    *(f"tests/writing/test_{what}.py" for what in ("question_words", "refining", "topics", "untrusted")),
)
"""Without a database, a cache or a queue."""
WHATEVER_BELOW = (
    "tests/engines/test_no_key_anywhere.py",
    "tests/mcp/test_codes.py",
    "tests/mcp/test_garbage.py",
    "tests/mcp/test_marks.py",
    "tests/pages",
    "tests/rest/test_bad_input.py",
    "tests/rest/test_one_port.py",
    "tests/scans/test_faults.py",
    "tests/scans/test_large_answers.py",
    *(
        f"tests/service/test_{what}.py"
        for what in (
            "behind_proxy",
            "connections",
            "demo",
            "demo_history",
            "readme",
            "reset_mail",
            "serve_refusals",
            "settings",
            "supervisor",
        )
    ),
)
"""With a database, but about what is the same on any: what comes in, what is shown, how processes are kept."""
SEVERAL = (
    "tests/mcp/test_at_once.py",
    *(f"tests/scans/test_{what}.py" for what in ("interruptions", "rescore_crash", "rescore_readers")),
    "tests/scans/test_several_workers.py",
    "tests/service/test_database_away.py",
    "tests/writing/test_agents.py",
)
"""Many callers and workers at a time, and servers that restart: what the second variant is for."""
LEFT_OUT = {"embedded": SEVERAL, "distributed": (*PURE, *WHATEVER_BELOW)}
"""What a run leaves out on a variant, to be done in time; `--everything` leaves out nothing."""


def left_out(variant: str) -> list[str]:
    """The options that leave out what the other variant runs."""
    return [f"--deselect={path}" if "::" in path else f"--ignore={path}" for path in LEFT_OUT[variant]]
