"""What makes figures uncertain, and what a scan would have to ask to make them surer."""

from typing import Literal

from pydantic import Field

from apikeys.resources import Resource
from visibility.resources.changes import Percent


class PlannedScan(Resource):
    """What a scan would ask, branded prompts apart, and what that would show."""

    topics: int
    wordings: float = Field(description="of each topic")
    samples: float = Field(description="of each engine to each wording")
    prompts: int = Field(description="all wordings")
    answers: int = Field(description="of all engines; one credit each")
    reach: Percent = Field(description="half width of the interval, or the smallest change seen, in points")


class VarianceBudget(Resource):
    """Where the uncertainty of a figure comes from, and what would lessen it."""

    shares: dict[str, float] = Field(
        description="percent of the variance by source (`day`: the luck that an engine's topics share on a day); "
        "empty where none is known"
    )
    reach: Percent = Field(description="half width of the interval, or the smallest change seen, in points")
    target: float = Field(description="what would be fine enough, in points")
    prompts: int
    topics: int
    samples: float = Field(description="answers of an engine to a prompt, on average")
    needed: PlannedScan | None = Field(
        description="reaches the target with the fewest answers, or nearly; null: none"
    )
    allowed: PlannedScan | None = Field(
        description="where `needed` is beyond the account's plan: the most that the plan allows; else null"
    )
    known_from: Literal["own", "panel", "assumed"] = Field(
        description="whose answers this rests on: the site's own, those about all brands of the panel, or none yet"
    )
    advice: Literal["enough", "prompts", "samples"]
    reason: str


class Budgets(Resource):
    """The variance budgets of a brand's score and of its change; null where it has none."""

    score: VarianceBudget | None = None
    change: VarianceBudget | None = None
