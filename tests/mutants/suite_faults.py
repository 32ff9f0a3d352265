"""The faults of the suite itself: what tests inherit, what they leave behind, what is stopped."""

from tests.mutants.harness import Fault

RUNNER = ("tests/architecture/test_run.py",)

SUITE = (
    Fault(
        "a make that a test starts takes itself for a part of another",
        "tests/run.py",
        "not in (*OURS, *OF_MAKE)",
        "not in OURS",
        RUNNER,
    ),
    Fault(
        "each process that a test starts compiles every module anew",
        "tests/run.py",
        'if env.pop("PYTHONDONTWRITEBYTECODE", ""):',
        'if env.get("PYTHONDONTWRITEBYTECODE") == "never":',
        RUNNER,
    ),
    Fault(
        "tests that are stopped leave processes behind",
        "tests/run.py",
        "os.killpg(process.pid, signal.SIGKILL)",
        "process.kill()",
        RUNNER,
    ),
    Fault(
        "a flush takes away what migrations made",
        "tests/databases.py",
        "        flush(statements)\n        put_back()\n",
        "        flush(statements)\n",
        ("tests/service/test_between_tests.py",),
    ),
)
