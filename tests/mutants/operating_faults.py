"""What operators are told and do, and who opens what."""

from tests.mutants.harness import Fault

OPERATING = (
    Fault(
        "a run that a worker is at is queued again",
        "visibility/services/scans/requeueing.py",
        "if current.is_held_at(now):",
        "if not current.is_held_at(now):",
        ("tests/people/test_operating_admin.py",),
    ),
    Fault(
        "what a worker is at is offered to be queued again",
        "visibility/admin/runs.py",
        "applies=lambda run: run.is_active and not run.is_held_at(timezone.now()),",
        "applies=lambda run: run.is_active,",
        ("tests/people/test_operating_admin.py",),
    ),
    Fault(
        "the spend of the month is read from the rows of all answers",
        "visibility/measured/charges.py",
        '((answers, "run"), (calls, "pk"), (judgements, "pk"))',
        '((answers, "pk"), (calls, "pk"), (judgements, "pk"))',
        ("tests/people/test_status_admin.py",),
    ),
    Fault(
        "the page of a key is silent about its end",
        "apikeys/admin/keys.py",
        '("Revocation", {"fields": ("revoked_at", "revoked_by", "revoked_reason")}),',
        "",
        ("tests/people/test_keys_admin.py",),
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
