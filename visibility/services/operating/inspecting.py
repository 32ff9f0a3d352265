"""One run for the person on call: how it stands and why, what to do, what it cost, and what hangs on it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Model
from django.utils.formats import date_format

from apikeys.models import ApiKey, User
from apikeys.text.sentences import counted
from visibility.measured.charges import charges_of_failures, total
from visibility.metrics.amounts import duration
from visibility.models import BrandEvidence, Generation, Run
from visibility.services.operating.status import LATE, STUCK_ATTEMPTS
from visibility.services.runs.failures import EngineLine, engine_lines, money_in_words
from visibility.services.scans.status import engine_progress

_NOBODY = "Nobody has to do anything."
_AT_ONCE = "Have it tried again at once"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run stands, in a sentence or two after the name of its status; what to do about it, and whether that is
    needed."""

    says: str
    remedy: str = _NOBODY
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class Asker:
    """Who had the run started, in words; their row, where there still is one."""

    words: str
    row: Model | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What is known of a run. `times`, `money` and `job` are facts with their names, in the order of reading;
    `waiting` other jobs of its brand that are not done, each in words."""

    standing: Standing
    asker: Asker
    times: Sequence[tuple[str, str]]
    engines: Sequence[EngineLine]
    money: Sequence[tuple[str, str]]
    job: Sequence[tuple[str, str]]
    waiting: Sequence[tuple[Model, str]]


def inspect_run(run: Run, now: datetime) -> Inspection:
    """Look at everything that tells how the run stands at `now`, in ten statements at most."""
    lines = engine_lines(run.pk, engine_progress(run))
    return Inspection(
        standing=standing_of(run, now),
        asker=asker_of(run.actor),
        times=list(_times(run, now)),
        engines=lines,
        money=list(_money(run, lines)),
        job=list(_job(run, now)),
        waiting=list(_waiting(run, now)),
    )


def standing_of(run: Run, now: datetime) -> Standing:
    """How the run stands at `now`, and why."""
    return _STANDINGS[Run.Status(run.status)](run, now)


def _queued(run: Run, now: datetime) -> Standing:
    if run.not_before > now:
        says = f"Waits until {_moment(run.not_before)}{_because(run)}"
        return Standing(says, f"{_AT_ONCE}, or cancel it.", run.attempt >= STUCK_ATTEMPTS)
    since = now - run.not_before
    if since > LATE:
        remedy = f"Look whether workers run and are enough. {_AT_ONCE}."
        return Standing(f"Waits for a free worker for {_span(since)}, which is too long.", remedy, True)
    return Standing("Waits for a free worker.")


def _running(run: Run, now: datetime) -> Standing:
    if run.is_held_at(now):
        is_repeated = run.attempt >= STUCK_ATTEMPTS
        remedy = "If it breaks off again, its error tells why. It can be cancelled." if is_repeated else _NOBODY
        again = f" again, after {counted(run.attempt - 1, 'attempt')} without progress" if is_repeated else ""
        return Standing(f"A worker is at it{again}.", remedy, is_repeated)
    if run.lease_until is None:
        return Standing(f"Under way by its state, but no worker holds it{_because(run)}", f"{_AT_ONCE}.", True)
    silent = now - run.lease_until
    says = f"Its worker has been silent for {_span(silent)}{_because(run)}"
    if silent > LATE:
        return Standing(says, f"No other worker took it: look whether any runs. {_AT_ONCE}, or cancel it.", True)
    return Standing(f"{says} The next free worker goes on with it.")


def _cancelled(run: Run, now: datetime) -> Standing:
    if run.error_message:
        return Standing(run.error_message)
    if run.settled_at is None and run.credits_reserved:
        return Standing("Answers that were under way are still stored; then its credits are settled.")
    return Standing("What was answered before is kept.")


def _failed(run: Run, now: datetime) -> Standing:
    why = run.error_message or "No reason was told."
    return Standing(why, "Mend the reason, then start another one from the brand's page.", True)


def _partial(run: Run, now: datetime) -> Standing:
    says = f"Ended with gaps: {run.failed:,} of {run.total:,} got no answer."
    return Standing(says, "The failures below say why, by engine, and what to do.", True)


def _succeeded(run: Run, now: datetime) -> Standing:
    if run.failed:
        return Standing(f"Ended; {run.failed:,} of {run.total:,} got no answer.", "The failures below say why.")
    return Standing("Ended, with everything that was to be done.")


_STANDINGS: Mapping[Run.Status, Callable[[Run, datetime], Standing]] = {
    Run.Status.QUEUED: _queued,
    Run.Status.RUNNING: _running,
    Run.Status.CANCELLED: _cancelled,
    Run.Status.FAILED: _failed,
    Run.Status.PARTIAL: _partial,
    Run.Status.SUCCEEDED: _succeeded,
}


def _because(run: Run) -> str:
    """The end of a sentence that tells why the last attempt broke off, where it did."""
    return f": {run.error_message}" if run.error_message else "."


def asker_of(actor: str) -> Asker:
    """Who stands behind a name in the records ("user:3", "key:…", "command:scan", "scheduler")."""
    kind, _, name = actor.partition(":")
    if kind == "user" and name.isdecimal():
        user = User.objects.filter(pk=int(name)).first()
        return Asker(user.email, user) if user else Asker("an account that is gone")
    if kind == "key":
        key = _key(name)
        return Asker(f"{key.owner.email} by the key {key}", key) if key else Asker("a key that is gone")
    if kind == "command":
        return Asker(f"the command manage.py {name}")
    return Asker("the schedule of the brand" if kind == "scheduler" else actor or "not on record")


def _key(name: str) -> ApiKey | None:
    try:
        return ApiKey.objects.select_related("owner").filter(pk=UUID(name)).first()
    except ValueError:
        return None


def _times(run: Run, now: datetime) -> Iterator[tuple[str, str]]:
    yield "Asked for", f"{_moment(run.created_at)}, {_span(now - run.created_at)} ago"
    if run.started_at is None or run.trigger == Run.Trigger.IMPORT:
        return
    yield "Waited", _span(run.started_at - run.created_at)
    if run.finished_at:
        yield "Took", f"{_span(run.finished_at - run.started_at)}, until {_moment(run.finished_at)}"
    else:
        yield "Under way", f"for {_span(now - run.started_at)}"


def _money(run: Run, lines: Sequence[EngineLine]) -> Iterator[tuple[str, str]]:
    yield "Charged by the providers", money_in_words(total(line.charges for line in lines)) or "nothing"
    wasted = money_in_words(total(charges_of_failures(run.pk).values()))
    if wasted:
        yield "Of that, for calls without an answer", wasted
    if run.credits_reserved:
        settled = "settled" if run.settled_at else "not settled yet"
        yield "Credits", f"{run.credits_spent:,} spent of {run.credits_reserved:,} reserved, {settled}"


def _job(run: Run, now: datetime) -> Iterator[tuple[str, str]]:
    """Who holds the run, until when, and what the queue knows of it."""
    if not (run.is_active or run.worker):
        return
    if run.lease_until:
        lease = "was over at" if run.lease_until < now else "holds until"
        yield "Worker", f"{run.worker}; its lease {lease} {_moment(run.lease_until)}"
    else:
        yield "Worker", "none holds it"
    yield "Attempts without progress", f"{run.attempt} of {settings.SCAN_MAX_ATTEMPTS}, then it is given up"
    if run.not_before > now:
        yield "Not tried before", _moment(run.not_before)
    announcement = (
        f"at {_moment(run.dispatched_at)}" if run.dispatched_at else "not yet; it is announced every minute"
    )
    yield "Workers were told of it", announcement


def _waiting(run: Run, now: datetime) -> Iterator[tuple[Model, str]]:
    """Other jobs of the brand that are not done: they may hold back its figures, or another scan."""
    for other in Run.objects.filter(brand=run.brand_id, status__in=Run.ACTIVE).exclude(pk=run.pk)[:10]:
        yield other, f"{other.get_kind_display()}: {standing_of(other, now).says}"
    for generation in Generation.objects.filter(brand=run.brand_id, state=Generation.State.BUILDING).defer("names"):
        yield generation, f"Figures are being made anew{_because_of(generation)}"
    for job in BrandEvidence.objects.filter(brand=run.brand_id, state=BrandEvidence.State.OUTDATED):
        yield job, f"Evidence is to be made anew{_because_of(job)}"


def _because_of(job: Generation | BrandEvidence) -> str:
    return f"; {counted(job.attempt, 'attempt')} broke off: {job.error_message}" if job.error_message else "."


def _moment(at: datetime) -> str:
    return date_format(at, "DATETIME_FORMAT")


def _span(length: timedelta) -> str:
    return duration(max(length.total_seconds(), 0))
