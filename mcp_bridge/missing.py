"""What a result cannot tell, as data: the part, a reason code, and the call that would suffice.

Rules look at the JSON of a result, so that a tool names those that hold for it and no service repeats them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from apikeys.scopes import Scope
from apikeys.text.untrusted import unmarked
from visibility.resources.steps import Missing, NextStep, by_people, called, next_step, written_step
from visibility.services.prompts.writing import MAX_PROMPTS

MAX_MISSING = 4
"""Of one result; the gravest come first."""
_WINDOW = timedelta(days=30)
_FEW_LEFT = "Most of the prompts that were asked are archived. New ones count from the next scan."
Body = dict[str, Any]
Rule = Callable[[Body], Iterator[Missing]]


def missing_of(body: Body, rules: tuple[Rule, ...], steps: "Steps") -> list[Body]:
    """What the rules find missing, as JSON."""
    missing_parts = [missing for rule in rules for missing in rule(body)][:MAX_MISSING]
    for missing in missing_parts:
        missing.next_step = steps.allowed(missing.next_step)
    return [written_step(missing) for missing in missing_parts]


@dataclass(frozen=True, slots=True)
class Steps:
    """Which steps a caller may take: `scopes` are those of the tools by name, `allowing` those of the caller."""

    scopes: Mapping[str, Scope]
    allowing: frozenset[str]

    def allowed(self, step: NextStep) -> NextStep:
        """The step, or whom to ask for the scope that it needs."""
        needed = {called(name): scope for name, scope in self.scopes.items()}.get(step.tool or "")
        if needed is None or needed in self.allowing:
            return step
        return by_people(f"{step.why} This needs {step.tool}: ask the operator for a key with the scope {needed}.")


def scan_first(part: str) -> Rule:
    """The part rests on scans, and there was none that counts."""

    def rule(body: Body) -> Iterator[Missing]:
        is_withheld = any(row["part"] == part for row in body.get("withheld", ()))
        if body["asOf"] is None and not is_withheld and not body.get(part):
            yield Missing(part=part, reason="not_measured", next_step=_scan(body))

    return rule


def withheld(body: Body) -> Iterator[Missing]:
    """Parts that need a scope which the key lacks."""
    if rows := body["withheld"]:
        scopes = ", ".join(dict.fromkeys(row["requiredScope"] for row in rows))
        step = by_people(f"Ask the operator for a key with {scopes}.")
        yield Missing(part=", ".join(row["part"] for row in rows), reason="insufficient_scope", next_step=step)


def unmeasured_sites(body: Body) -> Iterator[Missing]:
    """Sites that were never measured; the step is of the first."""
    is_withheld = any(row["part"] == "sites.visibility" for row in body["withheld"])
    sites = [] if is_withheld else [row for row in body["sites"] if row["visibility"] is None]
    if sites:
        names = ", ".join(row["name"] for row in sites[:3]) + " …" * (len(sites) > 3)
        step = _scan({"site": sites[0]})
        step.why = f"{names}: no scan yet. {step.why}"
        yield Missing(part="sites[].visibility", reason="not_measured", next_step=step)


def empty(part: str, reason: str, step: Callable[[Body], NextStep]) -> Rule:
    """A list without rows."""

    def rule(body: Body) -> Iterator[Missing]:
        if body[part] == []:
            yield Missing(part=part, reason=reason, next_step=step(body))

    return rule


def first_of(*rules: Rule) -> Rule:
    """What the first of these rules finds that finds anything: the others would follow from it."""

    def rule(body: Body) -> Iterator[Missing]:
        yield from next((missing_parts for one in rules if (missing_parts := list(one(body)))), [])

    return rule


def call(tool: str, why: str, **arguments: Any) -> Callable[[Body], NextStep]:
    """The step of calling a tool about the site of the result."""
    return lambda body: next_step(tool, why, siteId=site_of(body), **arguments)


def people(why: str) -> Callable[[Body], NextStep]:
    """The step that people take."""
    return lambda body: by_people(why)


def site_of(body: Body) -> str:
    """The id of the site that a result is about."""
    site = body.get("site") or body["brand"]
    return str(site["id"] if isinstance(site, dict) else site)


def engines_left_out(body: Body) -> Iterator[Missing]:
    """Engines that now does not show, or that are no part of the figure over engines."""
    now = body["now"] or {}
    rows = [*now.get("leftOut", ()), *(row for row in now.get("engines", ()) if not row["averaged"])]
    for row in rows:
        takes_a_scan = row["reason"] in ("too_few_answers", "too_old", "prompts_archived")
        why = f"The operator decides which engines are asked: {row['note']}."
        step = _scan(body) if takes_a_scan else by_people(why)
        yield Missing(part=f"now.engines: {row['engine']}", reason=row["reason"], next_step=step)


def interval(body: Body) -> Iterator[Missing]:
    """A score without a topic interval."""
    now = body["now"]
    if now and now["fewLeft"]:
        step = _scan(body) if now["notAskedYet"] else next_step("generate_prompts", _FEW_LEFT, siteId=site_of(body))
        yield Missing(part="now.low, now.high", reason="few_prompts_left", next_step=step)
    elif now and now["score"] is not None and (now["low"] is None or now["interval"] == "questions"):
        why = (
            f"An interval for prompts like these needs prompts of four topics; there are {now['topics']}. New ones "
            "count from the next scan."
        )
        step = next_step("generate_prompts", why, siteId=site_of(body))
        yield Missing(part="now.low, now.high", reason="too_few_topics", next_step=step)


def not_asked_yet(body: Body) -> Iterator[Missing]:
    """Active prompts that the figures of now do not hold yet."""
    now = body["now"]
    if now and now["notAskedYet"]:
        step = _scan(body)
        step.why = f"Not asked yet: {now['notAskedYet']} of the active prompts. {step.why}"
        yield Missing(part="now.notAskedYet", reason="not_asked", next_step=step)


def change(body: Body) -> Iterator[Missing]:
    """A change that cannot be told."""
    figures = (body["change"] or {}).get("change")
    if not figures or figures["verdict"] not in ("cannot_detect", "not_comparable"):
        return
    step = _scan(body) if figures["verdict"] == "not_comparable" else _finer(body)
    if figures["verdict"] == "not_comparable" and figures["causes"]:
        cause = figures["causes"][0]["message"]
        step.why = f"Two scans with the same engines and prompts can be compared; now {cause}."
    yield Missing(part="change", reason=figures["verdict"], next_step=step)


def _finer(body: Body) -> NextStep:
    """What would show a change, as the planner knows it."""
    budget = body["budgets"]["change"] or body["budgets"]["score"]
    if budget is None or budget["needed"] is None:
        return _scan(body)
    wanted = (budget["allowed"] or budget["needed"])["prompts"] - budget["prompts"]
    if budget["advice"] == "prompts" and wanted > 0:
        return next_step("generate_prompts", budget["reason"], siteId=site_of(body), count=min(wanted, MAX_PROMPTS))
    return by_people(f"{budget['reason']} The operator sets how often a scan asks each prompt.")


def trend_elsewhere(body: Body) -> Iterator[Missing]:
    """Measured days, but none in the window that was asked for."""
    if body["asOf"] and not body["trend"]:
        last = date.fromisoformat(body["asOf"])
        days = {"from": _milliseconds(last - _WINDOW), "to": _milliseconds(last)}
        why = f"No day of the window was measured; the latest one is {body['asOf']}."
        step = next_step("get_visibility_scores", why, siteId=site_of(body), **days)
        yield Missing(part="trend", reason="not_in_window", next_step=step)


def audit(body: Body) -> Iterator[Missing]:
    """No audit that gave findings."""
    if body["howToGetOne"]:
        is_running = bool(body.get("running"))
        tool = "get_audit_scores" if is_running else "run_audit_scan"
        step = next_step(tool, body["howToGetOne"], siteId=site_of(body))
        reason = "running" if is_running else "never_audited" if not body.get("failed") else "audit_failed"
        yield Missing(part="findings", reason=reason, next_step=step)


def rival(body: Body) -> Iterator[Missing]:
    """Nobody to compare with: the first suggestion that has a domain, else the user says who."""
    if body["competitors"]:
        return
    known = next((row for row in body["suggestions"] if row["domain"]), None)
    why = "Figures beside competitors need one."
    step = by_people(
        f"{why} Ask the user for the name and the domain of a rival; {called('add_competitor')} adds it."
    )
    if known:
        why = f"{why} Answers name this one; its domain is a guess: ask the user first."
        step = next_step(
            "add_competitor",
            why,
            siteId=site_of(body),
            **{name: unmarked(known[name]) for name in ("name", "domain")},
        )
    yield Missing(part="competitors", reason="no_competitors", next_step=step)


def _scan(body: Body) -> NextStep:
    why = "A scan asks the engines all prompts of the site: minutes, and a credit for each answer."
    return next_step("run_visibility_scan", why, siteId=site_of(body))


def _milliseconds(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def no_run(body: Body) -> Iterator[Missing]:
    """No run, or one that came to nothing."""
    run = body["run"]
    if run is None or run["status"] in ("failed", "cancelled"):
        yield Missing(part="run", reason="not_measured" if run is None else run["status"], next_step=_scan(body))


def answers_first(part: str, count: Callable[[Body], int]) -> Rule:
    """The part rests on answers to one prompt, and there are none."""

    def rule(body: Body) -> Iterator[Missing]:
        if not count(body):
            yield Missing(part=part, reason="not_asked", next_step=_scan(body))

    return rule
