"""What agents see of the prompts of a site."""

from datetime import date as Date
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from apikeys.resources import Quota, Resource, Timestamp, UntrustedText
from visibility.models import Prompt
from visibility.resources.answers import AnswerResource

StageName = Literal["awareness", "consideration", "decision"]
IntentName = Literal["informational", "comparison", "transactional"]


class NamedIn(Resource):
    """In how many answers of one engine to one prompt the site is named: `named` of `answers`."""

    engine: str
    named: int
    answers: int
    as_of: Date | None = Field(default=None, description="the engine's latest counted day, which this is of")
    age: str | None = Field(default=None, description="how old that is, in words; null where it is recent")


class PromptResource(Resource):
    """A prompt in its current wording."""

    id: UUID
    text: UntrustedText
    topic: UntrustedText = Field(description="as people write it; empty: none is stated")
    stage: StageName | None
    intent: IntentName | None
    persona: UntrustedText
    locale: str = Field(description="BCP 47; empty: not stated")
    branded: bool = Field(description="it names the site itself, and does not count in the score")
    version: int
    created_at: Timestamp

    @classmethod
    def of(cls, prompt: Prompt, *, topic: str, branded: bool, **more: Any) -> Self:
        """From the prompt as it is stored now, its topic as people read it; `more` are the fields that a subclass
        adds."""
        return cls(
            id=prompt.pk,
            text=prompt.text,
            topic=topic,
            stage=prompt.stage or None,
            intent=prompt.intent or None,
            persona=prompt.persona,
            locale=prompt.locale,
            branded=branded,
            version=prompt.version,
            created_at=prompt.created_at,
            **more,
        )


COUNTED = "the wording that is counted: an earlier one until the present one is asked; null: no answers"


class PromptItem(PromptResource):
    """A prompt in its current wording, and how often answers to it name the site now."""

    active: bool = Field(description="scans ask it")
    counts: bool = Field(description="false: its topic is not the site's own, so it is asked and not counted")
    named: int = Field(description="answers that name the site, of all engines")
    answers: int = Field(description="to the wording `countedVersion`; 0: not asked on the engines' days")
    counted_version: int | None = Field(description=COUNTED)
    engines: list[NamedIn]


class Coverage(Resource):
    """How many active prompts there are for one stage and intent, and how often answers to them name the site."""

    stage: StageName | None
    intent: IntentName | None
    prompts: int
    named: int = Field(description="answers that name the site, of `answers`")
    answers: int


class PromptList(Resource):
    """The prompts of a site by topic, and what they cover."""

    site: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    topic: UntrustedText | None = Field(description="the one that was asked for; null: all")
    engines: list[str] = Field(description="those whose latest answers `named` and `answers` count")
    prompts: list[PromptItem]
    coverage: list[Coverage] = Field(description="of all active prompts: every stage with every intent")
    quota: Quota = Field(description="of active prompts of this site")


class PromptVersionResource(Resource):
    """One wording of a prompt; answers belong to the wording that was asked."""

    number: int
    text: UntrustedText
    locale: str
    created_at: Timestamp


class PromptDetail(Resource):
    """A prompt with its wordings, its results on the latest measured day, and its latest answers."""

    site: UUID
    as_of: Date | None = Field(description="the measured day of the results; null before the first")
    prompt: PromptItem
    versions: list[PromptVersionResource] = Field(description="oldest first")
    latest_answers: list[AnswerResource] = Field(
        description="up to two of each engine, newest first; `version` is the wording that each answers"
    )


class StanceCounts(Resource):
    """In how many answers the subject is told of in each way; an answer can do so in several."""

    recommended: int = Field(default=0, description="offered as a choice")
    unknown: int = Field(default=0, description="named, and how it is judged cannot be told for certain")
    cautioned: int = 0
    rejected: int = 0
    not_found: int = Field(default=0, description="the answer says that it knows nothing of it; this names nobody")

    @model_validator(mode="before")
    @classmethod
    def _under_one_name(cls, counts: dict[str, int]) -> dict[str, int]:
        """Rows of earlier detectors say "neutral" for unknown."""
        others = {name: number for name, number in counts.items() if name != "neutral"}
        return {**others, "unknown": counts.get("unknown", 0) + counts.get("neutral", 0)}


class DomainCount(Resource):
    """A domain, and how many answers cite it."""

    domain: UntrustedText
    answers: int


class EngineResult(NamedIn):
    """How one engine's answers to the prompt tell of one brand: `named` of `answers` name it."""

    mean_rank: float | None = Field(description="over the answers that offer it in a place; null where none does")
    stances: StanceCounts
    domains: list[DomainCount] = Field(description="cited by the answers that name it, most often first; 5 at most")


class SubjectResult(Resource):
    """How the answers to the prompt tell of the site or of one of its competitors."""

    competitor: UUID | None = Field(description="null: the site itself")
    name: str
    in_prompt: bool = Field(description="the prompt names it, so that an answer hardly can avoid it")
    named: int = Field(description="answers that name it, of all engines")
    answers: int
    engines: list[EngineResult]


class PromptCompetitorResults(Resource):
    """Whom the answers to a prompt name, beside each other, on the latest measured day."""

    site: UUID
    as_of: Date | None = Field(description="null before the first measured day")
    prompt: UUID
    text: UntrustedText = Field(description="the current wording")
    counted_version: int | None = Field(description=COUNTED)
    subjects: list[SubjectResult] = Field(description="the site first, then its competitors, most often named first")
