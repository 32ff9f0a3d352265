"""What a question gets: what it was narrowed to, rows of facts, passages of answers, and what cannot be told."""

from operator import not_
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, SerializationInfo, field_serializer

from apikeys.resources import Quota, Resource, UntrustedText, WordedText
from visibility.answers.passages import Passage, WordsFound
from visibility.counts.resources import FIRST_RELATION
from visibility.counts.rows import Relation
from visibility.recommendations.resources import ProofResource

Kind = Literal["site", "competitor", "untracked", "topic", "engine", "market"]
OF_OTHER_TOOLS = {
    *("quotes", "own_sentence", "by_engine", "weight", "ours", "beside", "subject_key", "progress", "first_seen"),
    *("latest_run", "summary", "first_evidence", "evidence_pieces", "evidence", "urls", "source", "effect"),
    *("counter_evidence", "category", "affected", "fix_prompt", "count_before", "answers_before"),
}
"""Fields of facts that only the tool of their subject shows."""


class FactRow(Resource):
    """So many of the answers (`of`) name the subject; see `CountRow`. `period`: left out where it is the reply's."""

    subject: UntrustedText
    tracked: bool | None = Field(description="left out: tracked")
    topic: UntrustedText | None
    engine: str | None
    surface: str | None
    period: str | None
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
    first_relation: Relation | None = Field(description=FIRST_RELATION)


class PanelFact(Resource):
    """What a margin takes: so many topics and prompts, each asked as those of now are; null: over 1,000 topics."""

    margin: float = Field(description="points either way, for prompts like these")
    topics_needed: int | None
    prompts_needed: int | None


class ReadFact(Resource):
    """What a reader found of a subject: `answers` of the `of` read ones that name it say so."""

    subject: UntrustedText
    topic: UntrustedText
    says: UntrustedText
    answers: int
    of: int


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


class Resolved(Resource):
    """What the facts are narrowed to, by which words; without `name` by nothing: `others` are what may be meant."""

    kind: Kind = Field(alias="as")
    id: UUID | None = Field(default=None, exclude_if=not_)
    name: UntrustedText | None = Field(default=None, exclude_if=not_)
    from_: UntrustedText | None = Field(default=None, alias="from", exclude_if=not_)
    others: list[UntrustedText] = Field(default=[], exclude_if=not_)


class ResolvedPlain(Resolved):
    """The same of engines and markets, whose names nobody else wrote."""

    name: str | None = Field(default=None, exclude_if=not_)
    others: list[str] = Field(default=[], exclude_if=not_)


class NextCall(Resource):
    """A call that works as it stands; `tool` is without the prefix until a door adds it."""

    tool: str
    arguments: dict[str, Any]


class CannotTell(Resource):
    """What of the question has no answer here, why, and the call that helps; null: none does."""

    what: str
    why: str
    next_step: NextCall | None = None


def shown(row: Resource, context: Any, about: str | None = None) -> dict[str, Any]:
    """A row as replies have it: without nulls, and with its subject where a question has several."""
    values = row.model_dump(mode="json", by_alias=True, context=context, exclude=OF_OTHER_TOOLS, exclude_none=True)
    return {"about": about, **values} if about else values


class Answered(Resource):
    """The facts about a question. What is empty is left out, but for `cannotTell`, `answer`, `resolved`, `facts`."""

    site_id: UUID | None = Field(default=None, exclude_if=not_)
    about: str | None = None
    resolved: list[ResolvedPlain | Resolved] = []
    cannot_tell: CannotTell | None = None
    answer: str | None = None
    period: str | None = Field(default=None, exclude_if=not_, description="of facts without their own, both ends")
    markets: list[str] = Field(
        default=[], exclude_if=not_, description="that the facts pool, such as de-AT, as far as known"
    )
    measures: list[str] = Field(default=[], exclude_if=not_, description="what the facts count, and nothing else")
    facts: list[Resource] = Field(default=[], description="rows by what `about` is")
    facts_total: int | None = Field(default=None, exclude_if=not_, description="where some were left out")
    see_more: NextCall | None = Field(default=None, exclude_if=not_, description="the same call with all facts")
    words_found: WordsFound | None = Field(default=None, exclude_if=not_)
    passages: list[Passage] = Field(default=[], exclude_if=not_)
    notes: list[str] = Field(default=[], exclude_if=not_)
    withheld: list[str] = Field(default=[], exclude_if=not_, description="parts that this key lacks the scope for")
    subjects: dict[str, str] = Field(default={}, exclude_if=not_, description="what `about` can be")
    subjects_of_facts: list[str] = Field(default=[], exclude=True)

    @field_serializer("facts")
    def _rows(self, facts: list[Resource], info: SerializationInfo) -> list[dict[str, Any]]:
        is_one = "," not in (self.about or "")
        labels = [None] * len(facts) if is_one else self.subjects_of_facts
        return [shown(row, info.context, about) for row, about in zip(facts, labels, strict=True)]
