"""Writes of evidence: reviews that people import."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.errors import invalid
from brands.access import editable_brand
from brands.models import Brand
from visibility.evidence.reviews import ImportedReview, read_reviews
from visibility.imports.services import refusal
from visibility.imports.tables import NO_COLUMNS, BadLine
from visibility.models import Review

MOST_REVIEWS = 50_000
BATCH = 1_000


@dataclass(frozen=True, slots=True)
class ImportedReviews:
    """The result of an import: how many reviews are new, how many were there already, and how many ratings had no
    words."""

    brand: Brand
    added: int
    known: int
    wordless: int


def import_reviews(
    caller: Caller, *, brand_id: UUID, file: IO[str], columns: Mapping[str, str] = NO_COLUMNS
) -> ImportedReviews:
    """Store the reviews of a file that are new. The same file again adds nothing.
    `columns` names the column of a field where it is called otherwise.

    All or nothing. Raises not_found, read_only_collaborator, and invalid_arguments that names the bad lines, or says
    that there are too many reviews.
    """
    rows = list(read_reviews(file, columns))
    if bad := [row for row in rows if isinstance(row, BadLine)]:
        raise refusal(bad, "review")
    given = [row for row in rows if isinstance(row, ImportedReview)]
    reviews = {row.digest: row for row in given}
    if not reviews:
        raise refusal([], "review")
    with transaction.atomic():
        brand = editable_brand(caller, brand_id, lock=True)
        stored = {bytes(digest) for digest in Review.objects.filter(brand=brand).values_list("digest", flat=True)}
        fresh = {digest: row for digest, row in reviews.items() if digest not in stored}
        if len(stored) + len(fresh) > MOST_REVIEWS:
            raise invalid(
                "file",
                gettext("A brand may have {most:,} reviews. Import fewer.").format(most=MOST_REVIEWS),
            )
        Review.objects.bulk_create(
            (
                Review(brand=brand, digest=digest, day=row.date, **row.model_dump(exclude={"date"}))
                for digest, row in fresh.items()
            ),
            batch_size=BATCH,
        )
    return ImportedReviews(brand, len(fresh), len(given) - len(fresh), len(rows) - len(given))
