"""The verdicts of a brand in a calendar month share a false-discovery rate of 5 %: with each new one all are given
anew. An earlier one may change by that: then it says so."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from apikeys.text.sentences import one_line
from brands.models import Brand
from visibility.insights.proofs.stored import result_of
from visibility.insights.proofs.types import EarlierVerdict, StoredResult
from visibility.insights.proofs.wording import result_sentence
from visibility.measured.stored import as_stored
from visibility.measured.topics import read_topics
from visibility.metrics.change import Metric
from visibility.metrics.proof.judging import verdicts
from visibility.metrics.proof.types import ProofResult, ProofVerdict
from visibility.metrics.types import rounded
from visibility.models import Proof

_FIGURES = ("own", "control", "delta", "low", "high", "least")


def share_month(brand: Brand, results: Mapping[Proof, tuple[ProofResult, Sequence[date]]], now: datetime) -> None:
    """Store the verdicts of proofs that are judged now, each with its days, and those of the same UTC month anew.

    Without results nothing changes. Call it under the lock of the brand's row.
    """
    if not results:
        return
    family = [proof for proof in _of_month(brand, now) if proof not in results]
    for proof, (result, days) in results.items():
        proof.state, proof.judged_at, proof.waits_until, proof.p = Proof.State.JUDGED, now, None, result.p
        figures: dict[str, Any] = {name: rounded(getattr(result, name)) for name in _FIGURES}
        proof.result = as_stored(StoredResult(**figures, adjusted_p=None, days=days, why_not=None, sentence=""))
        family.append(proof)
    judged = verdicts({proof.pk: _result(proof) for proof in family})
    names = read_topics(brand.pk)
    for proof in family:
        verdict, p = judged[proof.pk].verdict, judged[proof.pk].adjusted_p
        stored = replace(result_of(proof), adjusted_p=p and round(p, 6))
        if proof.verdict and proof.verdict != verdict:
            changed = EarlierVerdict(verdict=proof.verdict, until=now.astimezone(UTC).date())
            stored = replace(stored, earlier=[*stored.earlier, changed])
        topic = one_line(names.name_of(proof.topic))
        sentence = result_sentence(
            verdict,
            stored,
            topic=topic,
            brand=one_line(brand.name),
            metric=Metric(proof.metric),
            verdicts=len(family),
        )
        proof.verdict, proof.result = verdict.value, as_stored(replace(stored, sentence=sentence))
        proof.save()


def _of_month(brand: Brand, now: datetime) -> Sequence[Proof]:
    """The proofs of the brand that were judged in this UTC month and could be compared."""
    moment = now.astimezone(UTC)
    judged = Proof.objects.filter(brand=brand, state=Proof.State.JUDGED).exclude(
        verdict=ProofVerdict.NOT_COMPARABLE.value
    )
    first = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return list(judged.filter(judged_at__gte=first, judged_at__lte=moment).order_by("judged_at", "pk"))


def _result(proof: Proof) -> ProofResult:
    stored = result_of(proof)
    return ProofResult(**{name: getattr(stored, name) for name in _FIGURES}, p=proof.p)
