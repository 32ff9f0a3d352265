"""When a brand's evidence is outdated: what it was made from is compared with what there is."""

import hashlib
from typing import Any
from uuid import UUID

import orjson
from django.db.models import Case, Count, F, Func, Max, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.instances import columns_of, instances_of
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.snapshot import remembered
from brands.models import Brand
from visibility.evidence import EVIDENCE_VERSION
from visibility.jobs.lease import NO_LEASE
from visibility.measured.audits import finished_audits
from visibility.models import BrandEvidence, EngineConfig, Generation, Review, ReviewImport, Run, RunScore

BRANDS_PER_TICK = 100
_State = BrandEvidence.State
_TEXT = TextField()
_NOTHING = Value("", output_field=_TEXT)


def stamp_of(brand_id: UUID) -> str:
    """What the brand's evidence would be made from now; empty where there is nothing to read."""
    return stamp_and_job(brand_id)[0]


@remembered
def stamp_and_job(brand_id: UUID) -> tuple[str, BrandEvidence | None]:
    """As `stamp_of`, and the job that makes the brand's evidence, where there is one."""
    for stamp, *row in _STAMP_AND_JOB.rows(None, brand_id=brand_id, engines=_engines()):
        (job,) = instances_of(row, BrandEvidence)
        return stamp, job
    return "", None


def _stamp_and_job(caller: Caller | None, brand_id: Slot, engines: Slot) -> QuerySet[Brand, Any]:
    brands = _stamped(Brand.objects.filter(pk=brand_id).order_by(), engines)
    return brands.values_list("evidence_stamp", *columns_of(BrandEvidence, "evidence_job__"))


def outdated_evidence() -> QuerySet[Brand, Any]:
    """Brands whose evidence was made from something else than there is now, or by older rules.

    Those with nothing to read, and none read before, have none. One statement, however many brands there are. What
    newer rules made stays, so that during an update neither release undoes the work of the other.
    """
    made = Q(evidence_job__version=EVIDENCE_VERSION, evidence_job__stamp=F("evidence_stamp"))
    newer = Q(evidence_job__version__gt=EVIDENCE_VERSION)
    waiting = Q(evidence_job__version=EVIDENCE_VERSION, evidence_job__state=_State.OUTDATED)
    nothing = Q(evidence_job=None, evidence_stamp="")
    return _stamped(Brand.objects.order_by("pk"), Value(_engines())).exclude(made | newer | waiting | nothing)


def plan_evidence() -> int:
    """Have evidence made anew where it is outdated; returns for how many brands. Can be repeated at any time."""
    brands = list(outdated_evidence().values_list("pk", flat=True)[:BRANDS_PER_TICK])
    if not brands:
        return 0
    known = BrandEvidence.objects.filter(brand__in=brands)
    # One that is waiting or worked on by these rules stays as it is: its worker looks at its end.
    known.exclude(state=_State.OUTDATED, version=EVIDENCE_VERSION).update(
        state=_State.OUTDATED,
        version=EVIDENCE_VERSION,
        attempt=0,
        not_before=timezone.now(),
        dispatched_at=None,
        error_message="",
        **NO_LEASE,
    )
    missing = set(brands) - set(known.values_list("brand_id", flat=True))
    BrandEvidence.objects.bulk_create(
        (
            BrandEvidence(brand_id=brand, version=EVIDENCE_VERSION)
            for brand in Brand.objects.filter(pk__in=missing).values_list("pk", flat=True)
        ),
        ignore_conflicts=True,
    )
    return len(brands)


def count_change(brand_id: UUID) -> None:
    """Count a change that the stamp cannot see, in the transaction that makes it: the evidence is made anew."""
    BrandEvidence.objects.filter(brand=brand_id).update(changes=F("changes") + 1)


def _stamped(brands: QuerySet[Brand], engines: Value | Slot) -> QuerySet[Brand, Any]:
    """The brands with `evidence_stamp`: the runs that are counted in its current figures, its latest audit, its
    reviews, and what decides which of these is read, the digest of the `engines` among it."""
    of_brand = {"brand": OuterRef("pk")}
    scored = RunScore.objects.filter(
        generation__brand=OuterRef("pk"), generation__state=Generation.State.CURRENT, stage=RunScore.Stage.SCORED
    )
    audits = finished_audits(Run.objects.filter(**of_brand))
    content = _joined(
        _latest("runs", scored, "generation__brand"),
        Coalesce(Subquery(audits.annotate(word=_joined(_word(" audit "), _text("pk"))).values("word")[:1]), _NOTHING),
        _latest("reviews", Review.objects.filter(**of_brand)),
        _latest("files", ReviewImport.objects.filter(**of_brand)),
    )
    changes = Coalesce(_text("evidence_job__changes"), _word("0"))
    read_by = (_text(engines), _word("/"), _text("names_version"), _word("/"), _text("cadence"), _word("/"), changes)
    whole = Case(
        When(evidence_content="", then=_NOTHING),
        default=_joined(*read_by, F("evidence_content")),
        output_field=_TEXT,
    )
    return brands.annotate(evidence_content=content, evidence_stamp=whole)


def _latest(name: str, rows: QuerySet[Any], brand: str = "brand") -> Coalesce:
    """How many rows there are and the newest of them, in one word; empty for none."""
    counted = rows.order_by().values(brand)
    both = _joined(_word(f" {name} "), _text(Count("pk")), _word("-"), _text(Max("pk")))
    return Coalesce(Subquery(counted.annotate(both=both).values("both")), _NOTHING)


def _word(text: str) -> Cast:
    return Cast(Value(text), _TEXT)


def _text(column: Any) -> Cast:
    return Cast(column, _TEXT)


def _joined(*parts: Any) -> Func:
    """The texts one after the other; null where one of them is. Django's own nests deeper than SQLite reads."""
    return Func(*parts, template="(%(expressions)s)", arg_joiner=" || ", output_field=_TEXT)


def _engines() -> str:
    """A digest of the engines that the operator has enabled."""
    enabled = sorted(EngineConfig.objects.filter(enabled=True).values_list("name", flat=True))
    return hashlib.sha256(orjson.dumps(enabled)).hexdigest()[:12]


_STAMP_AND_JOB = Prepared(_stamp_and_job)
