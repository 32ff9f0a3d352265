"""What goes into the detector and what comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Stance(StrEnum):
    """How an answer speaks of a subject at one place; unknown where that is not understood."""

    RECOMMENDED = "recommended"
    CAUTIONED = "cautioned"
    REJECTED = "rejected"
    NOT_FOUND = "not_found"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Policy:
    """A user's rules for a name that also means other things.

    `case_sensitive`: only the capitals of the name itself count. `required_near`: one of these words must be in the
    same line. `forbidden_near`: none of these may come right before or after. Words are compared in any case.
    """

    case_sensitive: bool = False
    required_near: Sequence[str] = ()
    forbidden_near: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A brand or competitor whose mentions are counted. `domains` are its own hosts, `policies` are by name;
    `description`, what it sells, decides doubtful places of a name that also means something else."""

    key: str
    names: Sequence[str]
    domains: Sequence[str] = ()
    policies: Mapping[str, Policy] = field(default_factory=dict)
    description: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of a subject at `start:end` of the raw text.

    `rank` is the subject's place among what the answer offers, 1 for the first, by `rank_rule`; None where it is not
    offered. `stance` is what `quote_start:quote_end` of the raw text expresses; with the stance not_found the subject
    is not visible. `rule` is the reason for which the place counts.
    """

    subject: str
    start: int
    end: int
    rank: int | None
    stance: Stance
    rule: str
    rank_rule: str
    quote_start: int
    quote_end: int


@dataclass(frozen=True, slots=True)
class Place:
    """A place where `name` of a subject is written, at `start:end` of the raw text, whether or not it counts.

    `chance` is how likely it means the subject: 1 for a name that means nothing else, 0 where a rule says no.
    `reasons` are the heaviest ones for the verdict, in plain words.
    """

    subject: str
    name: str
    start: int
    end: int
    chance: float
    counts: bool
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class UntrackedName:
    """A name that leads an entry, at `start:end` of the raw text. `domain` is one that the answer cites and that is
    called like the name; empty without one."""

    name: str
    start: int
    end: int
    domain: str


@dataclass(frozen=True, slots=True)
class Detected:
    """All mentions of tracked subjects in an answer by place, how many different things it offers for choice
    (`picks`), the names among those that belong to no tracked subject, and the mentions of watched subjects."""

    mentions: Sequence[Mention]
    picks: int
    untracked: Sequence[UntrackedName] = ()
    watched: Sequence[Mention] = ()
