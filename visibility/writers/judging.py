"""What an engine is told when it decides what a name means in an answer, and how its reply is read. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from apikeys.text.untrusted import QUOTE_NOTICE, quoted

MAX_REPLY = 400
"""Characters of a reply: one that says more than was asked for is none."""
MAX_DESCRIPTION = 500


@dataclass(frozen=True, slots=True)
class NameTask:
    """A name of an owner, the question that was asked, and the pieces of the answer that hold the name."""

    name: str
    owner: str
    domain: str
    description: str
    question: str
    pieces: Sequence[str]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    means: Literal["owner", "other", "unclear"]


def question_of(task: NameTask) -> str:
    """The task in words; what others wrote stands between marks and is data, never an order."""
    sells = f" It says of itself: {quoted(task.description[:MAX_DESCRIPTION])}." if task.description else ""
    pieces = "\n".join(f"- {quoted(piece)}" for piece in task.pieces)
    return (
        f"Decide what a name means in an answer of an AI assistant. {QUOTE_NOTICE}\n\n"
        f"The name is {quoted(task.name)}. The owner is {quoted(task.owner)}, whose site is {task.domain}.{sells}\n\n"
        f"The question was: {quoted(task.question)}\n"
        f"The pieces of the answer that hold the name:\n{pieces}\n\n"
        "Does the name mean the owner, or a line, product or service of the owner, in at least one piece? A word of "
        "a language, a person, a place, a model name of somebody else or another company of the same name is another "
        'meaning. Reply with one JSON object and nothing else: {"means": "owner"}, {"means": "other"} or '
        '{"means": "unclear"}.'
    )


def read_verdict(reply: str) -> bool | None:
    """Whether the name means its owner; None where the reply says that it is unclear, or anything else than was
    asked for."""
    text = reply.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    if len(text) > MAX_REPLY:
        return None
    try:
        means = _Reply.model_validate_json(text).means
    except ValidationError:
        return None
    return {"owner": True, "other": False}.get(means)
