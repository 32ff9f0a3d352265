"""What is known of the sense of a name at one place, and what is concluded from it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from visibility.detection.names.context import Context

_PERSONAL = re.compile(r"\b(?:I|my|me|we|our|us|ich|mein\w*|je|mon|ma|yo|mi)\b")

ALONE = "alone"
"""The rule of an open verdict that counts where nothing surer is found of the subject, not where it is."""
ARTICLED = "articled"
"""The same for a name that means nothing else, behind an article where names have none."""


DESCRIPTION = "description"
"""The rule of a verdict by what the owner of the name sells."""
JUDGE = "judge-1"
"""The rule, with its version, of a verdict that an engine was asked for: stored, so that history replays."""


class Verdict(NamedTuple):
    """`meant` is None where the place alone does not tell."""

    meant: bool | None
    rule: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rest of the answer says. `kin`: a subject whose name means nothing else stands in the sentence, the
    list or the table; `asks`: the question asks for things to buy or use; `named`: it names the subject; `trade`: the
    clause speaks of buying, selling or using; `traded`: the question does; `common`: the question uses the name as a
    plain word; `owned`: the name links to a domain of the subject; `owner`: the word before is the host name of the
    subject; `full`: the name is short for a longer one of the subject that stands in the answer; `question`: the
    question itself; `makers`: the words that head entries of the answer."""

    kin: bool = False
    asks: bool = False
    named: bool = False
    trade: bool = False
    traded: bool = False
    common: bool = False
    owned: bool = False
    owner: bool = False
    full: bool = False
    question: str = ""
    makers: frozenset[str] = frozenset()
    makes: bool = False

    @property
    def supports(self) -> bool:
        """Whether the talk is of things to buy or use, or of this subject."""
        return (self.kin or self.asks or self.named) and not self.common

    @property
    def supports_strongly(self) -> bool:
        """The same for names of people, places and stars, where a question that names one of them tells nothing."""
        asked = self.asks or (self.named and _PERSONAL.search(self.question) is not None)
        return (self.kin or self.trade or self.traded or asked) and not self.common


Rule = Callable[[Context, Evidence], Verdict | None]
