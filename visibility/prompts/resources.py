"""What agents see of prompts: each with how many of its answers of now name the site."""

import datetime
from operator import not_
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Quota, Resource, Timestamp, UntrustedText, WordedText
from visibility.models.prompts import Intent, Stage

OLDER_WORDING = "the wording that these answers are to, where it is not the one of now"


class PromptEffect(Resource):
    """What a change of prompts means for the next scan, in credits (null: no engine is set up), for the trend, and
    for the answers that are there."""

    prompts_before: int
    prompts_after: int
    credits_before: int | None
    credits_after: int | None
    comparability: str
    answers: str = Field(description="what becomes of the answers so far")
    next_scan: str = Field(description="what the next scan does")


class PromptRow(Resource):
    """A prompt, and the answers of now to it: of `answers` so many name the site, and so many the competitor that
    is named most. Until its current wording is asked these are to the one before, `older_wording`. `absent`: askings
    for which no AI answer was shown, apart from `answers`. `branded`: it names the site itself, so that no score
    counts it; null: never answered."""

    id: UUID
    text: UntrustedText
    topic: UntrustedText
    mentioned: int
    answers: int
    leader: WordedText | None
    leader_mentioned: int
    branded: bool | None
    absent: int = 0
    older_wording: UntrustedText | None = Field(default=None, exclude_if=not_, description=OLDER_WORDING)


class EngineTally(Resource):
    """What one engine's answers of now say of the site."""

    engine: str
    surface: str
    as_of: datetime.date
    version: int = Field(description="the number of the newest wording that these answers are to")
    answers: int
    failed: int
    mentioned: int
    first: int = Field(description="answers that name it before all other tracked names")
    recommended: int
    cautioned: int
    cited: int = Field(description="answers that cite its pages")


class PromptFull(PromptRow):
    """A prompt with everything that is known of it."""

    stage: Stage | Literal[""]
    intent: Intent | Literal[""]
    persona: UntrustedText
    locale: str
    version: int
    created_at: Timestamp
    archived_at: Timestamp | None
    engines: list[EngineTally]


class Coverage(Resource):
    """How many active prompts ask at a stage with an intent; empty: not stated."""

    stage: str
    intent: str
    prompts: int


class TopicCount(Resource):
    """A topic, how many of the listed prompts are about it, and whether it is the site's own (null: undecided). A
    topic that is not its own counts in no figure."""

    topic: UntrustedText
    prompts: int
    own: bool | None


class PromptList(Resource):
    """The prompts of a site, by topic; those whose answers name the site least come first."""

    site_id: UUID
    summary: list[WordedText]
    total: int
    quota: Quota
    coverage: list[Coverage]
    topics_total: int
    topics: list[TopicCount]
    prompts: list[PromptRow | PromptFull]


class Version(Resource):
    """A wording, from when on it was asked."""

    number: int
    text: UntrustedText
    created_at: Timestamp


class MentionSpan(Resource):
    """Where an answer names the site or a competitor, and the sentence; start and end are offsets into its text."""

    name: UntrustedText
    rank: int | None = Field(description="1 for the first of what is offered; null: not offered")
    stance: str
    quote: UntrustedText
    start: int
    end: int


class AnswerCitation(Resource):
    """A page that an answer cites."""

    url: UntrustedText
    domain: UntrustedText
    whose: UntrustedText | None = Field(description="the site or competitor that owns it")


class AnswerShown(Resource):
    """An answer as it came. In short results `text` is its beginning."""

    id: int
    engine: str
    surface: str
    day: datetime.date
    sample: int
    text: UntrustedText
    is_cut: bool
    version: int = Field(description="the number of the wording that it answers")
    is_older_wording: bool = Field(default=False, exclude_if=not_, description="the prompt was reworded since")
    market: str | None = Field(default=None, description="the market asked for, such as de-AT; null: not known")
    country: str | None = Field(default=None, description="whose answer it is, as the engine says; null: it does not")
    is_elsewhere: bool = Field(default=False, description="for another country than was asked for: it counts nowhere")
    mentions: list[MentionSpan]
    citations: list[AnswerCitation]


class PromptDetail(Resource):
    """A prompt with its wordings, what each engine answers now, and the latest answers."""

    site_id: UUID
    prompt: PromptFull
    versions: list[Version]
    answers: list[AnswerShown]


class SubjectTally(Resource):
    """The site (competitorId null) or a competitor in the answers of now to one prompt."""

    name: UntrustedText
    competitor_id: UUID | None
    mentioned: int
    answers: int
    first: int
    mean_rank: float | None = Field(description="over the answers that rank it")
    recommended: int
    cautioned: int
    engines: list["EngineCount"]


class EngineCount(Resource):
    """Of so many answers of an engine, so many name it."""

    engine: str
    mentioned: int
    answers: int


class CitedSite(Resource):
    """A site that answers to the prompt cite, and how many of them do."""

    domain: UntrustedText
    cited: int
    answers: int


class PromptCompetitorResults(Resource):
    """Who is named in the answers of now to one prompt: the site, then its competitors, the most named first."""

    site_id: UUID
    prompt_id: UUID
    prompt: UntrustedText
    older_wording: UntrustedText | None = Field(default=None, exclude_if=not_, description=OLDER_WORDING)
    as_of: datetime.date | None
    answers: int
    results: list[SubjectTally]
    cited: list[CitedSite]


class RefinedPrompt(Resource):
    """A prompt after it was reworded or archived. Its earlier wordings keep their answers and history."""

    prompt_id: UUID
    site_id: UUID
    text: UntrustedText
    topic: UntrustedText
    version: int
    is_archived: bool
    effect: PromptEffect
    quota: Quota
