"""Recount: history is counted again after an edit of names, domains, descriptions, or of which topics are own.

Answers are read again first; then everything that differs is written in one transaction, so that readers never see
a part of it. If it is killed, it begins again.
"""

import pickle
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import IO
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.names import Changed, changed_since_counted, mark_counted
from visibility.answers.detect import (
    Findings,
    Reader,
    batches,
    forget_unwatched,
    read_batch,
    replace,
    stored_findings,
)
from visibility.answers.repeats import day_of
from visibility.detection import holding, registrable_domain
from visibility.models import Answer, Cell, Citation, PromptVersion, Run
from visibility.models.answers import AnswerQuerySet
from visibility.scores.cells import write_cells
from visibility.scores.history import lock_history, write_history
from visibility.scores.watched import watch_names

Progress = Callable[[int, int], None]
"""Called with the number of answers read since the last call, and of all that are to be read."""


@dataclass(frozen=True, slots=True)
class Recounted:
    """How many answers were read again, how many of them changed, and how many there are."""

    read: int
    changed: int
    answers: int


def rescore(brand_id: UUID) -> None:
    """Write all days and now again from the cells, after a decision on topics; no answer is read again."""
    with transaction.atomic():
        lock_history(brand_id)
        brand = Brand.objects.filter(pk=brand_id).first()
        if brand is not None:
            write_history(brand)
    if brand is not None:
        watch_names(brand)


def recount(brand_id: UUID, progress: Progress = lambda number, total: None) -> Recounted | None:
    """Read again those answers of ended runs that the present names may change, and write what differs.

    None where nothing was written: history is counted with these names, or they changed meanwhile, and that change
    has a job of its own.
    """
    brand = Brand.objects.filter(pk=brand_id).first()
    if brand is None or brand.counted_version == brand.names_version:
        return None
    changed = changed_since_counted(brand)
    reader = Reader(brand)
    ended = list(Run.objects.filter(brand=brand).exclude(status__in=Run.ACTIVE).values_list("pk", flat=True))
    answers = Answer.objects.filter(run__in=ended).answered()
    touched = list(_touched(answers, brand, changed).order_by("pk").values_list("pk", flat=True))
    with tempfile.TemporaryFile() as file:  # what differs may be more than fits into memory
        number = _store_differences(reader, touched, file, lambda read: progress(read, len(touched)))
        with transaction.atomic():
            lock_history(brand_id)
            for found in _stored_differences(file):
                replace(found)
            forget_unwatched(reader)
            for batch in batches(touched):
                Answer.objects.filter(pk__in=batch).update(names_version=reader.names_version)
            wordings = _wordings_to_count(brand, ended, touched, changed)
            runs = list(Run.objects.measured().filter(pk__in=wordings, kind=Run.Kind.VISIBILITY))
            for run in runs:
                write_cells(reader, run, wordings[run.pk])
            # Every day has scores of all competitors, and compares them all.
            days = None if changed is None or changed.competitors else {day_of(run) for run in runs}
            write_history(brand, days)
            if changed is None:  # another detector read the answers
                Brand.objects.filter(pk=brand.pk).update(recounted_on=timezone.now().date())
            if _is_left(reader, ended) or not mark_counted(brand, reader.names_version):
                transaction.set_rollback(True)
                return None
    watch_names(brand)
    return Recounted(len(touched), number, answers.count())


def _touched(answers: AnswerQuerySet, brand: Brand, changed: Changed | None) -> AnswerQuerySet:
    """The answers that may change: they may hold a changed name, cite a changed domain, or were never read."""
    if changed is None:
        return answers
    domains = {registrable_domain(domain) for domain in changed.domains}
    below = (Q(domain__endswith=f".{domain}") for domain in changed.domains)  # sites on a host that others share
    cited = Citation.objects.filter(reduce(or_, below, Q(domain__in=domains)), brand=brand)
    has_name = [Q(text__regex=pattern) for pattern in holding(changed.names)]
    return answers.filter(reduce(or_, has_name, Q(pk__in=cited.values("answer")) | Q(names_version=0)))


def _wordings_to_count(
    brand: Brand, ended: Collection[UUID], touched: Collection[int], changed: Changed | None
) -> Mapping[UUID, Collection[int] | None]:
    """By run the wordings whose cells may change (None: all): those of touched answers, and those that hold a
    changed name themselves."""
    if changed is None:
        return dict.fromkeys(ended)
    versions = PromptVersion.objects.filter(prompt__brand=brand)
    named = versions.filter(reduce(or_, (Q(text__regex=pattern) for pattern in holding(changed.names)), Q(pk=None)))
    wordings: dict[UUID, set[int]] = defaultdict(set)
    asked = Cell.objects.filter(run__in=ended, version__in=named).order_by()
    for run, version in asked.values_list("run", "version").distinct():
        wordings[run].add(version)
    for batch in batches(touched):
        for run, version in Answer.objects.filter(pk__in=batch).values_list("run", "version"):
            wordings[run].add(version)
    return wordings


def _store_differences(
    reader: Reader, touched: Collection[int], file: IO[bytes], progress: Callable[[int], None]
) -> int:
    """Read these answers and put into the file what is found where it differs from what is stored; returns in how
    many it does."""
    number = 0
    for batch in batches(touched):
        before, found = stored_findings(batch), read_batch(reader, batch)
        different = {key: each for key, each in found.items() if each != before[key]}
        pickle.dump(different, file)
        number += len(different)
        progress(len(batch))
    return number


def _stored_differences(file: IO[bytes]) -> Iterator[dict[int, Findings]]:
    end = file.tell()
    file.seek(0)
    while file.tell() < end:
        yield pickle.load(file)  # noqa: S301 - written by this process a moment ago


def _is_left(reader: Reader, ended: Collection[UUID]) -> bool:
    """Whether a run that ended meanwhile was read with other names: the sweep has history counted once more."""
    runs = Run.objects.filter(brand=reader.brand).exclude(status__in=Run.ACTIVE).exclude(pk__in=ended)
    answers = Answer.objects.filter(run__in=runs.values("pk")).answered()
    return answers.exclude(names_version=reader.names_version).exists()
