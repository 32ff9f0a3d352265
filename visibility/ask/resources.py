"""What a question gets: what it was narrowed to, rows of facts, passages of answers, and what cannot be told."""

import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, SerializeAsAny, SerializerFunctionWrapHandler, model_serializer

from apikeys.resources import Quota, Resource, UntrustedText, WordedText
from visibility.ask.passages import Passage, WordsFound
from visibility.audits.resources import QuotingText
from visibility.counts.resources import Percentage
from visibility.counts.rows import Relation
from visibility.overview.resources import RecommendationLine, Role
from visibility.recommendations.resources import ProofResource

About = Literal[
    "standing",
    "change",
    "topics",
    "competitors",
    "engines",
    "sources",
    "criteria",
    "claims",
    "recommendations",
    "proofs",
    "audit",
    "runs",
    "costs",
    "definitions",
    "sites",
]
Kind = Literal["site", "competitor", "untracked", "topic", "engine", "prompt"]


class Short(Resource):
    """Leaves out what does not apply to it, so that more rows fit into a short reply."""

    @model_serializer(mode="wrap")
    def _without_nulls(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in dump(self).items() if value is not None}


class FactRow(Short):
    """So many of the answers (`of`) name the subject; see `CountRow`. `period` is a day, or first/last day."""

    subject: UntrustedText
    competitor_id: UUID | None
    tracked: bool | None = Field(description="left out: tracked")
    topic: UntrustedText | None
    engine: str | None
    period: str
    mentioned: int
    of: int
    first: int | None
    recommended: int | None
    cautioned: int | None
    cited: int | None
    alone: int | None
    without_brand: int | None = Field(description="of `mentioned`: answers that do not name the site")
    only_brand: int | None = Field(description="answers that name the site and not the subject")
    score: float | None
    low: float | None
    high: float | None
    panel_low: float | None
    panel_high: float | None
    share_of_voice: float | None
    relation: Relation | None
    chance: float | None = Field(description="how often luck alone gives such a difference, 0 to 1")


class SiteFact(Short):
    """A site with its one score: the share of answers of now that name it, the mean over engines."""

    id: UUID
    name: UntrustedText
    domain: UntrustedText
    role: Role
    score: Percentage
    as_of: datetime.date | None


class CardFact(RecommendationLine):
    """A recommendation; a chore makes figures more complete, and claims no gain."""

    kind: str
    is_chore: bool


class AuditFact(Resource):
    """One thing that the latest audit of the site found wrong."""

    check: str
    severity: str
    title: str
    finding: QuotingText
    gain: float = Field(description="points that the audit's score would win")


class ProofFact(ProofResource):
    """Whether a recommendation that was carried out shows in answers."""

    title: WordedText


class CostFact(Quota):
    """What is used of a limit."""

    what: str


class Definition(Resource):
    """What a word of this service means."""

    term: str
    means: str


class Resolved(Short):
    """What the facts are narrowed to, by which words; without `name` by nothing: `others` are what may be meant."""

    kind: Kind = Field(alias="as")
    id: UUID | None = None
    name: UntrustedText | None = None
    from_: UntrustedText | None = Field(default=None, alias="from")
    others: list[UntrustedText] | None = None


class ResolvedEngine(Resolved):
    """The same of an engine, whose name nobody else wrote."""

    kind: Kind = Field(alias="as", default="engine")
    name: str | None = None
    others: list[str] | None = None


class NextCall(Resource):
    """A call that works as it stands; `tool` is without the prefix until a door adds it."""

    tool: str
    arguments: dict[str, Any]


class CannotTell(Resource):
    """What of the question has no answer here, why, and the call that helps; null: none does."""

    what: str
    why: str
    next_step: NextCall | None


class Answered(Resource):
    """The facts about a question."""

    site_id: UUID | None = None
    about: About | None = None
    resolved: list[ResolvedEngine | Resolved] = []
    cannot_tell: CannotTell | None = None
    answer: str | None = None
    last_measured_day: datetime.date | None = None
    facts_total: int = 0
    facts: list[SerializeAsAny[Resource]] = Field(default=[], description="of classes by what `about` is")
    see_more: NextCall | None = Field(default=None, description="the same call with the facts that were left out")
    words_found: WordsFound | None = None
    passages: list[Passage] = []
    notes: list[str] = []
    withheld: list[str] = Field(default=[], description="parts that this key lacks the scope for")
    subjects: dict[About, str] = Field(default={}, description="what `about` can be, where nothing resolved")
