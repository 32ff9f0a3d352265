"""Faults in what *now* is, in why days cannot be compared, and in what comes first."""

from tests.mutants.harness import Fault

_NOW = ("tests/reading/test_now.py",)
_CAUSES = ("tests/scans/test_change_causes.py",)

NOW = (
    Fault(
        "engines that were asked a day before vanish from now",
        "visibility/measured/basis.py",
        "    for stored_day in newest:\n        for item",
        "    for stored_day in newest[:1]:\n        for item",
        _NOW,
    ),
    Fault(
        "an engine that answered too little of a day counts with it",
        "visibility/measured/basis.py",
        "            if item.score is not None:\n                engine_day",
        "            if True:\n                engine_day",
        _NOW,
    ),
    Fault(
        "an engine that is not asked any more stays for ever",
        "visibility/measured/basis.py",
        "engine_days = {name: day for name, day in counted_days.items() if name in in_use} or counted_days",
        "engine_days = counted_days",
        _NOW,
    ),
    Fault(
        "an engine that covers a part of the prompts enters the mean",
        "visibility/measured/now.py",
        "return self.answered > 0 and covers(self.answered, self.prompts)",
        "return True",
        _NOW,
    ),
    Fault(
        "archived prompts count in now",
        "visibility/measured/reading.py",
        "answers = answers.filter(prompt__archived_at=None)",
        "pass",
        _NOW,
    ),
    Fault(
        "the stored day is now although prompts were archived since",
        "visibility/measured/basis.py",
        "if state.archived_at is not None and (state.has_imports or state.archived_at >= start):",
        "if False:",
        _NOW,
    ),
    Fault(
        "the window knows no cadence",
        "visibility/measured/basis.py",
        "max(WINDOW_DAYS, CADENCE_DAYS.get(cadence, 0) * 3 // 2)",
        "WINDOW_DAYS",
        _NOW,
    ),
    Fault(
        "a known engine is said never to have been asked",
        "visibility/services/reading/asked_engines.py",
        "{*measured, *_ever_measured(brand_id)}",
        "set(measured)",
        _NOW,
    ),
    Fault(
        "now of several brands is read brand by brand",
        "visibility/services/overview/portfolio.py",
        "nows += count_now(mixed, bases).values()",
        "nows += [now for brand in mixed for now in count_now([brand], bases).values()]",
        _NOW,
    ),
    Fault(
        "no cause is told of days that cannot be compared",
        "visibility/pipeline/days/changes.py",
        'causes=kept(reasons or ([] if _is_told(head) else [no_score("the site")])),',
        "causes=[],",
        _CAUSES,
    ),
    Fault(
        "an engine is compared although another model answered",
        "visibility/pipeline/days/panels.py",
        '        *model_causes(engine, earlier["models"], later["models"]),\n',
        "",
        ("tests/scans/test_change.py",),
    ),
    Fault(
        "engines that take turns are never compared",
        "visibility/pipeline/days/changes.py",
        "next((day for day in reversed(before) if engine in day.engines), None)",
        "(previous if engine in previous.engines else None)",
        _CAUSES,
    ),
    Fault(
        "a day that looks back further is not judged anew",
        "visibility/pipeline/days/history.py",
        " or measured_day.day - day <= WINDOW or measured_day.engines - known_engines:",
        " or measured_day.day - day <= WINDOW:",
        _CAUSES,
    ),
    Fault(
        "strengths are ordered by the alphabet",
        "visibility/insights/recommendations/standouts.py",
        "    return (-question.worth,)",
        "    return (-question.worth, *map(ord, question.label))",
        ("tests/reading/test_brief.py",),
    ),
    Fault(
        "gaps of one priority are ordered by their subject",
        "visibility/insights/recommendations/types.py",
        "            -self.priority,\n",
        "            -self.priority,\n            self.subject,\n",
        ("tests/imports/test_gaps.py",),
    ),
    Fault(
        "gaps that only their words tell apart are ordered by ids",
        "visibility/insights/recommendations/types.py",
        "            (self.wording or self.subject).casefold(),\n",
        "",
        ("tests/imports/test_gaps.py",),
    ),
    Fault(
        "old figures do not say their age",
        "visibility/measured/ages.py",
        "if (today - day).days > WINDOW_DAYS:",
        "if False:",
        _NOW,
    ),
    Fault(
        "the answers of now stand as the database gives its rows",
        "visibility/measured/found.py",
        "sorted(rows[_ANSWER], key=lambda row: row.answer.int)",
        "rows[_ANSWER]",
        ("tests/reading/test_found.py",),
    ),
    Fault(
        "of two topics with equally many gaps the first one read is told",
        "visibility/measured/facts.py",
        "key=lambda topic: (-answers[topic], -others[topic], topic)",
        "key=lambda topic: -answers[topic]",
        ("tests/recommendations/test_cited_pages.py",),
    ),
)
