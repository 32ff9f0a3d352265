"""What became of recommendations: which are in progress or done, and whether what was done has helped."""

from collections import Counter
from collections.abc import Sequence

from visibility.resources.recommendations import ProofResource, RecommendationResource
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step
from visibility.services.ask.kinds.work import is_meant
from visibility.services.ask.types import Step
from visibility.services.reading.reporting import recommendations

_ORDER = ("in_progress", "done", "resolved", "dismissed")
"""Which are told one by one; open ones are what there is to do."""


_MOVED = {"moved_up": "proof_moved_up", "moved_down": "proof_moved_down"}


def told_of_progress(context: QuestionContext) -> Told:
    """How many of what is meant are in which state, and those that are no longer open, each with its verdict."""
    queue = _meant(context)
    counts = Counter(item.status for item in queue)
    first = fact(
        "progress",
        subject=context.brand.name,
        topic=context.place["topic"],
        open=counts["open"],
        inProgress=counts["in_progress"],
        done=counts["done"],
        resolved=counts["resolved"],
        dismissed=counts["dismissed"],
    )
    decided = sorted((item for item in queue if item.status in _ORDER), key=lambda item: _ORDER.index(item.status))
    facts = [row for item in decided[:MOST] for row in (_work(item), *_proofs([item]))]
    return Told([first, *facts[:MOST]], _waits(context, queue))


def told_of_proofs(context: QuestionContext) -> Told:
    """Whether it helped: verdicts, the newest first, then what is not judged yet."""
    queue = _meant(context)
    facts = _proofs(queue)
    if not facts:
        done = sum(item.status == "done" for item in queue)
        facts = [fact("no_proof", subject=context.brand.name, topic=context.place["topic"], done=done)]
    return Told(facts[: MOST + 1], _waits(context, queue))


def _meant(context: QuestionContext) -> list[RecommendationResource]:
    queue = recommendations(context.caller, brand_id=context.brand.pk, status=None).recommendations
    return [item for item in queue if is_meant(context, item)]


def _work(item: RecommendationResource) -> Fact:
    day, reason = item.status_changed_at.date(), item.status_reason or None
    return fact("work", item.id, label=item.title, standing=item.status, day=day, reason=reason)


def _proofs(queue: Sequence[RecommendationResource]) -> list[Fact]:
    proven = [(item, item.proof) for item in queue if item.proof]
    proven.sort(key=lambda row: (row[1].judged_at is None, -(row[1].judged_at or row[1].done_at).timestamp()))
    return [_proof(item, proof) for item, proof in proven]


def _proof(item: RecommendationResource, proof: ProofResource) -> Fact:
    """The sentence of the verdict, or of what is waited for, with its figures."""
    if proof.verdict is None or proof.judged_at is None:
        return _waiting(item, proof)
    figures = {"delta": proof.delta, "low": proof.low, "high": proof.high}
    day = proof.judged_at.date()
    if proof.verdict == "not_comparable":
        return fact("proof_not_comparable", item.id, label=item.title, day=proof.done_at.date())
    if proof.verdict == "not_seen":
        return fact("proof_not_seen", item.id, label=item.title, least=proof.least, day=day, **figures)
    return fact(_MOVED[proof.verdict], item.id, label=item.title, day=day, **figures)


def _waiting(item: RecommendationResource, proof: ProofResource) -> Fact:
    day = proof.done_at.date()
    if proof.state == "baseline":
        return fact("proof_baseline", item.id, label=item.title, day=day)
    return fact("proof_collecting", item.id, label=item.title, day=day, scans=proof.scans, least=proof.least)


def _waits(context: QuestionContext, queue: Sequence[RecommendationResource]) -> Step | None:
    is_waiting = any(item.proof and item.proof.state != "judged" for item in queue)
    return site_step("run_visibility_scan", "scans_judge", context.brand) if is_waiting else None
