"""What operators are told and do, and who opens what."""

from tests.mutants.harness import Fault

OPERATING = (
    Fault(
        "a run that a worker is at is queued again",
        "visibility/services/scans/requeueing.py",
        "if current.lease_until and current.lease_until >= now:",
        "if current.lease_until and current.lease_until < now:",
        ("tests/people/test_operating_admin.py",),
    ),
    Fault(
        "a preset grants more than the person may",
        "apikeys/admin/keys.py",
        'cleaned["scopes"] = [scope for scope in offered if scope in wanted]',
        'cleaned["scopes"] = sorted(wanted)',
        ("tests/people/test_operating_admin.py",),
    ),
    Fault(
        "what waits too long is not told",
        "visibility/services/operating/status.py",
        "is_late = now - since > LATE",
        "is_late = now - since > LATE * 1000",
        ("tests/people/test_status_admin.py",),
    ),
    Fault(
        "a page that looks breaks for staff who may change nothing",
        "apikeys/staff/base.py",
        "            if name in self.fields:\n",
        "            if name:\n",
        ("tests/pages/test_isolation.py::test_a_page_of_the_staff_is_for_staff_with_its_permission",),
    ),
)
