"""Faults of what people decide about recommendations, and of the life of a proof."""

from tests.mutants.harness import Fault

_PLANS = "tests/loop/test_plans.py"
_BASELINES = "tests/loop/test_baselines.py"
_VERDICTS = "tests/loop/test_verdicts.py"
_SHARED = "tests/loop/test_shared.py"
_MONTHS = "tests/loop/test_months.py"
_STATUSES = ("tests/loop/test_statuses.py",)
_PLANNING = "visibility/insights/proofs/planning.py"
_JUDGING = "visibility/insights/proofs/judging.py"
_DECIDING = "visibility/services/recommendations/deciding.py"

PROOF_LIFE = (
    Fault(
        "the answers that opened the gap are the baseline",
        _PLANNING,
        "if day.day > min(gap_days) and day.day not in gap_days]",
        "if day.day >= min(gap_days)]",
        (f"{_PLANS}::test_done_freezes_a_plan",),
    ),
    Fault(
        "the baseline leaves out the gap of the first recommendation alone",
        _PLANNING,
        "if day.day > min(gap_days) and day.day not in gap_days]",
        "if day.day > min(gap_days)]",
        (f"{_SHARED}::test_two_on_one_topic_share_it",),
    ),
    Fault(
        "any later day becomes the baseline",
        _PLANNING,
        "read_days(brand, min(gap_days) - LOOKED_BACK, done_on + ONE_DAY)",
        "read_days(brand, min(gap_days) - LOOKED_BACK, date.max)",
        (f"{_BASELINES}::test_later_than_the_day_after_nothing_can_be_compared",),
    ),
    Fault(
        "a baseline is waited for without end",
        _PLANNING,
        "    elif is_over(done_on + ONE_DAY, now):\n",
        "    elif False:\n",
        (f"{_BASELINES}::test_nor_without_any_scan",),
    ),
    Fault(
        "two recommendations on one topic have two proofs",
        _PLANNING,
        "shared.exclude(state=Proof.State.JUDGED).first()",
        "shared.none().first()",
        (f"{_SHARED}::test_two_on_one_topic_share_it",),
    ),
    Fault(
        "a topic that is worked on as well is a control",
        _PLANNING,
        "{*latest.topics} - {key} - topics_worked_on(brand, baseline[0])",
        "{*latest.topics} - {key}",
        (f"{_MONTHS}::test_verdicts_of_a_month_share_their_false_alarms",),
    ),
    Fault(
        "days before the last of the baseline are judged",
        _JUDGING,
        "later = [day for day in measured if day.day >= plan.not_before]",
        "later = measured",
        (f"{_VERDICTS}::test_it_comes_with_the_last_scan_of_the_plan",),
    ),
    Fault(
        "a proof is judged by its first scan",
        _JUDGING,
        "if why is None and len(after) >= plan.scans:",
        "if why is None and after:",
        (f"{_VERDICTS}::test_it_comes_with_the_last_scan_of_the_plan",),
    ),
    Fault(
        "days that measured something else are judged",
        _JUDGING,
        "framed(day, plan.engines, plan.wordings) for day, why in zip(later, reasons, strict=True) if why is None",
        "framed(day, plan.engines, plan.wordings) for day, why in zip(later, reasons, strict=True)",
        (f"{_VERDICTS}::test_days_without_an_engine_do_not_count",),
    ),
    Fault(
        "topics are what they are called now",
        "visibility/insights/proofs/days.py",
        "topics=tuple(wordings[key] for key in keys),",
        "topics=tuple(day.topics[place] for place in places),",
        (f"{_VERDICTS}::test_topics_that_are_called_otherwise_meanwhile_stay_what_they_were",),
    ),
    Fault(
        "a proof that nobody waits for is never judged",
        "visibility/tasks.py",
        "    judge_overdue()\n",
        "",
        (f"{_BASELINES}::test_nor_without_any_scan",),
    ),
    Fault(
        "a scan that ends judges nothing",
        "visibility/pipeline/finishing.py",
        "                judge_proofs(brand, now)\n",
        "",
        (f"{_VERDICTS}::test_it_comes_with_the_last_scan_of_the_plan",),
    ),
    Fault(
        "a new generation judges nothing",
        "visibility/pipeline/generations/building.py",
        "            judge_proofs(brand, timezone.now())\n",
        "",
        (f"{_VERDICTS}::test_figures_that_are_counted_anew_are_judged_too",),
    ),
    Fault(
        "each verdict of a month stands by itself",
        "visibility/insights/proofs/sharing.py",
        "family = [proof for proof in _of_month(brand, now) if proof not in results]",
        "family = []",
        (f"{_MONTHS}::test_a_new_one_may_change_an_earlier_one_which_says_so",),
    ),
    Fault(
        "verdicts of all months share",
        "visibility/insights/proofs/sharing.py",
        "judged.filter(judged_at__gte=first, judged_at__lte=moment)",
        "judged.filter(judged_at__lte=moment)",
        (f"{_MONTHS}::test_those_of_another_month_stay",),
    ),
    Fault(
        "a verdict that changes does not say so",
        "visibility/insights/proofs/sharing.py",
        "        if proof.verdict and proof.verdict != verdict:\n",
        "        if False:\n",
        (f"{_MONTHS}::test_a_new_one_may_change_an_earlier_one_which_says_so",),
    ),
    Fault(
        "a proof goes with the first that is reopened",
        _PLANNING,
        "Proof.objects.filter(pk=proof.pk, recommendations=None).exclude",
        "Proof.objects.filter(pk=proof.pk).exclude",
        (f"{_SHARED}::test_it_goes_with_the_last_of_them",),
    ),
    Fault(
        "a verdict goes with what is reopened",
        _DECIDING,
        "row.proof and row.proof.state != Proof.State.JUDGED else row.proof",
        "row.proof else row.proof",
        (f"{_SHARED}::test_a_verdict_stays",),
    ),
    Fault(
        "a dismissal needs no reason",
        _DECIDING,
        "if status == _Status.DISMISSED and not reason:",
        "if False:",
        _STATUSES,
    ),
    Fault(
        "viewers decide",
        _DECIDING,
        "    brand = editable_brand(caller, recommendation.brand_id, lock=True)\n    reason",
        "    brand = recommendation.brand\n    reason",
        _STATUSES,
    ),
    Fault(
        "the same status is a change",
        _DECIDING,
        "    if row.status != status:\n        _change",
        "    if True:\n        _change",
        _STATUSES,
    ),
)
