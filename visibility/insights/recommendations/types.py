"""The data of recommendations: what one day's answers show in, gaps out. No database, no settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from uuid import UUID

from visibility.measured.facts import AnswerFacts


class GapKind(StrEnum):
    """What kind of gap it is; the same names as the kinds of recommendations."""

    MENTION = "mention_gap"
    SOURCE = "source_gap"


@dataclass(frozen=True, slots=True)
class Tally:
    """In `gaps` of `answers` answers of this engine a competitor is named and the brand is not."""

    engine: str
    gaps: int
    answers: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A place where competitors are visible and the brand is not.

    `subject` is the prompt's id or the domain, `wording` what people read for it where that is another; `rivals`
    come most named first; `answers` are the answers that show the gap, first those that make the best evidence;
    `priority` is 0–100 (see `gaps`).
    """

    kind: GapKind
    subject: str
    prompts: tuple[UUID, ...]
    rivals: tuple[UUID, ...]
    tallies: tuple[Tally, ...]
    answers: tuple[AnswerFacts, ...]
    priority: int
    brand_page_cited: bool
    wording: str = ""

    @property
    def worth(self) -> tuple[object, ...]:
        """What to sort by, the most worth first: the priority, then the evidence (more answers that show it, on more
        engines), then how recent it is, questions before sources. What nothing of that tells apart stands by the
        alphabet: ids are drawn by chance."""
        return (
            -self.priority,
            -len(self.answers),
            -len({answer.engine for answer in self.answers}),
            -max((answer.day.toordinal() for answer in self.answers), default=0),
            self.kind is GapKind.SOURCE,
            (self.wording or self.subject).casefold(),
            self.subject,
        )


@dataclass(frozen=True, slots=True)
class EngineTally(Tally):
    """A tally with the engine's own day, as a recommendation keeps it."""

    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What a recommendation keeps beside its columns: what is needed to act, and what later scans look at.
    `topic_name`: the topic as people write it, empty where it is about none; `measured_on` is None where nothing was
    asked yet; `prompts` are the questions whose answers show it; `check` is that of an audit's finding.
    """

    fix_prompt: str
    topic_name: str = ""
    measured_on: date | None
    rivals: Sequence[UUID]
    engines: Sequence[EngineTally]
    prompts: Sequence[UUID] = ()
    check: str | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """That a subject was measured, by which engines, and whether any of its answers names the brand."""

    engines: frozenset[str]
    brand_named: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """All gaps of a day, and every subject that was measured, with a gap or without."""

    gaps: tuple[Gap, ...]
    measured: Mapping[tuple[GapKind, str], Measured]
