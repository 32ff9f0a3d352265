"""Recommendations and proofs in words: why one stands where it does, what it rests on, what became of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import counted, joined, one_line, shortened
from apikeys.text.untrusted import clean
from visibility.engines.display import display_name
from visibility.insights.proofs.wording import days_in_words, without_verdict
from visibility.insights.recommendations.kinds import KINDS
from visibility.metrics.shown import shown
from visibility.models import Proof, Recommendation
from visibility.pages.present.links import Link, link_to
from visibility.pages.present.proof_plot import ProofPlot, proof_plot

MAX_QUOTE = 1_500
"""Letters of a quote that a page shows."""
KIND_LABELS: Mapping[str, str] = {
    "topic_gap": "Topic where rivals stand",
    "engine_gap": "Engine that leaves you out",
    "cited_page": "Page of others worth being on",
    "own_page_unnamed": "Own page cited without your name",
    "own_page_lost": "Own page that lost citations",
    "statement": "Statement to correct",
    "claim": "Claim that engines miss",
    "criterion": "Criterion that rivals win",
    "search": "Search that no own page answers",
    "comparison_page": "Comparison page that is missing",
    "audit_finding": "Finding of the audit",
    "review_theme": "Theme of reviews to answer",
    "confirmed_fall": "Confirmed fall",
    "mention_gap": "Prompt where rivals are named",
    "source_gap": "Source cited in your place",
}
STATUS_LABELS: Mapping[str, str] = {
    "to_do": "To do",
    "open": "Open",
    "in_progress": "In progress",
    "done": "Done",
    "dismissed": "Dismissed",
    "resolved": "Resolved",
    "all": "All",
}
_EFFECTS = {"known": "effect measured by others", "likely": "effect plausible", "unknown": "effect not known"}
_VERDICTS = {
    Proof.Verdict.MOVED_UP: "It moved up",
    Proof.Verdict.MOVED_DOWN: "It moved down",
    Proof.Verdict.NOT_SEEN: "No change that these scans could see",
    Proof.Verdict.NOT_COMPARABLE: "Cannot be compared",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A recommendation as a list shows it; `proof` is its verdict, empty where there is none; `alike` counts
    what more there is of its kind beside the list."""

    row: Recommendation
    kind: str
    topic: str
    why: str
    engines: str
    age: str
    standing: str
    proof: str = ""
    alike: int = 0


@dataclass(frozen=True, slots=True)
class Quote:
    """One piece of evidence: a text of others or a measurement, and where it is from: `run` is that of its answer."""

    text: str
    is_quote: bool
    engine: str
    prompt: UUID | None
    link: Link | None
    run: UUID | None = None


@dataclass(frozen=True, slots=True)
class ProofShown:
    """A proof for its readers: what became of it in a few words, the sentence that says more, its figures, and the
    picture of them."""

    label: str
    is_judged: bool
    is_waiting: bool
    sentence: str
    plan: str
    figures: Sequence[tuple[str, str]]
    planned: Sequence[tuple[str, str]]
    plot: ProofPlot | None


def item_of(
    row: Recommendation, topic_names: Mapping[str, str], now: datetime, proof: Proof | None = None, alike: int = 0
) -> Item:
    """The recommendation in words; `topic_names` are what people read for topics."""
    return Item(
        row=row,
        kind=KIND_LABELS.get(row.kind, row.kind),
        topic=topic_names.get(row.topic, row.topic),
        why=why_there(row),
        engines=by_engine(row),
        age=age_of(row, now),
        standing=STATUS_LABELS[row.status],
        proof=verdict_of(proof) if proof else "",
        alike=alike,
    )


def why_there(row: Recommendation) -> str:
    """What the priority is made of, in a line."""
    factors = row.factors or {}
    parts = []
    # A finding of an audit is seen on pages: no answer and no engine shows it.
    on_pages = row.kind == "audit_finding" and not factors.get("engines")
    if factors.get("of_answers"):
        counts = f"{factors['answers']:,} of {counted(factors['of_answers'], 'page' if on_pages else 'answer')}"
        engines = f" on {factors['engines']} of {counted(factors['of_engines'], 'engine')}"
        parts.append(counts + (engines if factors.get("of_engines") and not on_pages else ""))
    if factors.get("reach") and not on_pages:
        parts.append(f"concerns {shown(100 * min(factors['reach'], 1), 0)} % of all answers of now")
    parts.append(_EFFECTS.get(factors.get("effect", ""), f"impact {row.impact}"))
    parts.append(f"effort {row.effort}")
    return " · ".join(parts)


def by_engine(row: Recommendation) -> str:
    """k of n answers by engine, those that show it first."""
    tallies = [tally for tally in row.payload.get("engines", ()) if tally.get("answers")]
    tallies.sort(key=lambda tally: -tally["gaps"] / tally["answers"])
    return ", ".join(
        f"{one_line(display_name(tally['engine']))} {tally['gaps']} of {tally['answers']}" for tally in tallies
    )


def age_of(row: Recommendation, now: datetime) -> str:
    """Since when there is the gap."""
    days = max((now.date() - row.opened_at.date()).days, 0)
    return "opened today" if days == 0 else f"opened {counted(days, 'day')} ago"


def reason_of(kind: str) -> str:
    """Why recommendations of this kind matter; empty for those of earlier releases."""
    return next((known.reason for known in KINDS if known.id == kind), "")


def quotes_of(row: Recommendation, runs: Mapping[UUID, UUID]) -> Iterator[Quote]:
    """The evidence, without characters that hide or reorder text, each piece cut where it is long. `runs` are those
    of the answers, by answer."""
    for item in row.evidence:
        yield Quote(
            text=shortened(clean(str(item.get("text", ""))), MAX_QUOTE),
            is_quote=item.get("kind") != "measurement",
            engine=one_line(item.get("engine") or ""),
            prompt=UUID(item["prompt_id"]) if item.get("prompt_id") else None,
            link=link_to(item.get("url")),
            run=runs.get(UUID(item["answer_id"])) if item.get("answer_id") else None,
        )


def proof_shown(proof: Proof) -> ProofShown:
    """How far a proof is, or what it says."""
    plan, result = proof.plan, proof.result
    is_judged = proof.state == Proof.State.JUDGED
    return ProofShown(
        label=verdict_of(proof),
        is_judged=is_judged,
        is_waiting=proof.state == Proof.State.BASELINE,
        sentence=without_verdict(one_line(result.get("sentence") or result.get("why_not") or "")),
        plan=one_line(plan.get("sentence") or plan.get("why_not") or ""),
        figures=list(_figures(result)),
        planned=planned_of(plan),
        plot=proof_plot(result) if is_judged else None,
    )


def verdict_of(proof: Proof) -> str:
    """What became of work in a few words, or what is waited for."""
    if proof.state != Proof.State.JUDGED:
        return str(proof.get_state_display()).capitalize()
    return _VERDICTS[Proof.Verdict(proof.verdict)]


def planned_of(plan: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a plan freezes, each figure with its name; what it does not hold is left out."""
    rows = (
        ("Scans", f"{plan.get('scans') or 0:,}"),
        ("Answers", f"{plan.get('answers') or 0:,}"),
        ("Credits", f"{plan.get('credits') or 0:,}"),
        ("Engines", joined([one_line(display_name(engine)) for engine in plan.get("engines") or ("–",)])),
        ("Held against", _days(plan.get("baseline")) or "a baseline that has still to be measured"),
        ("Control", _topics(plan.get("control_topics"))),
        ("Can see, in four cases of five", _points(plan.get("least"))),
        ("Days that count", _span(plan.get("not_before"), plan.get("last"))),
    )
    return [(name, value) for name, value in rows if value]


def _figures(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if (delta := result.get("delta")) is not None:
        low, high = result.get("low"), result.get("high")
        interval = "" if low is None or high is None else f" (95 %: {_signed(low)} to {_signed(high)})"
        yield "Difference to the control", f"{_points(delta, signed=True)}{interval}"
    for name, label in (("own", "Change of this topic"), ("control", "Change of the other topics")):
        if result.get(name) is not None:
            yield label, _points(result[name], signed=True)
    if result.get("least") is not None:
        yield "It could have seen", f"a change of {_points(result['least'])} or more, in four cases of five"
    if days := _days(result.get("days")):
        yield "Measured on", days


def _topics(topics: Sequence[str] | None) -> str:
    return f"the same change on {counted(len(topics), 'other topic')} of the brand" if topics else ""


def _points(value: float | None, *, signed: bool = False) -> str:
    return "" if value is None else f"{shown(value, signed=signed)} points"


def _signed(value: float) -> str:
    return shown(value, signed=True)


def _days(days: Sequence[str] | None) -> str:
    return days_in_words([_day(day) for day in days]) if days else ""


def _span(first: str | None, last: str | None) -> str:
    return f"{date_format(_day(first))} to {date_format(_day(last))}" if first and last else ""


def _day(day: str | date) -> date:
    return day if isinstance(day, date) else date.fromisoformat(day)
