"""What a figure needs to be sure, in plain words: what it takes first, then what there is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apikeys.text.sentences import counted, joined
from visibility.metrics.planning import ASSUMED_RUN, ASSUMED_SPREAD, MAX_TOPICS, Design, Limits, Plan, Source
from visibility.metrics.shown import shown

Price = Callable[[Design], str]
"""What the answers of a design cost, in words; empty where that is not told."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a figure's plan is told. `goal` and `enough` hold a place for the target, `gives` one for the reach;
    `assumed` says what is reckoned with where nothing is measured."""

    goal: str
    enough: str
    gives: str
    assumed: str


SCORE = Wording(
    "±{} points",
    "Precise enough: ±{} points, with a target of ±{}.",
    "gives ±{}",
    "Nothing is measured yet that tells how your answers differ. Assumed is what published answers of real engines "
    f"show: {ASSUMED_SPREAD.prompt_correlation} of the variance is common to the answers to one prompt, "
    f"{ASSUMED_SPREAD.topic_correlation} to those on one topic.",
)
CHANGE = Wording(
    "Seeing a change of {} points",
    "Fine enough: a change of {} points would show, with a target of {}.",
    "shows changes from {} points on",
    "The latest two days do not tell how far topics move by themselves in between: "
    f"{shown(100 * ASSUMED_RUN**0.5, 0)} points (their standard deviation) are assumed.",
)
_KNOWN = {
    Source.OWN: "Reckoned from how your own answers differ.",
    Source.PANEL: "Reckoned from how answers about all brands of the panel differ: those about you say too little.",
}


def no_price(_: Design) -> str:
    """Where money is not told."""
    return ""


def plan_in_words(plan: Plan, limits: Limits, wording: Wording, price: Price = no_price) -> str:
    """What it takes to reach the target, whether the account's plan allows it, and what is there now."""
    if plan.is_enough and plan.reach is not None:
        return wording.enough.format(_points(plan.reach), _points(plan.target))
    goal = wording.goal.format(_points(plan.target))
    now = _present(plan, wording)
    if plan.needed is None:
        best = _within(plan, wording, price)
        return f"{goal} cannot be reached, not even with {MAX_TOPICS:,} topics. {best} {now[0].upper()}{now[1:]}."
    if plan.is_within_limits:
        return f"{goal} needs about {_needed(plan, plan.needed, price)}; {now}."
    return (
        f"{goal} needs about {_needed(plan, plan.needed, price)}. {_beyond(plan.needed, limits)} "
        f"{_within(plan, wording, price)} {now[0].upper()}{now[1:]}."
    )


def known_in_words(source: Source, wording: Wording) -> str:
    """Whose answers a plan rests on, or what is assumed where none tell."""
    return _KNOWN.get(source, wording.assumed)


def shares_in_words(shares: Mapping[str, float], topics: int) -> str:
    """Where the uncertainty comes from, as far as that is known."""
    if topics < 2:
        return "All prompts are on one topic, which says nothing about others."
    if not shares:
        return "No answers differ, which does not show how far others would."
    if "sample" not in shares:
        return "Each prompt was asked once, which hides how far answers differ by chance."
    chance = f"{shown(shares['sample'], 0)} % of the uncertainty is chance from one answer to the next"
    if shares.get("day"):
        return f"{chance}, {shown(shares['day'], 0)} % the luck of the days: more prompts do not lessen that."
    return f"{chance}."


def in_words(design: Design) -> str:
    """Topics × wordings × samples."""
    parts = ((design.topics, "topic"), (design.wordings, "wording"), (design.samples, "sample"))
    return " × ".join(_counted(number, what) for number, what in parts)


def _needed(plan: Plan, design: Design, price: Price) -> str:
    if plan.adds_samples_only:
        own = f"{counted(round(design.samples), 'sample')} of each of your {counted(design.prompts, 'prompt')}"
        return f"{own}: {_answers(design, price)}"
    return f"{in_words(design)}: {_answers(design, price)}"


def _answers(design: Design, price: Price) -> str:
    return ", ".join(filter(None, [f"{counted(design.answers, 'answer')} a scan", price(design)]))


def _present(plan: Plan, wording: Wording) -> str:
    if plan.present is None:
        return "you have no prompt yet that leaves your name out"
    if plan.reach is None:
        return f"you have {counted(plan.present.topics, 'topic')}, too few to tell"
    return f"you have {in_words(plan.present)}, which {wording.gives.format(_points(plan.reach))}"


def _beyond(design: Design, limits: Limits) -> str:
    """What of a design is more than the account's plan allows."""
    beyond = []
    if limits.prompts is not None and design.prompts > limits.prompts:
        beyond.append(f"{counted(design.prompts, 'prompt')}, where it has room for {limits.prompts:,}")
    if limits.answers is not None and design.answers > limits.answers:
        beyond.append(f"{counted(design.answers, 'credit')} a scan, where it has {limits.answers:,} a month")
    return f"That is more than the plan allows: {joined(beyond)}."


def _within(plan: Plan, wording: Wording, price: Price) -> str:
    if plan.allowed is None or plan.allowed_reach is None:
        return "The plan has no room for a panel that tells anything."
    gives = wording.gives.format(_points(plan.allowed_reach))
    return f"The most within the plan is {in_words(plan.allowed)}, which {gives}: {_answers(plan.allowed, price)}."


def _counted(number: float, what: str) -> str:
    """Whole numbers as such, means with one digit."""
    is_whole = abs(number - round(number)) < 0.05
    return counted(round(number), what) if is_whole else f"{shown(number)} {what}s"


def _points(number: float) -> str:
    """As precise as a plan is: whole points, one digit below ten unless it is 0."""
    return shown(number, 0) if number >= 10 or number == round(number) else shown(number)
