"""Faults in how changes are kept and told: counts of days, weeks and months, and what may be called a change."""

from tests.mutants.harness import Fault

_DAYS = ("tests/scans/test_development.py",)
_PAGES = ("tests/pages/test_changes.py",)
_ASKING = ("tests/writing/test_ask.py",)

DEVELOPMENT = (
    Fault(
        "the counts of a day stay when the day is written anew",
        "visibility/pipeline/days/scoring.py",
        "for rows in (DailyScore.of_all_generations, DayCount.of_all_generations):",
        "for rows in (DailyScore.of_all_generations,):",
        _DAYS,
    ),
    Fault(
        "citations are kept as mentions",
        "visibility/measured/counts.py",
        'mentioned=np.array(stored["mentioned"]',
        'mentioned=np.array(stored["cited"]',
        _DAYS,
    ),
    Fault(
        "a day without counts is compared",
        "visibility/pipeline/days/history.py",
        "for measured_day in days if measured_day.content is None]",
        "for measured_day in days if False]",
        _DAYS,
    ),
    Fault(
        "days of another panel count as a week before",
        "visibility/pipeline/days/developing.py",
        "[day for day in before if not history.causes(day, today)]",
        "list(before)",
        _DAYS,
    ),
    Fault(
        "an engine loses its past where another comes",
        "visibility/pipeline/days/developing.py",
        "by_days[_recent(today, _alike(history, today, before, engine))].add(engine)",
        "by_days[overall].add(engine)",
        _DAYS,
    ),
    Fault(
        "later days do not notice that an earlier one changed",
        "visibility/pipeline/days/history.py",
        "measured_day.day - day <= WINDOW",
        "False",
        _DAYS,
    ),
    Fault(
        "days are judged once for each day that is written",
        "visibility/pipeline/days/scoring.py",
        "    judge_changes(tracked.generation, ordered_days)\n",
        "    for day in ordered_days:\n        judge_changes(tracked.generation, [day])\n",
        _DAYS,
    ),
    Fault(
        "rows that say the same are written again",
        "visibility/pipeline/days/changes.py",
        "if _said(row) != said]",
        "]",
        _DAYS,
    ),
    Fault(
        "other prompts hide what is on common ones",
        "visibility/pipeline/days/common.py",
        "frozenset({Cause.PROMPTS, Cause.LOCALE})",
        "frozenset({Cause.LOCALE})",
        _DAYS,
    ),
    Fault(
        "the rest of a difference holds the common part, too",
        "visibility/pipeline/days/changes.py",
        "row.score - before - change.delta",
        "row.score - before",
        _DAYS,
    ),
    Fault(
        "a model that changed is taken for common ground",
        "visibility/pipeline/days/common.py",
        "        if {reason.code for reason in history.engine_causes(before, now, name)} <= _OTHER_PROMPTS\n",
        "",
        _DAYS,
    ),
    Fault(
        "the month before is told as the week before",
        "visibility/pipeline/days/changes.py",
        "row.change_week = as_stored(span_of(development.week, development.week_since)) if development else None",
        "row.change_week = as_stored(span_of(development.month, development.month_since)) if development else None",
        _DAYS,
    ),
    Fault(
        "an open move is called a change",
        "visibility/services/reading/change_words.py",
        'figure.confirmation.state == "confirmed"',
        'figure.confirmation.state in ("confirmed", "open")',
        (*_DAYS, *_ASKING),
    ),
    Fault(
        "what the monitor raises is not told",
        "visibility/services/reading/change_words.py",
        "    if monitor and monitor.raised:\n",
        "    if False:\n",
        (*_PAGES, *_ASKING),
    ),
    Fault(
        "the interval of a fall stands upside down",
        "visibility/services/reading/change_words.py",
        "(low, high) if delta > 0 else (-high, -low)",
        "(low, high)",
        (*_PAGES, *_ASKING),
    ),
    Fault(
        "ask tells the move of a single day",
        "visibility/services/ask/kinds/changes.py",
        '    if change is None or change.verdict == "moved":\n',
        "    if change is None:\n",
        _ASKING,
    ),
    Fault(
        "the portfolio counts single days as changes",
        "visibility/services/overview/portfolio.py",
        "sum(is_called(score) for score in measured)",
        "sum(_has_moved(score) for score in measured)",
        ("tests/reading/test_portfolio.py",),
    ),
    Fault(
        "now forgets the development of the day that it shows",
        "visibility/measured/changes.py",
        '"change_week", "change_month", "confirmation", "monitor", "changes")',
        '"changes")',
        _DAYS,
    ),
)
