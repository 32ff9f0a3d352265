"""How many prompts a brand needs before it is scanned: for a margin or to see a change, with what that costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.engines.adapters.local_search import is_local
from visibility.measured.now import read_now
from visibility.measured.stored import VarianceBudget
from visibility.measured.topics import read_topics
from visibility.metrics.amounts import dollars
from visibility.metrics.planning import (
    DETECTABLE,
    MARGIN,
    Design,
    Limits,
    Plan,
    plan_for,
)
from visibility.pipeline.ask.engines import engines_of
from visibility.pipeline.ask.prices import answer_prices
from visibility.pipeline.plan import chosen_samples, samples_of_scan
from visibility.services.prompts.listing import is_branded, names_in_use
from visibility.services.reading.budgets import (
    PLAN_FIELDS,
    Known,
    known_of,
    limits_of,
    measured_design,
    stored_budgets,
)
from visibility.services.reading.plan_words import CHANGE, SCORE, known_in_words, plan_in_words

USUAL = {"score": MARGIN, "change": DETECTABLE}
_WORDING = {"score": SCORE, "change": CHANGE}


@dataclass(frozen=True, slots=True)
class Alternative:
    """What reaches the same with so many wordings of each topic; what it costs, in words."""

    design: Design
    is_within_plan: bool
    cost: str


@dataclass(frozen=True, slots=True)
class Goal:
    """What reaches a target: the plan, the same in words, and what other numbers of wordings would take."""

    figure: str
    plan: Plan
    words: str
    known: str
    alternatives: Sequence[Alternative]


@dataclass(frozen=True, slots=True)
class Panel:
    """What a brand's next scan asks beside prompts that name it, and what its owner's plan allows.

    `engines` are those of the figure over engines, with the price of an answer in US dollars, None where it is not
    known. `measured` are the budgets of now by figure.
    """

    brand: Brand
    present: Design | None
    branded: int
    limits: Limits
    engines: Mapping[str, Decimal | None]
    known: Known
    measured: Mapping[str, VarianceBudget]

    def goal(self, figure: str, target: float) -> Goal:
        """What it takes for a half width of `target` points (figure `score`), or to see a change of as many
        (`change`)."""
        reach = self.known.reach(figure)
        engines = self.present.engines if self.present else max(1, len(self.engines))
        plan = plan_for(
            reach, target, limits=self.limits, engines=engines, present=self.present,
            measured_reach=self._measured_reach(figure),
        )  # fmt: skip
        return Goal(
            figure=figure,
            plan=plan,
            words=plan_in_words(plan, self.limits, _WORDING[figure], self._price),
            known=known_in_words(self.known.source(figure), _WORDING[figure]),
            alternatives=[
                Alternative(design, self.limits.allow(design), self._price(design)) for design in plan.by_wordings
            ],
        )

    def _measured_reach(self, figure: str) -> float | None:
        """What was measured, where that was of as many prompts and samples as the next scan asks."""
        budget, present = self.measured.get(figure), self.present
        if budget is None or present is None:
            return None
        measured = measured_design(budget)
        is_same = (measured.topics, measured.prompts, measured.answers) == (
            present.topics, present.prompts, present.answers,
        )  # fmt: skip
        return budget.reach if is_same else None

    def _price(self, design: Design) -> str:
        """What the providers would take for it, in words; empty where nobody is asked yet."""
        if not self.engines:
            return ""
        known = [price for price in self.engines.values() if price is not None]
        if len(known) < len(self.engines):
            return dollars(None)
        cost = sum(known, Decimal(0)) * design.prompts * Decimal(str(design.samples))
        return dollars(cost) if cost else "free of charge"


def panel_of(caller: Caller, *, brand_id: UUID) -> Panel:
    """What plans of the brand reckon with. Reads only. Raises not_found."""
    caller.require(Scope.READ_VISIBILITY)
    brand = readable_brand(caller, brand_id)
    own = read_now(brand).own
    measured = stored_budgets(own.budget) if own else {}
    engines = engines_of(brand)
    averaged = [engine for engine in engines if not is_local(engine.name)] or engines
    dictionary = names_in_use(brand)
    topics = read_topics(brand.pk)
    unbranded = [
        topics.key_of[prompt] for prompt, text in topics.wordings.items() if not is_branded(text, dictionary)
    ]
    branded = len(topics.wordings) - len(unbranded)
    samples = samples_of_scan(brand, averaged)
    return Panel(
        brand=brand,
        present=_asked(unbranded, list(samples.values()), measured, chosen_samples(brand)),
        branded=branded,
        limits=limits_of({name: brand.owner.limit(name) for name in PLAN_FIELDS}, branded),
        engines={name: price for name, (price, _) in answer_prices(brand, list(samples)).items()},
        known=known_of(measured),
        measured=measured,
    )


def usual_goal(caller: Caller, *, brand_id: UUID) -> Goal:
    """What it takes to know the score as well as is usual. Raises not_found."""
    return panel_of(caller, brand_id=brand_id).goal("score", USUAL["score"])


def _asked(
    prompts: Sequence[str], samples: Sequence[int], measured: Mapping[str, VarianceBudget], chosen: int
) -> Design | None:
    """What a scan asks of these prompts. Where no engine can be asked: what imported answers were asked, else what
    one engine would be."""
    if samples:
        return _present(prompts, samples)
    return measured_design(measured["score"]) if "score" in measured else _present(prompts, [chosen])


def _present(prompts: Sequence[str], samples: Sequence[int]) -> Design | None:
    """Unbranded prompts, each by the key of its topic."""
    if not prompts:
        return None
    topics = len(set(prompts))
    return Design(topics, len(prompts) / topics, fmean(samples), len(samples))
