"""Imports reviews from a file, and deletes them: all of a file or nothing, each review once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.text.sentences import one_line, shortened
from apikeys.text.storable import storable
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.models import Review, ReviewImport
from visibility.models.evidence import MAX_FILE_NAME
from visibility.services.imports.reader import BadLine
from visibility.services.imports.staging import MAX_NAMED, refusal
from visibility.services.reviews.reader import Layout, read_reviews
from visibility.services.reviews.rows import ImportedReview

MAX_REVIEWS = 50_000
"""Of one brand."""
AT_ONCE = 500
_WORDS = ("text", "title", "stars", "day", "url")


@dataclass(frozen=True, slots=True)
class ImportedReviews:
    """What came of an import: `added` are new, `changed` were there with other words, `known` were there."""

    added: int
    changed: int
    known: int


def import_reviews(
    caller: Caller, *, brand: Brand, stream: BinaryIO, name: str, layout: Layout | None = None
) -> ImportedReviews:
    """Store the reviews of a file, `name` as its owner calls it: all of them, or none where a line is bad.

    A repeat adds nothing twice; a review that comes again by its id with other words takes their place. Raises
    not_found, read_only_collaborator, and invalid_arguments that names the bad lines, or too many reviews.
    """
    editable_brand(caller, brand.pk)
    reviews = _checked(read_reviews(stream, layout or Layout(), timezone.now().date()))
    with transaction.atomic():
        held_brand = editable_brand(caller, brand.pk, lock=True)
        return _store(caller, held_brand, reviews, name)


@transaction.atomic
def delete_reviews(caller: Caller, *, brand: Brand) -> int:
    """Delete all imported reviews of the brand; returns how many. Those on its pages are the pages' own."""
    brand = editable_brand(caller, brand.pk, lock=True)
    count: int = Review.objects.filter(brand=brand).count()
    ReviewImport.objects.filter(brand=brand).delete()
    return count


@transaction.atomic
def delete_review(caller: Caller, *, review: Review) -> None:
    """Delete one imported review."""
    brand = editable_brand(caller, review.brand_id, lock=True)
    Review.objects.filter(brand=brand, pk=review.pk).delete()


@transaction.atomic
def delete_import(caller: Caller, *, batch: ReviewImport) -> None:
    """Delete what one file brought, but for what later files changed."""
    brand = editable_brand(caller, batch.brand_id, lock=True)
    ReviewImport.objects.filter(brand=brand, pk=batch.pk).delete()


def _checked(rows: Iterable[ImportedReview | BadLine]) -> list[ImportedReview]:
    """The reviews of a file, each once. Raises invalid_arguments."""
    reviews: dict[str, ImportedReview] = {}
    bad: list[BadLine] = []
    count = 0
    for row in rows:
        problem = row if isinstance(row, BadLine) else _clash(reviews.setdefault(row.key, row), row)
        if problem and (count := count + 1) <= MAX_NAMED:
            bad.append(problem)
    if count or not reviews:
        raise refusal(bad, count, "review")
    return list(reviews.values())


def _clash(first: ImportedReview, row: ImportedReview) -> BadLine | None:
    """Where the same id has other words further up."""
    if _words(first) == _words(row):
        return None
    return BadLine(row.line, f"the line has the id of line {first.line} and another review")


def _store(caller: Caller, brand: Brand, reviews: Sequence[ImportedReview], name: str) -> ImportedReviews:
    stored = {review.key: review for review in _stored(brand, [review.key for review in reviews])}
    fresh = [review for review in reviews if review.key not in stored]
    changed = [review for review in reviews if review.key in stored and _words(stored[review.key]) != _words(review)]
    if Review.objects.filter(brand=brand).count() + len(fresh) > MAX_REVIEWS:
        raise invalid("file", f"A brand may have {MAX_REVIEWS:,} reviews. Delete older ones, or import fewer.")
    result = ImportedReviews(len(fresh), len(changed), len(reviews) - len(fresh) - len(changed))
    if not (fresh or changed):
        return result
    batch = ReviewImport.objects.create(
        brand=brand,
        file=_shown(name),
        added=result.added,
        changed=result.changed,
        known=result.known,
        actor=caller.actor,
    )
    Review.objects.bulk_create((_row(brand, batch, review) for review in fresh), batch_size=AT_ONCE)
    rows = [_renewed(stored[review.key], batch, review) for review in changed]
    Review.objects.bulk_update(rows, [*_WORDS, "source", "line", "imported_at"], batch_size=AT_ONCE)
    return result


def _stored(brand: Brand, keys: Sequence[str]) -> Iterable[Review]:
    for start in range(0, len(keys), AT_ONCE):
        yield from Review.objects.filter(brand=brand, key__in=keys[start : start + AT_ONCE])


def _row(brand: Brand, batch: ReviewImport, review: ImportedReview) -> Review:
    return Review(brand=brand, source=batch, key=review.key, line=review.line, **_words(review))


def _renewed(row: Review, batch: ReviewImport, review: ImportedReview) -> Review:
    for name, value in _words(review).items():
        setattr(row, name, value)
    row.source, row.line, row.imported_at = batch, review.line, timezone.now()
    return row


def _words(review: Review | ImportedReview) -> dict[str, object]:
    return {name: getattr(review, name) for name in _WORDS}


def _shown(name: str) -> str:
    """The name of a file as it can be shown: on one line, without folders and what hides or reorders."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return shortened(one_line(storable(last)) or "a file", MAX_FILE_NAME)
