"""What a writer is, and what it gives back. Structured tasks in, checked models out."""

from typing import Annotated, Any, Literal, Protocol, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from apikeys.text.untrusted import clean
from visibility.writers.tasks import AskTask, DraftTask, Intent, PromptsTask, RefineTask, Stage

MAX_PROMPT_LENGTH = 500
MAX_TITLE_LENGTH = 200
MAX_DRAFT_LENGTH = 60_000
MAX_ANSWER_LENGTH = 4_000


def _shown(value: object) -> object:
    """Text without the invisible characters that a reply may have escaped."""
    return clean(value) if isinstance(value, str) else value


Line = Annotated[str, BeforeValidator(_shown), StringConstraints(strip_whitespace=True, min_length=1)]


class Written(BaseModel):
    """What a writer wrote; anything that was not asked for is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WriterLabel(Written):
    """Who wrote: the embedded writer, or an engine with its model."""

    kind: Literal["embedded", "engine"]
    name: str
    model: str | None = Field(default=None, description="the engine's model; null for the embedded writer")


class WrittenPrompt(Written):
    """A question as a buyer would put it."""

    text: Annotated[Line, Field(max_length=MAX_PROMPT_LENGTH)]
    topic: Annotated[Line, Field(max_length=200)]
    stage: Stage
    intent: Intent
    rests_on: Annotated[str, BeforeValidator(_shown), Field(max_length=200)] = Field(
        default="", description="the search, criterion or competitor that it is made of; empty: none of these"
    )


class WrittenPrompts(Written):
    """New questions."""

    prompts: list[WrittenPrompt]


class WrittenWording(Written):
    """A question in new words."""

    text: Annotated[Line, Field(max_length=2_000)]


class WrittenDraft(Written):
    """A page in Markdown, without its title; sources stand in it as [S1], gaps as [fact needed: …]."""

    title: Annotated[Line, Field(max_length=MAX_TITLE_LENGTH)]
    markdown: Annotated[Line, Field(max_length=MAX_DRAFT_LENGTH)]


class WrittenAnswer(Written):
    """An answer, and the ids of the facts that it rests on."""

    answer: Annotated[Line, Field(max_length=MAX_ANSWER_LENGTH)]
    facts: list[str]


class ToolCall(Written):
    """A tool that the writer wants to read before it answers."""

    tool: Annotated[Line, Field(max_length=100)]
    arguments: dict[str, Any] = {}


class WrittenStep(Written):
    """One step towards an answer: either a tool to read, or the answer with the ids that it rests on."""

    call: ToolCall | None = None
    answer: Annotated[Line, Field(max_length=MAX_ANSWER_LENGTH)] | None = None
    facts: list[str] = []

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.call is None) == (self.answer is None):
            raise ValueError("give either `call` or `answer`")
        return self


class WriterError(Exception):
    """A writer could not write. `billed`: a provider answered, so the call counts."""

    def __init__(self, code: str, message: str, *, billed: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.billed = billed


class CannotWrite(Exception):
    """The task asks for what this writer cannot do; `argument` names what to give instead, the message how."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(message)
        self.argument = argument
        self.message = message


class Writer(Protocol):
    """Writes what is asked for. Holds no database access; all it may know stands in the task.

    Each method raises WriterError when it fails, and CannotWrite where the task is beyond it. Not to be called in a
    transaction, but for the embedded writer, which neither waits nor fails.
    """

    label: WriterLabel

    def prompts(self, task: PromptsTask) -> WrittenPrompts:
        """At most `task.count` questions; none that the brand has already, none that names the brand."""
        ...

    def refine(self, task: RefineTask) -> WrittenWording:
        """The question as the instruction wants it."""
        ...

    def draft(self, task: DraftTask) -> WrittenDraft:
        """A page that says nothing that its material does not say."""
        ...

    def answer(self, task: AskTask) -> WrittenAnswer | ToolCall:
        """The answer that facts and replies of tools give, or, while calls are left, the tool to read before it."""
        ...
