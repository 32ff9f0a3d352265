"""Recount: history anew after an edit of names, domains or descriptions, or of which topics are the brand's own.

Readers see all as it was before, then all as it is after: everything is written in one transaction. Killed, it begins
again.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction

from brands.models import Brand
from visibility.answers.detect import BATCH, Read, Reader, replace
from visibility.models import Answer, Citation, Mention, Run, UntrackedName
from visibility.scores.cells import write_cells
from visibility.scores.history import lock_history, write_history

_MENTION = ("competitor_id", "start", "end", "rank", "rule", "rank_rule", "stance", "quote_start", "quote_end")
_CITATION = ("url", "domain", "title", "position", "source_class", "is_own", "competitor_id")
_NAME = ("name", "start", "end", "domain")


def rescore(brand_id: UUID) -> None:
    """Write all days and now anew from the cells, for other topics; nothing is read again."""
    with transaction.atomic():
        lock_history(brand_id)
        brand = Brand.objects.filter(pk=brand_id).first()
        if brand is not None:
            write_history(brand)


def recount(brand_id: UUID) -> bool:
    """Read the answers of ended runs again with the names of now, and write what differs; returns whether it did.

    Nothing is written where the names changed meanwhile: that change has a job of its own.
    """
    brand = Brand.objects.filter(pk=brand_id).first()
    if brand is None or brand.counted_version == brand.names_version:
        return False
    reader = Reader(brand)
    with transaction.atomic():
        lock_history(brand_id)
        replace(list(_different(reader)))
        _stale(reader).update(names_version=reader.names_version)
        for run in Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY).exclude(status__in=Run.ACTIVE):
            write_cells(reader, run)
        write_history(brand)
        names = Brand.objects.filter(pk=brand_id, names_version=reader.names_version)
        if not names.update(counted_version=reader.names_version):
            transaction.set_rollback(True)
            return False
    return True


def _stale(reader: Reader) -> Any:
    """The answers of ended runs that were read with other names."""
    answers = Answer.objects.filter(brand=reader.brand).answered()
    return answers.exclude(names_version=reader.names_version).exclude(run__status__in=Run.ACTIVE)


def _different(reader: Reader) -> Iterator[Read]:
    """What is found now in the answers in which it is something else than before."""
    answers = _stale(reader).select_related("version").order_by("pk").iterator(chunk_size=BATCH)
    while batch := list(islice(answers, BATCH)):
        keys = [answer.pk for answer in batch]
        before: dict[int, tuple[set[Any], set[Any], set[Any]]] = {key: (set(), set(), set()) for key in keys}
        for model, fields, side in ((Mention, _MENTION, 0), (Citation, _CITATION, 1), (UntrackedName, _NAME, 2)):
            for key, *values in model.objects.filter(answer__in=keys).values_list("answer", *fields):
                before[key][side].add(tuple(map(str, values)))
        for answer in batch:
            read = reader.read(answer)
            found = (
                _values(read.mentions, _MENTION),
                _values(read.citations, _CITATION),
                _values(read.untracked, _NAME),
            )
            if found != before[answer.pk]:
                yield read


def _values(rows: Sequence[Any], fields: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {tuple(str(getattr(row, field)) for field in fields) for row in rows}
