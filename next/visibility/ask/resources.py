"""What a question gets: what it was narrowed to, rows of facts, passages of answers, and what cannot be told."""

import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from apikeys.resources import Resource, Timestamp, UntrustedText
from visibility.models.recommendations import Level
from visibility.models.runs import RunKind, RunStatus, RunTrigger
from visibility.overview.resources import Role
from visibility.scores.now_resources import ChangeResource
from visibility.scores.pivot import Relation

About = Literal[
    "standing",
    "change",
    "topics",
    "competitors",
    "engines",
    "sources",
    "recommendations",
    "runs",
    "costs",
    "definitions",
    "sites",
]


class Fact(Resource):
    """A row of facts. What does not apply to it is left out, so that more rows fit into a short reply."""

    @model_serializer(mode="wrap")
    def _without_nulls(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in dump(self).items() if value is not None}


class FactRow(Fact):
    """So many of the answers (`of`) name the subject; see `PivotRow`. `period` is a day, or first/last day."""

    subject: UntrustedText
    competitor_id: UUID | None
    tracked: bool | None = Field(description="false: nobody's who is tracked; left out: tracked")
    topic: UntrustedText | None
    engine: str | None
    surface: str | None
    period: str
    mentioned: int
    of: int
    first: int | None
    recommended: int | None
    cautioned: int | None
    cited: int | None
    alone: int | None
    score: float | None
    low: float | None
    high: float | None
    share_of_voice: float | None
    relation: Relation | None


class DayChange(Fact):
    """The last measured day against the measured day before, by the test of every day."""

    day: datetime.date
    before: datetime.date
    delta: float | None
    low: float | None
    high: float | None
    verdict: str
    minimum_detectable: float | None


class SourceFact(Fact):
    """A site that `answers` of the answers (`of`) cite, and whose it is, if it is tracked."""

    domain: UntrustedText
    source_class: str
    whose: str | None
    answers: int
    of: int


class RecommendationFact(Fact):
    """A recommendation in one line."""

    id: UUID
    title: str
    status: str
    priority: int
    impact: Level
    effort: Level


class RunFact(Fact):
    """A run: how it ended, how many answers or pages it got of all, and what it cost in credits."""

    run_id: UUID
    kind: RunKind
    status: RunStatus
    trigger: RunTrigger
    created_at: Timestamp
    finished_at: Timestamp | None
    done: int
    total: int
    score: float | None
    credits_spent: int


class CostFact(Fact):
    """What is spent of a limit, or what something takes."""

    what: str
    used: int | None = None
    limit: int | None = None
    takes: int | None = None
    resets_at: Timestamp | None = None


class Definition(Fact):
    """What a word of this service means."""

    term: str
    means: str


class SiteFact(Fact):
    """A site of the key's owner."""

    site_id: UUID
    name: str
    domain: str
    role: Role


AnyFact = (
    FactRow
    | ChangeResource
    | DayChange
    | SourceFact
    | RecommendationFact
    | RunFact
    | CostFact
    | Definition
    | SiteFact
)


class Resolved(Fact):
    """What the facts are narrowed to, by which words; without `name` by nothing: `others` are what may be meant."""

    kind: Literal["site", "competitor", "untracked", "topic", "engine"] = Field(alias="as")
    id: UUID | None = None
    name: UntrustedText | None = None
    from_: UntrustedText | None = Field(default=None, alias="from")
    others: list[UntrustedText] | None = None


class Passage(Fact):
    """Words of an answer, at `start` to `end` of its text."""

    engine: str
    day: datetime.date
    prompt_id: UUID
    answer_id: int
    start: int
    end: int
    stance: str | None = None
    text: UntrustedText


class WordsFound(Resource):
    """So many of the answers (`of`) hold the words that were asked for."""

    answers: int
    of: int


class NextStep(Resource):
    """A call that works as it stands; `tool` is without the prefix until a door adds it."""

    tool: str
    arguments: dict[str, Any]


class CannotTell(Resource):
    """What of the question has no answer here, why, and the call that helps."""

    what: str
    why: str
    next_step: NextStep


class SubjectLine(Resource):
    """A subject that `about` can name, and what it tells."""

    about: About
    tells: str


class Reply(Resource):
    """The facts about a question."""

    site_id: UUID | None
    about: About | None
    resolved: list[Resolved]
    answer: str | None
    last_measured_day: datetime.date | None
    facts_total: int
    facts: list[AnyFact]
    words_found: WordsFound | None
    passages: list[Passage]
    cannot_tell: CannotTell | None
    notes: list[str]
    withheld: list[str] = Field(description="parts that this key lacks the scope for")
    subjects: list[SubjectLine] = Field(description="what `about` can be, where nothing resolved")
