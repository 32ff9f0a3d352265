"""What the doors show of competitors."""

from operator import not_
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from apikeys.resources import Quota, Resource, UntrustedText, WordedText
from visibility.counts.resources import Percentage, TestedStanding
from visibility.prompts.resources import OLDER_WORDING
from visibility.runs.resources import LatestScan


class Preferences(Resource):
    """Whom so many answers prefer. The site, the competitor and the undecided add up to `answers`."""

    answers: int
    site_preferred: int
    competitor_preferred: int
    undecided: int = Field(description="they decide for neither, or both ways")


class PreferenceQuote(Resource):
    """The words of one answer that decide."""

    prefers: Literal["site", "competitor"]
    rule: str = Field(description="verdict: a line that sums up; choice; rank: first place; stance: the other is bad")
    text: UntrustedText


class ShortStanding(TestedStanding):
    """A compared competitor without nulls and `units`, and with one interval: that of what it was compared over."""

    @model_serializer(mode="wrap")
    def _with_one_interval(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        left_out = {"units"}
        if self.low is not None and self.panel_low is not None:
            left_out |= {"panelLow", "panelHigh"} if self.units == "topics" else {"low", "high"}
        return {name: value for name, value in dump(self).items() if name not in left_out and value is not None}


class StandingInFull(TestedStanding):
    """A competitor with all its names."""

    domain: UntrustedText
    aliases: list[UntrustedText]


AnyStanding = ShortStanding | StandingInFull | TestedStanding


class SuggestedCompetitor(Resource):
    """A company that nobody tracks. So many of the answers of now mention it, counted as if it were tracked, and so
    many offer it as a choice, also by a product's name alone. It joins the figures only once it is added."""

    name: UntrustedText
    domain: UntrustedText | None = Field(description="a cited domain that is called so")
    mentioned: int
    offered: int
    answers: int


class SiteCompetitors(Resource):
    """The site's competitors by their score of now, and who else answers recommend."""

    site_id: UUID
    summary: list[WordedText]
    site: AnyStanding | None = Field(default=None, description="its own figures in the same answers")
    competitors: list[AnyStanding]
    quota: Quota
    is_recounting: bool
    suggestions: list[SuggestedCompetitor]
    untracked_share: Percentage = Field(
        description="part of names that nobody tracks in all mentions; share of voice is among tracked ones only; "
        "null: nothing is named, or the prompts are in a language in which not all names are found"
    )


class CitedDomain(Resource):
    """A site that answers cite, and how many do."""

    domain: UntrustedText
    answers: int


class CompetitorCount(Resource):
    """A competitor, and how many answers name it and not the site."""

    competitor_id: UUID | None = Field(description="null: nobody tracks it")
    name: UntrustedText
    mentioned: int
    without_site: int


class PromptGap(Resource):
    """A prompt, the competitors that its answers of now name without the site, and what these answers cite most."""

    prompt_id: UUID
    prompt: UntrustedText
    older_wording: UntrustedText | None = Field(default=None, exclude_if=not_, description=OLDER_WORDING)
    topic: UntrustedText
    answers: int
    competitors: list[CompetitorCount]
    more_competitors: int
    cited: list[UntrustedText]


class GapPage(Resource):
    """A page that such answers cite: all answers of now that do, how many of these name the site, and of the gaps
    the prompts, as they were asked, whose answers cite it most."""

    url: UntrustedText
    cited_by: int
    names_site: int
    prompts: list[UntrustedText]


class PromptGaps(Resource):
    """Where answers name competitors and not the site, the most consistent first."""

    site_id: UUID
    summary: list[WordedText]
    total: int
    answers: int = Field(description="that name such a competitor and not the site")
    cited: list[CitedDomain] = Field(description="what these answers cite most, over all prompts")
    pages_total: int
    pages: list[GapPage] = Field(description="cited by most of these answers")
    gaps: list[PromptGap]


class TrackedCompetitor(Resource):
    """A competitor as it is tracked, or with `id` null would be."""

    id: UUID | None
    name: UntrustedText
    domain: UntrustedText
    aliases: list[UntrustedText]


class AddedCompetitor(Resource):
    """A competitor that was added. `rescored`: when its history is counted; figures know it then. `doubts`: of names
    that are also words, how many of their places in answers count, and why the others do not."""

    site_id: UUID
    competitor: TrackedCompetitor
    quota: Quota
    rescored: str
    doubts: list[WordedText]


class EngineCounts(Preferences):
    """Whom one engine's answers prefer."""

    engine: str


class EnginePreferences(EngineCounts):
    """The same of one question, with the words that decide."""

    quotes: list[PreferenceQuote] = Field(description="two of each side at most")


class ComparedRow(Preferences):
    """The site against one competitor: whom answers prefer, by engine, and the first words for each side."""

    competitor_id: UUID
    name: UntrustedText
    engines: list[EngineCounts]
    quotes: list[PreferenceQuote]


class ComparedQuestion(Resource):
    """A question that puts the site against one competitor; each is asked in both orders of the names."""

    prompt_id: UUID
    prompt: UntrustedText
    engines: list[EnginePreferences]


class ComparedInFull(ComparedRow):
    """The site against one competitor, with every question."""

    prompts: list[ComparedQuestion]


class LatestRun(LatestScan):
    """The most recent run; of a comparison also whom answers prefer, by competitor."""

    comparison: list[ComparedRow | ComparedInFull] | None
