"""The task of a reader: one text, the same for the engine that writes and for a person's assistant; and its reply."""

from typing import Annotated

from django.utils.translation import gettext
from pydantic import BaseModel, BeforeValidator

from apikeys.errors import invalid
from apikeys.text import QUOTE_NOTICE, marked
from visibility.models.reading import Facet
from visibility.reading.passages import Material

VERSION = 3
"""Of the task and the checks: what another one has read is another series."""
MOST_HEADINGS, MOST_RIVAL_HEADINGS = 12, 5
"""Of the brand, and of each rival."""
MOST_ROWS = 400
MOST_WORDS = 4
"""Of a value or heading."""
LONGEST_REPLY = 1_000_000
"""Characters."""
VALUED = frozenset({Facet.PRICE, Facet.FACT, Facet.RATING})
"""Facets of which texts give differing values for the same thing."""
RIVAL_FACETS = frozenset({Facet.LIMIT, Facet.WARNING, Facet.ROLE, Facet.REASON})
"""What is asked of rivals."""
MEANINGS: dict[Facet, str] = {
    Facet.LIMIT: "what counts against it: “Cons” (list, column), “but”, “however”, “lacks”, “not for”; not neutral",
    Facet.WARNING: "what buyers are told to beware of",
    Facet.ROLE: "for whom or what it is the choice (“beginners”, “best overall”)",
    Facet.REASON: "why it is chosen; a feature that speaks for it is one",
    Facet.PRICE: "one heading a product or plan (“X1 price”)",
    Facet.FACT: "one heading for one thing with figures (“battery life”)",
    Facet.RATING: "stars, a shop tile's too: one heading a product (“X1 stars”)",
    Facet.PRODUCT: "which of its products is named most",
    Facet.BUYER: "what its buyers choose by",
}
"""In the order in which they are chosen."""
TASK = """Below are {what}. Return what they say of these subjects:
{subjects}

1. Read all texts, then choose headings: what most texts say in whatever words, none that only repeats the question.
Of {brand} at most {headings}: first at most 3 limits or warnings, also where one text says them, 2 roles, 3 reasons,
then 4 of the other facets, one of each before a second. {rivals}
{facets}
- id: h1, h2, …
- subject: exactly as listed.
- facet: one of the above.
- heading: that one thing in at most {words} words, in the language of the texts; no number but in a product's name.

2. Go through the texts ONE BY ONE. Give a row for every heading that the text says of that subject, in other words,
too: each that is missing makes a number wrong. One row for a heading and text; of
price, fact and rating one for each value. At most {rows} rows.
- answer: the id above the text.
- heading: the heading's id.
- quote: the words of that text that say it, copied exactly, in one piece, as few as show it, at most 300 characters;
  stop at […]. {rule}
- value: for price, fact and rating only: the one figure (of stars the number) or word that this text gives, in at
  most {words} words; no number that the quote lacks.

batch is "{batch}".
{notice}"""
SHAPE = """Reply with one JSON object and nothing else, of this shape:
{"batch": "…",
 "headings": [{"id": "h1", "subject": "…", "facet": "limit", "heading": "no grinder"}, …],
 "rows": [{"answer": "…", "heading": "h1", "quote": "…", "value": ""}, …]}"""
ASKED = {False: "Asked:", True: "Rated:"}
OF_RIVALS = f"Of each other at most {MOST_RIVAL_HEADINGS}, of the first four facets:"
OF_ANSWERS = """With the subject's name in it, else that name is the last before it; where words before the
  name say it, from these up to it. A maker's name right before its product is the subject's. Of figures
  glued together ("$199.004.7(3k+)") up to the one meant is enough. [columns: …] is no quote."""


def _words(value: object) -> object:
    return value.strip() if isinstance(value, str) else ""


def _fields(value: object) -> object:
    return value if isinstance(value, dict) else {}


# What has another shape is empty, and the checks refuse it by name: one bad row costs no other.
Words = Annotated[str, BeforeValidator(_words)]


class Heading(BaseModel):
    """What texts say of a subject, in a reader's words."""

    id: Words = ""
    subject: Words = ""
    facet: Words = ""
    heading: Words = ""


class Row(BaseModel):
    """That one text says what a heading, by its id, says."""

    answer: Words = ""
    heading: Words = ""
    quote: Words = ""
    value: Words = ""


class Reply(BaseModel):
    """All that a reader returns."""

    batch: Words = ""
    headings: list[Annotated[Heading, BeforeValidator(_fields)]]
    rows: list[Annotated[Row, BeforeValidator(_fields)]]


def instructions(material: Material) -> str:
    """The task with all that is to be read, as `write` asks it."""
    is_reviews = material.topic is None
    task = TASK.format(
        what="what customers wrote in reviews"
        if is_reviews
        else "passages of answers that AI systems gave to buyers",
        subjects="\n".join(f"- {name}" for name in material.subjects),
        facets="\n".join(f"  - {facet}: {meaning}" for facet, meaning in MEANINGS.items()),
        brand=material.brand.name,
        headings=MOST_HEADINGS,
        rivals=OF_RIVALS if len(material.subjects) > 1 else "Facets:",
        words=MOST_WORDS,
        rule="" if is_reviews else OF_ANSWERS,
        rows=MOST_ROWS,
        batch=material.batch,
        notice=QUOTE_NOTICE,
    )
    asked: dict[str, list[str]] = {}
    for each in material.texts:
        asked.setdefault(each.question, []).append(f"{each.key}: {marked(each.text)}")
    parts = [
        line for question, texts in asked.items() for line in ("", f"{ASKED[is_reviews]} {marked(question)}", *texts)
    ]
    return "\n".join([task, *parts])


def printed_task(material: Material) -> str:
    """The same with the form of the reply, to be copied into an assistant."""
    return f"{instructions(material)}\n\n{SHAPE}"


def parse_reply(text: str) -> Reply:
    """The reply in what a person pasted, whatever is around it. Raises invalid_arguments."""
    if len(text) > LONGEST_REPLY:
        raise invalid(
            "text",
            gettext("This has {number:,} characters; a reply has at most {longest:,}.").format(
                number=len(text), longest=LONGEST_REPLY
            ),
        )
    try:
        return Reply.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
    except ValueError:
        raise invalid(
            "text", gettext("This is no reply: paste the JSON object that the assistant returned, whole.")
        ) from None
