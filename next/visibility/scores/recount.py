"""Recount: history anew after an edit of names, domains or descriptions, or of which topics are the brand's own.

Readers see all as it was before, then all as it is after: everything is written in one transaction. Killed, it begins
again.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction

from brands.models import Brand
from visibility.answers.detect import BATCH, Reader
from visibility.models import Answer, Citation, Mention, Run
from visibility.scores.cells import write_cells
from visibility.scores.history import write_history

_MENTION = ("competitor_id", "start", "end", "rank", "rule", "rank_rule", "stance", "quote_start", "quote_end")
_CITATION = ("url", "domain", "title", "position", "source_class", "is_own", "competitor_id")


def rescore(brand_id: UUID) -> None:
    """Write all days and now anew from the cells, for other topics; nothing is read again."""
    with transaction.atomic():
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
    read = list(_different(reader))  # before the transaction: it takes as long as it takes
    with transaction.atomic():
        changed = [pk for pk, _, _ in read]
        Mention.objects.filter(answer__in=changed).delete()
        Citation.objects.filter(answer__in=changed).delete()
        Mention.objects.bulk_create((mention for _, mentions, _ in read for mention in mentions), batch_size=1_000)
        Citation.objects.bulk_create((citation for *_, citations in read for citation in citations), batch_size=1_000)
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


def _different(reader: Reader) -> Iterator[tuple[int, list[Mention], list[Citation]]]:
    """The answers in which something else is found now, each with what that is."""
    answers = _stale(reader).select_related("version").order_by("pk").iterator(chunk_size=BATCH)
    while batch := list(islice(answers, BATCH)):
        keys = [answer.pk for answer in batch]
        before: dict[int, tuple[set[Any], set[Any]]] = {key: (set(), set()) for key in keys}
        for model, fields, side in ((Mention, _MENTION, 0), (Citation, _CITATION, 1)):
            for key, *values in model.objects.filter(answer__in=keys).values_list("answer", *fields):
                before[key][side].add(tuple(map(str, values)))
        for answer in batch:
            mentions, citations = reader.read(answer)
            found = (_values(mentions, _MENTION), _values(citations, _CITATION))
            if found != before[answer.pk]:
                yield answer.pk, mentions, citations


def _values(rows: list[Any], fields: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {tuple(str(getattr(row, field)) for field in fields) for row in rows}
