"""What is known of the sense of a name at one place, and what is concluded from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from visibility.detection.context import Context


class Verdict(NamedTuple):
    """`meant` is None where the place alone does not tell."""

    meant: bool | None
    rule: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rest of the answer says. `kin`: a subject whose name means nothing else stands in the sentence, the
    list or the table; `topic`: the question asks for things to buy or use, or names the subject; `common`: the
    question uses the name as a plain word; `owned`: the name links to a domain of the subject; `owner`: the word
    before is the host name of the subject."""

    kin: bool = False
    topic: bool = False
    common: bool = False
    owned: bool = False
    owner: bool = False

    @property
    def supports(self) -> bool:
        return (self.kin or self.topic) and not self.common


Rule = Callable[[Context, Evidence], Verdict | None]
