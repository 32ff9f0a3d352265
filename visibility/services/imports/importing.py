"""Imports answers that were captured elsewhere: rows to runs, then each run to its scores."""

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import User
from brands.models import Brand
from brands.services.access import editable_brand, lock_brand
from brands.services.brands import create_brand
from brands.services.competitors import add_competitor
from visibility.models import Run
from visibility.pipeline.circumstances import Circumstances
from visibility.pipeline.runner import execute, execute_together
from visibility.services.imports.progress import Progress, silent
from visibility.services.imports.reader import BadLine
from visibility.services.imports.rows import ImportedAnswer
from visibility.services.imports.staging import staged_answers
from visibility.services.imports.storing import Stored, store_rows
from visibility.services.prompts.editing import no_room, prompt_quota
from visibility.services.topics.deciding import choose_own_topics

POLL_SECONDS = 0.5
PATIENCE_SECONDS = 900.0
TOGETHER = 10
"""Days that are scored in one transaction: others wait so long to change the brand, and on SQLite to write at all."""


@dataclass(frozen=True, slots=True)
class NewBrand:
    """A brand that comes into being with its first import; `competitors` are names and domains, `description` says
    what it sells."""

    owner: User
    name: str
    domain: str
    competitors: Sequence[tuple[str, str]] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import. `runs` are the imported runs that were scored, oldest day first."""

    brand: Brand
    stored: Stored
    runs: Sequence[Run]


def import_answers(
    caller: Caller,
    *,
    brand: Brand | NewBrand,
    rows: Iterable[ImportedAnswer | BadLine],
    own_topics: Collection[str] = (),
    progress: Progress = silent,
) -> Imported:
    """Store the answers that are new, one run for each of their UTC days, and score those runs; where `own_topics`
    are given (`choose_own_topics`), on these alone.

    All or nothing: a bad line or a topic that there is not (invalid_arguments), too small a quota (quota_exceeded
    with limit, used, needed) or a crash leaves no brand, prompt, run, answer or choice behind. A repeat adds only
    what is not there yet, and also scores what an earlier import stored and did not come to score. No credits are
    spent.
    """
    with staged_answers(rows, progress) as staged, transaction.atomic():
        target = _make_brand(caller, brand) if isinstance(brand, NewBrand) else editable_brand(caller, brand.pk)
        target = lock_brand(target)
        stored = store_rows(caller, target, staged, progress)
        if own_topics:
            choose_own_topics(caller, brand=target, names=own_topics)
    return Imported(target, stored, score_imports(target, progress))


def check_import(caller: Caller, brand: Brand | NewBrand) -> None:
    """Raise what would refuse an import into this brand whatever its file holds; leaves nothing behind.

    That is what making a new brand and its competitors refuses: no plan or a full one, a deactivated owner, names and
    domains that cannot be kept or are taken. Of an existing brand it is that the caller may not change it.
    """
    with transaction.atomic():
        target = _make_brand(caller, brand) if isinstance(brand, NewBrand) else editable_brand(caller, brand.pk)
        if isinstance(brand, NewBrand) and prompt_quota(target).limit == 0:
            raise no_room(prompt_quota(target))
        transaction.set_rollback(True)


def score_imports(brand: Brand, progress: Progress = silent) -> list[Run]:
    """Carry out the brand's imported runs that have not ended, oldest day first, and return them.

    A run that a worker has taken is waited for. Raises unavailable when one does not end in 15 minutes; it stays
    in the queue.
    """
    waiting = Run.objects.filter(brand=brand, trigger=Run.Trigger.IMPORT, status__in=Run.ACTIVE)
    run_ids = list(waiting.order_by("started_at", "pk").values_list("pk", flat=True))
    for start in range(0, len(run_ids), TOGETHER):
        together = run_ids[start : start + TOGETHER]
        execute_together(together, _worker())
        for run_id in together:
            measure_import(run_id)
        progress("Scoring", start + len(together), len(run_ids))
    return list(Run.objects.filter(pk__in=run_ids).order_by("started_at", "pk"))


def _make_brand(caller: Caller, new: NewBrand) -> Brand:
    brand = create_brand(caller, owner=new.owner, name=new.name, domain=new.domain, description=new.description)
    for name, domain in new.competitors:
        add_competitor(caller, brand=brand, name=name, domain=domain)
    return brand


def measure_import(run_id: UUID, circumstances: Circumstances | None = None) -> None:
    """Analyse and score a run whose answers are all there, or wait for the worker that took it; here and now unless
    other `circumstances` are given.

    Raises unavailable when that does not end in 15 minutes; the run stays in the queue.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        execute(run_id, _worker(), circumstances)
        if not Run.objects.filter(pk=run_id, status__in=Run.ACTIVE).exists():
            return
        if time.monotonic() > deadline:
            raise ServiceError(
                ErrorCode.UNAVAILABLE,
                "The answers are stored but not all of them are scored yet. A worker continues with them. "
                "Look at the brand's runs, or import the same file again to wait once more.",
            )
        time.sleep(POLL_SECONDS)


def _worker() -> str:
    """A name of its own for each call."""
    return f"import-{uuid4().hex}"
