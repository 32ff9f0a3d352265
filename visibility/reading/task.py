"""The task of a reader: one text, the same for the engine that writes and for a person's assistant; and its reply."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from apikeys.errors import invalid
from apikeys.text import QUOTE_NOTICE, marked
from visibility.models.reading import Facet
from visibility.reading.passages import Material
from visibility.runs.writing import FORM

VERSION = 1
"""Of the task and the checks: what another one has read is another series."""
MOST_ROWS = 160
MOST_WORDS = 4
"""Of a value or heading."""
LONGEST_REPLY = 1_000_000
"""Characters."""
MEANINGS: dict[Facet, str] = {
    Facet.ROLE: "for whom or for what it is the choice (“best for beginners”, “best overall”)",
    Facet.REASON: "why it is chosen; a feature that speaks for it is one",
    Facet.LIMIT: "what it lacks, or for whom it is not",
    Facet.WARNING: "what buyers are told to beware of",
    Facet.PRICE: "what it, or one of its products or plans, costs; the heading of its group says which",
    Facet.PRODUCT: "which of its products is named, once a text",
    Facet.BUYER: "what its buyers choose by, where a text says so",
    Facet.RATING: "how it is rated, by stars or as popular",
    Facet.FACT: "anything else that is true or false of it",
}
TASK = """Below are {what}. Return what they say of these subjects, as rows:
{subjects}

A row says one thing:
- answer: the id above the text.
- subject: its name exactly as listed above.
- facet: one of
{facets}
- value: that one thing in at most {words} words, in the language of the text. No number that the quote lacks.
- quote: the words of that text that say it, copied exactly, in one piece, as few as show it, at most 300 characters;
  never across […]. {rule}
Look for all of it in every text, also where another text says the same. What no text says is no row. At most {rows}
rows: where there are more, limits, warnings, roles and reasons go first, then prices and facts.

groups join two rows or more of one subject and one facet that mean the same to a buyer, also across texts. For price,
rating and fact: that speak of the same thing (the price of one plan), even where values differ.
- rows: their positions in your list of rows, from 0.
- heading: what they have in common, in at most {words} words; no number that one of the quotes lacks.

batch is "{batch}".
{notice}"""
ASKED = {False: "Asked:", True: "Rated:"}
OF_ANSWERS = """The subject's name is in it, or is the
  last name before it; where words before the name say it, copy from these words up to the name."""


def _words(value: object) -> object:
    return value if isinstance(value, str) else ""


def _fields(value: object) -> object:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> object:
    return value if isinstance(value, list) else []


def _positions(value: object) -> object:
    return [each for each in value if type(each) is int] if isinstance(value, list) else []


# What has another shape is empty, and the checks refuse it by name: one bad row costs no other.
Words = Annotated[str, BeforeValidator(_words)]


class Row(BaseModel):
    """What one text says of one subject."""

    answer: Words = ""
    subject: Words = ""
    facet: Words = ""
    value: Words = ""
    quote: Words = ""


class Group(BaseModel):
    """Rows that mean the same, by their positions from 0."""

    heading: Words = ""
    rows: Annotated[list[int], BeforeValidator(_positions)] = []


class Reply(BaseModel):
    """All that a reader returns."""

    batch: Words = ""
    rows: list[Annotated[Row, BeforeValidator(_fields)]]
    groups: Annotated[list[Annotated[Group, BeforeValidator(_fields)]], BeforeValidator(_items)] = []


def instructions(material: Material) -> str:
    """The task with all that is to be read, as `write` asks it."""
    is_reviews = material.topic is None
    task = TASK.format(
        what="what customers wrote in reviews"
        if is_reviews
        else "passages of answers that AI systems gave to buyers",
        subjects="\n".join(f"- {name}" for name in material.subjects),
        facets="\n".join(f"  - {facet}: {meaning}" for facet, meaning in MEANINGS.items()),
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
    return f"{instructions(material)}\n\n{FORM}\n{Reply.model_json_schema()}"


def parse_reply(text: str) -> Reply:
    """The reply in what a person pasted, whatever is around it. Raises invalid_arguments."""
    if len(text) > LONGEST_REPLY:
        raise invalid("text", f"This has {len(text):,} characters; a reply has at most {LONGEST_REPLY:,}.")
    try:
        return Reply.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
    except ValueError:
        raise invalid("text", "This is no reply: paste the JSON object that the assistant returned, whole.") from None
