"""What writers are asked for. Everything in a task but its numbers and choices is material that others wrote."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

Stage = Literal["awareness", "consideration", "decision"]
Intent = Literal["informational", "comparison", "transactional"]


class DraftFormat(StrEnum):
    """What kind of page a draft is."""

    ARTICLE = "article"
    FAQ = "faq"
    COMPARISON = "comparison"
    LANDING = "landing"


@dataclass(frozen=True, slots=True)
class Subject:
    """The brand that is written for; `names` are all by which it is known, `rivals` its competitors' names."""

    name: str
    domain: str
    description: str = ""
    names: Sequence[str] = ()
    rivals: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class KnownPrompt:
    """A prompt that the brand has or had; what is written must not repeat it."""

    text: str
    topic: str = ""
    stage: str = ""
    intent: str = ""
    locale: str = ""
    persona: str = ""


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page of the brand's own, for the terms of its trade."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Searched:
    """What an engine searched the web for on the way to answers on a topic; `answers` is how many did so."""

    text: str
    topic: str
    answers: int


@dataclass(frozen=True, slots=True)
class PromptsTask:
    """Write `count` new questions as buyers put them. What is empty is the writer's choice.

    `criteria` are what answers on each topic judge by, the weightiest first, in the language of the locale. `rivals`
    are the competitors that answers on each topic name; on a topic that is not in it any may be named.
    """

    subject: Subject
    count: int
    existing: Sequence[KnownPrompt] = ()
    pages: Sequence[KnownPage] = ()
    topic: str = ""
    stage: Stage | Literal[""] = ""
    persona: str = ""
    locale: str = ""
    criteria: Mapping[str, Sequence[str]] = field(default_factory=dict)
    rivals: Mapping[str, Sequence[str]] = field(default_factory=dict)
    searches: Sequence[Searched] = ()


@dataclass(frozen=True, slots=True)
class RefineTask:
    """Word one question anew as the instruction says."""

    subject: Subject
    text: str
    instruction: str
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """A passage that a draft may quote, word for word. `mark` stands for it in the text: S1, S2 and so on.

    `own`: from a page of the brand. `source` says in words where it is from; `url` is empty for answers, `answer`
    is the id of the answer that says or cites it. Words of others have who says them (`said_by`), the criterion that
    they speak `about`, and whom they speak `of`: the brand's or a competitor's name, or empty.
    """

    mark: str
    text: str
    source: str
    url: str = ""
    own: bool = False
    answer: str = ""
    said_by: str = ""
    about: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True)
class DraftTask:
    """Write a page that answers `questions`, the first of them before all others, from `materials` alone.

    `criteria` are what buyers judge by, the weightiest first.
    """

    subject: Subject
    topic: str
    format: DraftFormat
    questions: Sequence[str]
    materials: Sequence[Material] = ()
    locale: str = ""
    criteria: Sequence[str] = ()

    @property
    def question(self) -> str:
        """The one that the first paragraph answers."""
        return self.questions[0] if self.questions else self.topic


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known, in a sentence; `id` is how an answer refers to it."""

    id: str
    statement: str


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool that reads: what it is called, what it is for, and the JSON Schema of its arguments."""

    name: str
    description: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What a tool said: JSON, with the words of others between marks. `id` is how an answer refers to it."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class AskTask:
    """Answer the question from the facts, and from what tools reply, alone.

    `withheld` are the scopes without which some facts were left out; `said` is what the answer begins with already,
    such as what of the question is not known. `calls_left` is how many more of the `tools` may be called; `problem`
    is why the answer before this one will not do.
    """

    question: str
    facts: Sequence[Fact]
    withheld: Sequence[str] = ()
    said: Sequence[str] = ()
    tools: Sequence[ToolOffer] = ()
    replies: Sequence[ToolReply] = ()
    calls_left: int = 0
    problem: str = ""

    @property
    def ids(self) -> set[str]:
        """What an answer may rest on."""
        return {fact.id for fact in self.facts} | {reply.id for reply in self.replies}
