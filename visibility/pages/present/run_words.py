"""What pages say of runs: what a run is, how prompts stand beside those of before, and what may be said of a day."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.formats import date_format

from apikeys.text.sentences import joined
from visibility.resources.brands import RunResource, TrendItem
from visibility.resources.change_records import ChangeRecord
from visibility.services.reading.change_words import (
    causes_in_words,
    figures_in_words,
    in_words,
    once_each,
)
from visibility.services.runs.comparing import EngineSides, RunComparison
from visibility.services.runs.results import GROUPS, PromptOutcome

_GROUPS = {
    "fell": ("Named less", "named by fewer answers"),
    "mixed": ("Mixed", "named less by one engine and more by another"),
    "rose": ("Named more", "named by more answers"),
    "same": ("As before", "named as before"),
    "alone": ("Not comparable", "answered on one side only, or asked in other words"),
}


@dataclass(frozen=True, slots=True)
class Group:
    """Prompts that stand alike beside before: `name` stands in the address, `label` on the page."""

    name: str
    label: str
    number: int


def title_of(run: RunResource) -> str:
    """What the run is, for its heading."""
    if run.kind == "visibility":
        return "Imported answers" if run.trigger == "import" else "Scan"
    return run.kind.capitalize()


def groups_of(prompts: Iterable[PromptOutcome]) -> list[Group]:
    """The groups that have prompts, in the order in which they are shown."""
    counts = Counter(outcome.group for outcome in prompts)
    return [Group(name, _GROUPS[name][0], counts[name]) for name in GROUPS if counts[name]]


def summary_of(prompts: Sequence[PromptOutcome], before: str) -> str:
    """How the prompts stand beside `before`, in a sentence: “Beside 21 Nov 2026, 3 prompts are named by fewer
    answers …”."""
    parts = [f"{group.number} {_GROUPS[group.name][1]}" for group in groups_of(prompts)]
    return f"Of {len(prompts)} prompts, beside {before}: {joined(parts)}." if parts else ""


def said_of_day(day: TrendItem, told_rows: Sequence[ChangeRecord]) -> list[str]:
    """What may be said of the day: the changes of the score and of engines that are told of it, then the day against
    the measured day before."""
    said = [
        f"{record.words}."
        for record in once_each(told_rows)
        if not record.topic and record.began <= day.date <= record.told_until
    ]
    if day.change is None:
        return [*said, "It is the first measured day: there is none to compare it with."]
    alone = "This day alone, against" if said else "Against"
    return [*said, f"{alone} {date_format(day.change.since)}, the measured day before: {in_words(day.change)}."]


def said_of_runs(comparison: RunComparison) -> str:
    """What may be said of the difference of two runs' scores; empty where nothing is counted yet."""
    return f"The later run against the earlier one: {in_words(comparison.change)}." if comparison.change else ""


def said_of_engine(sides: EngineSides) -> str:
    """The same of one engine."""
    if sides.before is None or sides.now is None:
        return "counted in one of the runs only"
    if sides.change.verdict == "not_comparable":
        return ": ".join(filter(None, ["not comparable", causes_in_words(sides.change.causes)]))
    return figures_in_words(sides.change)
