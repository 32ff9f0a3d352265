"""Faults in audit runs: who lets us in, what is asked, what is paid, what a killed worker leaves."""

from tests.mutants.harness import Fault

_WAY = "tests/audit/runs/test_way.py"
_PAGES = f"{_WAY}::TestSites"
_DOOR = f"{_WAY}::TestDoor"
_START = "tests/audit/runs/test_start.py"
_FRONTIER = "tests/audit/runs/test_frontier.py"
_AUDIT = "visibility/pipeline/audit"

AUDIT_RUNS = (
    Fault(
        "an audit takes the place of scans in the queue",
        "visibility/jobs/kinds.py",
        "    return ~Q(kind=Run.Kind.AUDIT)",
        "    return Q()",
        ("tests/scans/test_lease.py",),
    ),
    Fault(
        "an audit that is active is doubled",
        "visibility/services/scans/starting.py",
        "brand=brand, kind=kind, status__in=Run.ACTIVE)",
        "brand=brand, kind=kind, status=Run.Status.RUNNING)",
        (_START,),
    ),
    Fault(
        "an audit starts on a domain that is not public",
        "visibility/services/audits/starting.py",
        "        checked_url(url, local_hosts=settings.AUDIT_LOCAL_HOSTS, own_hosts=settings.ALLOWED_HOSTS)",
        "        pass",
        (_START,),
    ),
    Fault(
        "an audit that was given up counts as finished",
        "visibility/pipeline/items.py",
        "    usable_alone=False,",
        "    usable_alone=True,",
        (_START,),
    ),
    Fault(
        "what is no page is paid",
        f"{_AUDIT}/judging.py",
        'return (State.FETCHED, "") if is_html(reply) else (State.ASIDE, "not_html")',
        'return State.FETCHED, ""',
        (_PAGES,),
    ),
    Fault(
        "a page of another site is audited",
        f"{_AUDIT}/judging.py",
        "    if not same_site(fetched.final_url, home_url):",
        "    if False:",
        ("tests/audit/runs/test_judging.py",),
    ),
    Fault(
        "a challenge is taken for a page",
        f"{_AUDIT}/client.py",
        "        return len(self.body) <= _MAX_CHALLENGE_BYTES and bool(_CHALLENGE.search(self.body))",
        "        return False",
        ("tests/audit/runs/test_judging.py",),
    ),
    Fault(
        "a home page that refuses is not asked again",
        f"{_AUDIT}/arriving.py",
        "BUSY | REFUSALS | SERVER_ERRORS",
        "()",
        (_DOOR,),
    ),
    Fault(
        "a robots.txt that bars only us is a finding of the site",
        f"{_AUDIT}/arriving.py",
        "    if not barred:",
        "    if False:",
        (_DOOR,),
    ),
    Fault(
        "a site without a readable robots.txt is crawled",
        f"{_AUDIT}/rules.py",
        "self.robots.fetched.status >= 500 or bool(self.robots.fetched.error)",
        "False",
        (_DOOR,),
    ),
    Fault(
        "robots.txt is not obeyed in the crawl",
        f"{_AUDIT}/crawling.py",
        "            if self.rules.allow(candidate.url):",
        "            if True:",
        (_DOOR,),
    ),
    Fault(
        "a site that moved is audited without a word",
        f"{_AUDIT}/arriving.py",
        "    if not any(same_site(final",
        "    if False and not any(same_site(final",
        (_DOOR,),
    ),
    Fault(
        "a calendar is followed for ever",
        f"{_AUDIT}/frontier.py",
        "    return candidate.listed or candidate.depth <= near",
        "    return True",
        (_FRONTIER,),
    ),
    Fault(
        "a page that is stored is counted again",
        f"{_AUDIT}/storing.py",
        "position__in=batch, state=State.WAITING)",
        "position__in=batch)",
        ("tests/audit/runs/test_storing.py",),
    ),
    Fault(
        "pages are stored by who lost the run",
        f"{_AUDIT}/storing.py",
        "    with fenced(AUDIT, run.pk, worker, AUDIT.drained):",
        "    if True:",
        ("tests/audit/runs/test_storing.py",),
    ),
    Fault(
        "pages that stayed the same are analysed again",
        f"{_AUDIT}/reading.py",
        "        if key in self._known:",
        "        if False:",
        ("tests/audit/runs/test_storing.py",),
    ),
    Fault(
        "the latest audit loses its pages",
        "visibility/pipeline/retention.py",
        "        Exists(later.exclude(checked_at=None)),\n",
        "",
        ("tests/audit/runs/test_retention.py",),
    ),
    Fault(
        "audits wait for the places of scans",
        "visibility/tasks.py",
        "_unless_stopping(AUDIT, run_id, _audits)",
        "_unless_stopping(AUDIT, run_id, _slots)",
        ("tests/scans/test_tasks.py",),
    ),
)
