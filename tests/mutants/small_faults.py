"""Faults of what pages tell while something is under way, of their filters, and of what is equal."""

from tests.mutants.harness import Fault

_SOURCES = "tests/pages/test_sources_page.py"
_ANSWERS = "tests/pages/test_answers_page.py"
_AUDITS = "tests/pages/test_audit_pages.py"
_SIGNED_OUT = "tests/pages/test_signed_out.py"
_ARCHIVE = "tests/tables/test_archive.py"

SMALL = (
    Fault(
        "queue: equals stand in the order of their ids",
        "visibility/models/recommendations.py",
        '("-priority", "-created_at", "kind", "subject")',
        '("-priority", "-created_at", "pk")',
        ("tests/pages/test_recommendation_pages.py",),
    ),
    Fault(
        "gaps: competitors named equally often come by their ids",
        "visibility/measured/facts.py",
        'names.get(rival, ""), str(rival)',
        "str(rival)",
        ("tests/imports/test_gaps.py",),
    ),
    Fault(
        "sources page: the topic of the address is not asked for",
        "visibility/pages/sources.py",
        'topic=filters.topics.get(chosen.get("topic", "")),',
        "topic=None,",
        (_SOURCES,),
    ),
    Fault(
        "sources page: the engine of the address is not asked for",
        "visibility/pages/sources.py",
        'engine=chosen.get("engine") or None,',
        "engine=None,",
        (_SOURCES,),
    ),
    Fault(
        "prompt page: an import's answers are all of the day on which it was made",
        "visibility/services/prompts/browsing.py",
        "Q(imported, answered_at__range=day)",
        "Q(imported, run__created_at__range=day)",
        (_ANSWERS,),
    ),
    Fault(
        "prompt page: answers of a scan that lasts past midnight are counted on the next day",
        "visibility/services/prompts/browsing.py",
        "self.answered_on if self.trigger == Run.Trigger.IMPORT else self.began.astimezone(UTC).date()",
        "self.answered_on",
        (_ANSWERS,),
    ),
    Fault(
        "day page: leads to all answers of an import",
        "visibility/pages/runs.py",
        'context |= {"leads_to_day": report.day.date, "runs": report.runs}',
        'context |= {"runs": report.runs}',
        (_ANSWERS,),
    ),
    Fault(
        "signed out: the sign-in page stands in the part that renews itself",
        "config/settings/base.py",
        '    "apikeys.signin.middleware.SignedOutMiddleware",\n',
        "",
        (_SIGNED_OUT,),
    ),
    Fault(
        "signed out: who sends a form is not told that nothing was saved",
        "apikeys/signin/middleware.py",
        "            messages.warning(request, NOT_SAVED)\n",
        "",
        (_SIGNED_OUT,),
    ),
    Fault(
        "signed out: the sign-in leads to wherever a form says that it stood",
        "apikeys/signin/middleware.py",
        "if is_ours and urlsplit(page).path",
        "if urlsplit(page).path",
        (_SIGNED_OUT,),
    ),
    Fault(
        "signed out: every way on of a part is taken for the sign-in",
        "apikeys/signin/middleware.py",
        'where.partition("?")[0] == resolve_url(settings.LOGIN_URL)',
        "bool(where)",
        (_SIGNED_OUT,),
    ),
    Fault(
        "audits: pages that are none of the site count as known",
        "visibility/services/audits/progress.py",
        "return self.fetched + self.failed + self.waiting",
        "return self.fetched + self.failed + self.waiting + 1",
        (_AUDITS,),
    ),
    Fault(
        "audits: the time left is told where more pages may be found",
        "visibility/pages/audits.py",
        "eta_seconds(running) if pages.waiting else None",
        "eta_seconds(running)",
        (_AUDITS,),
    ),
    Fault(
        "comparison page: the clock of scans is told",
        "visibility/pages/comparisons.py",
        "standing_run(frame.caller, brand_id=brand_id, kind=Run.Kind.COMPARISON)",
        "standing_run(frame.caller, brand_id=brand_id)",
        ("tests/pages/test_reading_pages.py",),
    ),
    Fault(
        "export: a table is left out",
        "visibility/services/tables/archive.py",
        "in BRAND_TABLES.items():",
        "in list(BRAND_TABLES.items())[1:]:",
        (_ARCHIVE,),
    ),
    Fault(
        "export: all of it is kept until the end",
        "visibility/services/tables/archive.py",
        "if outlet.is_full:",
        "if False:",
        (_ARCHIVE,),
    ),
)
