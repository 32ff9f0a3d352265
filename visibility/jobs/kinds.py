"""The kinds of jobs, and what differs between them: all else is said once, in `visibility.jobs.lease`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Q
from django.db.models.functions import Coalesce

from brands.models import Brand
from visibility.detection.detector import DETECTOR_VERSION
from visibility.evidence import EVIDENCE_VERSION
from visibility.models import BrandEvidence, Generation, Run
from visibility.models.jobs import LeasedJob

Job = TypeVar("Job", bound=LeasedJob)


def _nothing(now: datetime) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class JobKind(Generic[Job]):
    """One kind of job: its model, the task that carries it out, and what its states mean for the lease.

    A job in a `waiting` state that nobody holds is due; in a `working` state its worker may write, and the job is due
    again once the lease is over. In a `cancelled` state the worker keeps it until the work under way is stored. Where
    a job is not due in each of these states, `due_if` says when. `max_attempts` is where their count stops.
    The mappings are fields that change together with the lease: on a claim at a time, when the job waits again, and
    when it waits because of a failure.
    """

    model: type[Job]
    task: str
    state: str
    """The name of the field that holds the state."""
    waiting: tuple[str, ...]
    working: tuple[str, ...]
    cancelled: tuple[str, ...] = ()
    due_if: Callable[[], Q] = Q
    max_attempts: int | None = None
    on_claim: Callable[[datetime], Mapping[str, Any]] = _nothing
    on_waiting: Mapping[str, Any] = field(default_factory=dict)
    on_failure: Mapping[str, Any] = field(default_factory=dict)

    @property
    def drained(self) -> tuple[str, ...]:
        """The states in which a worker holds a job: it is worked on, or cancelled with work under way."""
        return self.working + self.cancelled

    def __str__(self) -> str:
        return str(self.model._meta.verbose_name)


def _claimed_run(now: datetime) -> Mapping[str, Any]:
    # An imported run keeps the time of its first answer.
    return {"status": Run.Status.RUNNING, "started_at": Coalesce("started_at", now)}


def _of_active_owner() -> Q:
    """Nothing is made for a brand whose owner is deactivated: it waits until the owner comes back, or another has the
    brand. A subquery of brands: joined, the claim would be decided by the row as it was before others changed it."""
    return Q(brand__in=Brand.objects.filter(owner__is_active=True))


def _no_audit() -> Q:
    return ~Q(kind=Run.Kind.AUDIT) & _of_active_owner()


def _audit() -> Q:
    return Q(kind=Run.Kind.AUDIT) & _of_active_owner()


def _for_this_detector() -> Q:
    return Q(state=Generation.State.RETIRED) | Q(detector=int(DETECTOR_VERSION)) & _of_active_owner()


def _by_these_rules() -> Q:
    return Q(version=EVIDENCE_VERSION) & _of_active_owner()


RUN = JobKind(
    model=Run,
    task="visibility.tasks.run_scan",
    state="status",
    waiting=(Run.Status.QUEUED,),
    working=(Run.Status.RUNNING,),
    cancelled=(Run.Status.CANCELLED,),
    due_if=_no_audit,
    on_claim=_claimed_run,
    on_waiting={"status": Run.Status.QUEUED},
    on_failure={"error_code": "broken_off"},
)
"""A scan that somebody waits for; given up after SCAN_MAX_ATTEMPTS without progress."""

AUDIT = replace(RUN, task="visibility.tasks.run_audit", due_if=_audit)
"""A run that audits a site, by the rules of scans; announced apart from them, so that neither fills the queue of the
other."""

GENERATION = JobKind(
    model=Generation,
    task="visibility.tasks.work_on_generation",
    state="state",
    waiting=(Generation.State.BUILDING, Generation.State.RETIRED),
    working=(Generation.State.BUILDING, Generation.State.RETIRED),
    due_if=_for_this_detector,
    max_attempts=100,
)
"""Figures to build, with the detector of this release, or to clear away; never given up."""

EVIDENCE = JobKind(
    model=BrandEvidence,
    task="visibility.tasks.make_evidence",
    state="state",
    waiting=(BrandEvidence.State.OUTDATED,),
    working=(BrandEvidence.State.OUTDATED,),
    due_if=_by_these_rules,
    max_attempts=100,
)
"""Evidence to make anew, by the rules of this release; never given up."""

KINDS: tuple[JobKind[Any], ...] = (RUN, AUDIT, GENERATION, EVIDENCE)
"""All kinds; those that somebody waits for come first."""
