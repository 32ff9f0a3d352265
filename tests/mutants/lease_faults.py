"""Faults in how long a run may use what it was granted of a provider's limits."""

from tests.mutants.harness import Fault

LEASES = (
    Fault(
        "calls begin within a grant that has ended",
        "visibility/pipeline/ask/account.py",
        "        if now >= self._grant_ends:\n            return None\n",
        "",
        ("tests/scans/test_ledger.py",),
    ),
    Fault(
        "places of an ended grant are claimed as if they were held",
        "visibility/pipeline/ask/account.py",
        "        if now >= self._grant_ends:\n            self._granted = 0\n",
        "",
        ("tests/scans/test_ledger.py",),
    ),
    Fault(
        "the lease is counted from the grant",
        "visibility/pipeline/ask/account.py",
        "self._grant_ends = self._claimed_at + LEASE_SECONDS",
        "self._grant_ends = time.monotonic() + LEASE_SECONDS",
        ("tests/scans/test_ledger.py",),
    ),
    Fault(
        "a cache that was silent for a lease leaves all that was granted before",
        "visibility/pipeline/ask/sharing.py",
        "time.monotonic() - self._heard >= LEASE_SECONDS",
        "False",
        ("tests/scans/test_provider_limits.py",),
    ),
    Fault(
        "the forecast counts an overdue scan twice",
        "visibility/services/overview/portfolio.py",
        "    number = 0\n    while slot",
        "    number = 1\n    while slot",
        ("tests/reading/test_portfolio.py",),
    ),
)
