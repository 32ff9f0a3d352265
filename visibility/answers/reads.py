"""Reads of answers."""

from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Min, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from apikeys.accounts.caller import Caller
from brands.access import readable_brand
from visibility.models import Answer, Citation, Mention

BATCH = 500
COLUMNS = (
    "day",
    "engine",
    "surface",
    "topic",
    "prompt",
    "sample",
    "state",
    "text",
    "mentioned",
    "rank",
    "citedDomains",
    "id",
    "market",
    "country",
)


def read_answers(
    caller: Caller, brand_id: UUID, first: date = date.min, last: date = date.max
) -> Iterator[tuple[Any, ...]]:
    """The values of COLUMNS for each answer of a brand in a window of days, both ends included, the oldest day first.
    One statement, whose rows are read in batches.

    `prompt` is the wording as it was asked, `mentioned` the tracked names, `rank` the brand's own.
    """
    brand = readable_brand(caller, brand_id)
    visible = Mention.objects.filter(answer=OuterRef("pk")).visible().order_by()
    names = visible.annotate(name=Coalesce("competitor__name", Value(brand.name))).order_by("name").values("name")
    best_rank = visible.filter(competitor=None).values("answer").annotate(best=Min("rank")).values("best")
    cited = Citation.objects.filter(answer=OuterRef("pk")).order_by("domain")
    answers = Answer.objects.filter(brand=brand, day__range=(first, last)).order_by("day", "pk")
    rows: QuerySet[Any] = answers.values_list(
        "day",
        "engine__name",
        "surface",
        "version__prompt__topic__name",
        "version__text",
        "sample",
        "state",
        "text",
        ArraySubquery(names.distinct()),
        Subquery(best_rank),
        ArraySubquery(cited.values("domain").distinct()),
        "pk",
        "market",
        "country",
    )
    return rows.iterator(chunk_size=BATCH)
