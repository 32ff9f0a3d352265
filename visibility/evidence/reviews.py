"""Reviews: from files of people and exports of shops, and in the structured data of the site's own pages."""

import datetime
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import IO, Annotated, Any, NamedTuple

from babel.dates import get_month_names
from django.utils.translation import gettext, gettext_noop
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from visibility.audit import ParsedPage
from visibility.audit.markup import numbers_of, texts_of, types_of, values_of
from visibility.imports.reader import checked_text, first_problem, one_line
from visibility.imports.tables import NO_COLUMNS, BadLine, PassedOver, records, whole_document
from visibility.imports.values import moment

LONGEST = 20_000
MOST_OF_PAGE = 200
MOST_NODES = 5_000
HEAD_LINES, HEAD_CHARACTERS = 10, 20_000
"""The beginning of a file, in which the names of its columns are looked for."""
OWN_PAGES = "own pages"
EARLIEST = datetime.date(1995, 1, 1)
UNKNOWN_COLUMNS = gettext_noop(
    "Exports of Trustpilot, Google, Amazon, Judge.me and Yotpo are known by the names of their columns"
)
_STARS = re.compile(
    r"(\d{1,3}(?:[.,]\d{1,4})?)(?:\s*(?:/|out of|von|sur|de)\s*([1-9]\d{0,2}))?(?:\s*(?:stars?|sterne?n?|★))?", re.I
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_DRAWN = re.compile(r"([★⭐]\ufe0f?){1,5}☆{0,4}")
_URL = re.compile(r"(?:https?://[^\s<>\"]+)?", re.IGNORECASE)
_SHOP_DAY = re.compile(r"\A(?:Reviewed in .{1,60} on|Rezension aus .{1,60} vom)\s+")
_GERMAN_DAY = re.compile(r"(\d{1,2})\. ([^\W\d_]{3,9}) (\d{4})")
_GERMAN_MONTHS = {name.casefold(): number for number, name in get_month_names("wide", locale="de").items()}


class Export(NamedTuple):
    """How a shop's export names its columns, by field; the first that a file has counts. A file is taken for it that
    has a column of each of `known_by`. `address`: where a review with this id is published."""

    source: str
    columns: Mapping[str, Sequence[str]]
    known_by: Sequence[str] = ("text", "stars")
    address: str = ""


# Names without another source are those that public programs read from such exports; none was found in German.
EXPORTS = (
    Export(
        "Trustpilot",
        {
            "text": ("review content",),
            "stars": ("review stars",),
            "title": ("review title",),
            "date": ("review created (utc)",),
            "id": ("review id",),
        },
        address="https://www.trustpilot.com/reviews/{}",
    ),
    # developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews, as Takeout writes it, too
    Export("Google", {"text": ("comment",), "stars": ("starrating", "star rating"), "date": ("createtime",)}),
    # developers.google.com/data-portability/schema-reference/shopping
    Export(
        "Google",
        {"text": ("comment",), "stars": ("rating",), "title": ("title",), "date": ("creation time",)},
        known_by=("text", "stars", "date"),
    ),
    # registry.opendata.aws/amazon-reviews; sellers' tools write the same words
    Export(
        "Amazon",
        {
            "text": ("review body",),
            "stars": ("star rating", "rating"),
            "title": ("review headline", "review title"),
            "date": ("review date", "date"),
            "url": ("review url", "url"),
        },
    ),
    Export(
        "Judge.me",
        {
            "text": ("body",),
            "stars": ("rating",),
            "title": ("title",),
            "date": ("review date",),
            "url": ("product url",),
        },
        known_by=("text", "stars", "date"),
    ),
    Export(
        "Yotpo",
        {
            "text": ("review content",),
            "stars": ("review score",),
            "title": ("review title",),
            "date": ("review creation date", "date"),
            "url": ("product url",),
        },
    ),
    # a table with German headings, of any shop
    Export(
        "",
        {
            "text": ("rezension", "rezensionstext", "bewertungstext", "kommentar"),
            "stars": ("sterne", "bewertung", "sternebewertung"),
            "title": ("titel",),
            "date": ("datum",),
            "url": ("link",),
            "source": ("quelle",),
        },
    ),
)


def _stars(value: Any) -> Any:
    """Of five: `4`, `4,5`, `4.0 out of 5`, `5 von 5 Sternen`, `8/10`, `FIVE`, `★★★★☆`."""
    if not isinstance(value, str):
        return value
    written = value.strip()
    if written.casefold() in _NUMBERS:
        return _NUMBERS[written.casefold()]
    if _DRAWN.fullmatch(written):
        return sum(sign in "★⭐" for sign in written)
    if written == "STAR_RATING_UNSPECIFIED":
        return None
    found = _STARS.fullmatch(written)
    if found is None:
        raise ValueError(gettext("is no number of stars, such as 4, 4.5 or 8/10"))
    return 5 * float(found[1].replace(",", ".")) / float(found[2] or 5)


def _day(value: Any) -> Any:
    """The day of a time as it is written, whatever its zone. Raises ValueError for one that may be two."""
    if not isinstance(value, str):
        return value
    written = _SHOP_DAY.sub("", value.strip())
    german = _GERMAN_DAY.fullmatch(written)
    if german and (month := _GERMAN_MONTHS.get(german[2].casefold())):
        return f"{german[3]}-{month:02}-{int(german[1]):02}"
    return str(moment(written, datetime.UTC))[:10]


def _plausible(day: datetime.date) -> datetime.date:
    if not EARLIEST <= day <= datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1):
        raise ValueError(gettext("is before 1995 or in the future"))
    return day


def _address(url: str) -> str:
    if not _URL.fullmatch(url):
        raise ValueError(gettext("is no http or https address"))
    return url


class ImportedReview(BaseModel):
    """A review as a line of a file has it, its title the first line of its text. Unknown fields are passed over."""

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


def read_reviews(
    file: IO[str], columns: Mapping[str, str] = NO_COLUMNS
) -> Iterator[ImportedReview | BadLine | PassedOver]:
    """The reviews of a JSON Lines, JSON or CSV file (the first character decides which), bad lines in their places,
    and ratings without words, which are passed over.

    The columns of known exports are known; `columns` names the column of a field where it is called otherwise.
    """
    file = _unwrapped(file)
    export, found = _export_of(file)
    for number, record in records(file, ImportedReview, {**found, **columns}):
        if isinstance(record, BadLine):
            is_unknown = "=NAME" in record.reason
            yield BadLine(number, f"{record.reason}. {gettext(UNKNOWN_COLUMNS)}") if is_unknown else record
            continue
        given = {name: value for name, value in record.items() if value not in (None, "")}
        title, text = (str(given.get(name, "")).strip() for name in ("title", "text"))
        if export:
            given["text"] = "\n".join(filter(None, [_new(title, text), text]))
            given |= {"source": export.source} if export.source else {}
            given |= {"url": export.address.format(given["id"])} if export.address and "id" in given else {}
        if export and not given["text"]:
            yield PassedOver("rating without words")
            continue
        try:
            yield ImportedReview.model_validate(given)
        except ValidationError as error:
            yield BadLine(number, first_problem(error))


def _unwrapped(file: IO[str]) -> IO[str]:
    """The file; of a JSON document with a list of reviews in it, as Takeout writes it, that list."""
    if file.read(HEAD_CHARACTERS).lstrip("\ufeff \t\r\n")[:1] == "{":
        with suppress(ValueError):
            reviews = whole_document(file).get("reviews")
            if isinstance(reviews, list):
                # A rating without words has no comment at all.
                return io.StringIO("\n".join(json.dumps({"comment": "", **each}) for each in reviews))
    return file


def _export_of(file: IO[str]) -> tuple[Export | None, dict[str, str]]:
    """The export whose columns a file has, and the name of each field's column in it; none where a file calls a
    column `text`, as ours do."""
    file.seek(0)
    head = file.read(HEAD_CHARACTERS).lstrip("\ufeff")
    cells = re.findall(r'"([^"\n]{1,60})"\s*:', head) if head.lstrip()[:1] in ("{", "[") else []
    for line in head.splitlines()[:HEAD_LINES]:
        cells += [cell.strip().strip('"') for cell in re.split(r"[,;\t|]", line)]
    there = {cell.casefold().replace("_", " "): cell for cell in reversed(cells)}
    if "text" not in there:
        for export in EXPORTS:
            found = {
                field: there[name] for field, names in export.columns.items() for name in names[::-1] if name in there
            }
            if all(field in found for field in export.known_by):
                return export, found
    return None, {}


def _new(title: str, text: str) -> str:
    """A title, unless it is the beginning of the text."""
    return "" if text.startswith(title.rstrip(".… ")) else title


def reviews_of_pages(pages: Iterable[ParsedPage]) -> dict[str, ImportedReview]:
    """The reviews that pages have in their structured data, by their texts; those that cannot be stored left out."""
    found: dict[str, ImportedReview] = {}
    for page in pages:
        nodes = (node for block in page.markup for node in _reviews_in(list(block.nodes)))
        for node in islice(nodes, MOST_OF_PAGE):
            for text in texts_of(node, "reviewBody", "description")[:1]:
                given = {"text": text[:LONGEST], "stars": _rating(node), "date": _published(node), "url": page.url}
                with suppress(ValidationError):
                    review = ImportedReview(source=OWN_PAGES, **given)
                    found.setdefault(review.text, review)
    return found


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
