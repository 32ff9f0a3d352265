"""Reviews: from files that people import, and in the structured data of the site's own pages."""

import datetime
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import IO, Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from visibility.audit import ParsedPage
from visibility.audit.markup import numbers_of, texts_of, types_of, values_of
from visibility.imports.reader import checked_text, first_problem, one_line
from visibility.imports.tables import NO_COLUMNS, BadLine, records
from visibility.models import Review

LONGEST = 20_000
MOST_OF_PAGE = 200
MOST_NODES = 5_000
EARLIEST = datetime.date(1995, 1, 1)
_STARS = re.compile(
    r"(\d{1,3}(?:[.,]\d{1,4})?)(?:\s*(?:/|out of|von|sur|de)\s*([1-9]\d{0,2}))?(?:\s*(?:stars?|★))?", re.I
)
_URL = re.compile(r"(?:https?://[^\s<>\"]+)?", re.IGNORECASE)


def _stars(value: Any) -> Any:
    """Of five: `4`, `4,5`, `4.0 out of 5`, `8/10`."""
    if not isinstance(value, str):
        return value
    found = _STARS.fullmatch(value.strip())
    if found is None:
        raise ValueError("is no number of stars, such as 4, 4.5 or 8/10")
    return 5 * float(found[1].replace(",", ".")) / float(found[2] or 5)


def _day(value: Any) -> Any:
    return value.strip()[:10] if isinstance(value, str) else value


def _plausible(day: datetime.date) -> datetime.date:
    if not EARLIEST <= day <= datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1):
        raise ValueError("is before 1995 or in the future")
    return day


def _address(url: str) -> str:
    if not _URL.fullmatch(url):
        raise ValueError("is no http or https address")
    return url


class ImportedReview(BaseModel):
    """A review as a line of a file has it. Unknown fields are passed over."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)

    text: Annotated[str, Field(min_length=1, max_length=LONGEST), AfterValidator(checked_text)]
    stars: Annotated[float | None, BeforeValidator(_stars), Field(ge=1, le=5)] = None
    source: Annotated[str, BeforeValidator(one_line), Field(max_length=200)] = ""
    url: Annotated[str, Field(max_length=2_000), AfterValidator(checked_text), AfterValidator(_address)] = ""
    date: Annotated[datetime.date, BeforeValidator(_day), AfterValidator(_plausible)] | None = None

    @property
    def digest(self) -> bytes:
        """What makes it the same review wherever it comes again."""
        parts = (self.source, str(self.date or ""), self.text)
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()


def read_reviews(file: IO[str], columns: Mapping[str, str] = NO_COLUMNS) -> Iterator[ImportedReview | BadLine]:
    """The reviews of a JSON Lines or CSV file (the first character decides which), bad lines in their places.

    `columns` names the column of a field where it is called otherwise."""
    for number, record in records(file, ImportedReview, columns):
        if isinstance(record, BadLine):
            yield record
            continue
        try:
            given = {name: value for name, value in record.items() if value not in (None, "")}
            yield ImportedReview.model_validate(given)
        except ValidationError as error:
            yield BadLine(number, first_problem(error))


def reviews_of_pages(pages: Iterable[ParsedPage]) -> list[Review]:
    """The reviews that pages have in their structured data, each once; they are not stored."""
    found: dict[str, Review] = {}
    for page in pages:
        nodes = (node for block in page.markup for node in _reviews_in(list(block.nodes)))
        for node in islice(nodes, MOST_OF_PAGE):
            for text in texts_of(node, "reviewBody", "description")[:1]:
                review = Review(text=text[:LONGEST], stars=_rating(node), day=_published(node), url=page.url)
                found.setdefault(review.text, review)
    return list(found.values())


def _reviews_in(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    for _ in range(MOST_NODES):
        if not waiting:
            return
        part = waiting.pop()
        if isinstance(part, dict):
            if types_of(part) & {"Review", "UserReview"}:
                yield part
            part = list(part.values())
        if isinstance(part, (list, tuple)):
            waiting.extend(reversed(part))


def _rating(node: dict[str, Any]) -> float | None:
    """Of five; None where it states none, or one beyond its own best."""
    for rating in values_of(node.get("reviewRating")):
        given = rating if isinstance(rating, dict) else {}
        value, best = (next(iter(numbers_of(given.get(name))), None) for name in ("ratingValue", "bestRating"))
        if value and 1 <= (stars := 5 * float(value) / float(best or 5)) <= 5:
            return stars
    return None


def _published(node: dict[str, Any]) -> datetime.date | None:
    for text in texts_of(node, "datePublished"):
        with suppress(ValueError):
            return _plausible(datetime.date.fromisoformat(text[:10]))
    return None
