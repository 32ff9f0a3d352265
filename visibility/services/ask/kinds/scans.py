"""Scans: which there were, when the next one comes, what one would take."""

import re
from collections.abc import Sequence

from django.utils import timezone

from apikeys.errors import ServiceError
from brands.models import Cadence
from visibility.models import Run
from visibility.resources.brands import RunResource
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step
from visibility.services.ask.kinds.account import credits_of
from visibility.services.ask.types import Step, Value
from visibility.services.ask.vocabulary import any_of
from visibility.services.reading.reporting import runs
from visibility.services.scans.estimates import estimate_scan
from visibility.services.scans.schedule import next_slot

_SCAN = re.compile(rf"\b(?:scan|{any_of(lambda words: words.refusals.started)})", re.IGNORECASE)


def told_of_runs(context: QuestionContext) -> Told:
    """The latest runs, of the period that is meant or of all."""
    brand, period = context.brand, context.about.period
    latest = [
        run
        for run in runs(context.caller, brand_id=brand.pk).runs
        if period is None or period.first <= run.created_at.date() <= period.last
    ][:MOST]
    if not latest:
        first, last = (period.first, period.last) if period else (None, None)
        return Told([fact("no_runs", subject=brand.name, first=first, day=last)], _scan(context, "would_measure"))
    facts = [fact_of_run(run) for run in latest]
    active = next((run for run in latest if run.status in ("queued", "running")), None)
    unknown = None
    if active:
        unknown = site_step("get_scan_status", "would_show_progress", brand, {"runId": str(active.id)})
    return Told(facts, unknown)


def fact_of_run(run: RunResource) -> Fact:
    """How a run stands or ended."""
    return fact(
        "run",
        run.id,
        kind=run.kind,
        status=run.status,
        begun=run.created_at,
        day=run.created_at.date(),
        count=run.progress.done,
        total=run.progress.total,
        failed=run.progress.failed or None,
        error=run.error.message if run.error else None,
    )


def told_of_next_scan(context: QuestionContext) -> Told:
    """When the next scan starts by itself; whether one is under way; what it takes to start one now."""
    brand = context.brand
    active = (
        Run.objects.restrict(context.caller, "view")
        .filter(brand=brand, status__in=Run.ACTIVE)
        .order_by("-created_at")
        .first()
    )
    facts = []
    if active is not None:
        facts.append(
            fact(
                "under_way",
                active.pk,
                kind=active.kind,
                status=active.status,
                count=active.done,
                total=active.total,
                begun=active.created_at,
            )
        )
    now = timezone.now()
    slot = max(brand.next_run_at, now) if brand.next_run_at else next_slot(brand, now)
    if brand.cadence == Cadence.MANUAL or slot is None:
        facts.append(fact("no_schedule", subject=brand.name, cadence=brand.cadence, nextScanAt=None))
    else:
        facts.append(fact("next_scan", subject=brand.name, cadence=brand.cadence, nextScanAt=slot, day=slot.date()))
    return Told(facts, None if active else _scan(context, "would_scan_now"))


def told_of_cost(context: QuestionContext) -> Told:
    """What a scan would take now: credits, answers, money as far as prices are known; whether the credits suffice."""
    brand = context.brand
    try:
        estimate = estimate_scan(context.caller, brand_id=brand.pk)
    except ServiceError as refusal:
        cost = [fact("no_cost", subject=brand.name, reason=refusal.code.value)]
        step = site_step("list_prompts", "would_need_prompts", brand)
        return Told(_in_order(context, cost, credits_of(context.caller.user)), step)
    engines: list[Value] = [
        {"engine": row.engine, "answers": row.calls, "cost": _money(row.cost)} for row in estimate.engines
    ]
    cost = [
        fact(
            "cost",
            subject=brand.name,
            credits=estimate.credits,
            answers=estimate.credits,
            engines=engines,
            cost=_money(estimate.cost),
            minutes=_minutes(estimate.seconds),
        )
    ]
    left: list[Fact] = []
    if context.caller.user is not None and brand.owner_id == context.caller.user.pk:
        left += credits_of(context.caller.user)
        left += [] if estimate.affordable else [fact("credits_do_not_suffice", subject=brand.name)]
    return Told(_in_order(context, cost, left), _scan(context, "would_spend") if estimate.affordable else None)


def _in_order(context: QuestionContext, cost: Sequence[Fact], credits: Sequence[Fact]) -> list[Fact]:
    """What a scan costs first where the question speaks of one, else what is left."""
    return [*cost, *credits] if _SCAN.search(context.question) else [*credits, *cost]


def _money(cost: object) -> float | None:
    return None if cost is None else round(float(str(cost)), 4)


def _minutes(seconds: float | None) -> int | None:
    return None if seconds is None else max(1, round(seconds / 60))


def _scan(context: QuestionContext, key: str) -> Step:
    return site_step("run_visibility_scan", key, context.brand, subject=context.brand.name)
