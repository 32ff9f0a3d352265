"""What goes into the detector and what comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Stance(StrEnum):
    """What an answer says of a subject at one place; unknown where that is not understood."""

    RECOMMENDED = "recommended"
    CAUTIONED = "cautioned"
    REJECTED = "rejected"
    NOT_FOUND = "not_found"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a user says of a name that also means other things.

    `case_sensitive`: only the capitals of the name itself count. `required_near`: one of these words has to stand in
    the same line. `forbidden_near`: none of these may stand right before or behind. Words are compared in any case.
    """

    case_sensitive: bool = False
    required_near: Sequence[str] = ()
    forbidden_near: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody whose mentions are counted. `domains` are its own hosts, `policies` belong to single names, and
    `description` says what it sells: it settles doubtful places of a name that also means something else."""

    key: str
    names: Sequence[str]
    domains: Sequence[str] = ()
    policies: Mapping[str, Policy] = field(default_factory=dict)
    description: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of a subject at `start:end` of the raw text.

    `rank` is the subject's place among what the answer offers, 1 for the first, by `rank_rule`; None where it is not
    offered. `stance` is what `quote_start:quote_end` of the raw text says of it; a subject whose stance is not_found
    is not visible. `rule` says what made the place count.
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
class UntrackedName:
    """A name that leads an entry, at `start:end` of the raw text. `domain` is that of a page which the answer cites,
    where it is called as the name is; else empty."""

    name: str
    start: int
    end: int
    domain: str


@dataclass(frozen=True, slots=True)
class Detected:
    """All mentions of an answer by place, how many different things it offers for choice, and those of their names
    that are nobody's who is tracked."""

    mentions: Sequence[Mention]
    picks: int
    untracked: Sequence[UntrackedName] = ()
