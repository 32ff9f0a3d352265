"""What a proof is planned by and what it says. Figures in points (0–100), `p` two-sided."""

from dataclasses import dataclass
from enum import StrEnum


class ProofVerdict(StrEnum):
    """What a proof says. `NOT_SEEN`: no change that this panel could see; it says what could have been seen."""

    MOVED_UP = "moved_up"
    MOVED_DOWN = "moved_down"
    NOT_SEEN = "not_seen"
    NOT_COMPARABLE = "not_comparable"


class WhyNot(StrEnum):
    """Why nothing can be compared."""

    NO_BASELINE = "no_baseline"
    NO_CONTROL = "no_control"
    FEW_CONTROLS = "few_controls"
    PROMPTS_CHANGED = "prompts_changed"
    ENGINES_CHANGED = "engines_changed"
    NO_SCANS = "no_scans"


@dataclass(frozen=True, slots=True)
class ProofPlan:
    """What it takes to see a change of the difference between the topic and the brand's other topics with 80 % power.

    `scans` measured days after the work, with so many `answers` in all (`topic_answers` of them on the topic);
    `least` is the smallest rise that they show, None where none up to 50 points is. `target` is what was asked for;
    where no number up to the most reaches it `reaches_target` is false and the plan is the finest. `why_not` where
    nothing can be planned: all else is 0.
    """

    scans: int
    answers: int
    topic_answers: int
    controls: int
    least: float | None
    target: float
    reaches_target: bool
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class ProofResult:
    """The change of the topic, of the other topics, and the difference with its 95 % interval, None where no answer
    differed. `least` is the smallest rise of the difference that would have been seen with 80 % power, None where
    none up to 50 points would."""

    own: float | None
    control: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    least: float | None
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict of a proof among those of its month; `adjusted_p` is None where it is not comparable."""

    verdict: ProofVerdict
    adjusted_p: float | None
