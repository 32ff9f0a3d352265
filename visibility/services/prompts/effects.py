"""What adding, rewording or archiving prompts means for cost, score and comparisons, told before it is done."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from apikeys.text.sentences import counted
from brands.models import Brand
from visibility.measured.asked_then import AskedThen, read_asked_then
from visibility.measured.now import averaged_of
from visibility.measured.reading import read_basis
from visibility.metrics.shown import shown
from visibility.models import Prompt
from visibility.pipeline.ask.engines import engines_of
from visibility.pipeline.days.panels import SHARED
from visibility.pipeline.plan import samples_of_scan

NOT_MEASURED = "Nothing is measured yet, so no figure changes."
SAME_COST = "A scan asks for as many answers as before."


@dataclass(frozen=True, slots=True)
class Effects:
    """What changes of the prompts of a brand mean now. `active` is how many prompts scans ask, `answers_each` how
    many answers they ask of one (each costs one credit). `prompts` are the prompts behind the score, `left` those of
    them that are active, `again` those that are asked in one of the same `wordings` (their number)."""

    active: int
    answers_each: int
    prompts: frozenset[UUID]
    left: frozenset[UUID]
    wordings: int
    again: frozenset[UUID]

    def of_adding(self, number: int) -> str:
        """So many more prompts."""
        cost = f"{counted(number, 'more prompt')}: {self._cost(number, '+')}."
        if not self.prompts:
            return f"{cost} {NOT_MEASURED}"
        stays = f"The score stays on the {_prompts(len(self.left))} asked so far" if self.left else "The score stays"
        until = "the next scan" if self.answers_each else "they are answered"
        after = f"{stays} until {until}, then it counts all {self.active + number:,}."
        return f"{cost} {after} {self._compared(len(self.again))}"

    def of_rewording(self, prompt: UUID) -> str:
        """Another wording of this prompt."""
        if not self.prompts:
            return f"{SAME_COST} {NOT_MEASURED}"
        score = "The score counts the old wording until the new one is asked."
        if prompt not in self.left:
            score = "It counts once it is asked."
        return f"{SAME_COST} {score} {self._compared(len(self.again - {prompt}))}"

    def of_archiving(self, prompts: Collection[UUID]) -> str:
        """Archiving these prompts."""
        number = len(prompts)
        cost = f"{counted(number, 'prompt fewer', 'prompts fewer')}: {self._cost(number, '-')}."
        if not self.prompts:
            return f"{cost} {NOT_MEASURED}"
        left = len(self.left - set(prompts))
        if not left:
            score = "The last score stays, without a margin of error, until other prompts are answered."
        elif left == len(self.left):
            score = "The score stays as it is."
        else:
            margin = ", too few for a margin of error" if 2 * left < len(self.prompts) else ""
            score = (
                f"The score counts at once the {left:,} that stay of the {_prompts(len(self.prompts))} asked{margin}."
            )
        return f"{cost} {score} {self._compared(len(self.again - set(prompts)))}"

    def of_archiving_some(self) -> str:
        """Archiving a number of prompts that is not known yet."""
        cost = f"Each prompt fewer: {self._cost(1, '-')}."
        if not self.prompts:
            return f"{cost} {NOT_MEASURED}"
        return (
            f"{cost} The score counts at once what stays of the {_prompts(len(self.prompts))} asked: below "
            f"{math.ceil(len(self.prompts) / 2):,} it has no margin of error, and below "
            f"{math.ceil(SHARED * self.wordings):,} the next scan is not compared with the last one as a whole."
        )

    def _compared(self, both: int) -> str:
        """On what the next scan is compared with the last one, where so many of its wordings are asked again."""
        if both >= SHARED * self.wordings:
            return f"Changes are compared on the {_prompts(both)} that both have."
        return (
            f"Only {both:,} of the {_prompts(self.wordings)} of the last scan are then asked again as they were, "
            f"fewer than {shown(100 * SHARED, 0)} %: the next score is not compared with it as a whole."
        )

    def _cost(self, number: int, sign: str) -> str:
        if not self.answers_each:
            return "no credits, as no AI engine can be asked yet"
        answers = number * self.answers_each
        return f"{sign}{counted(answers, 'answer')} a scan ({counted(answers, 'credit')})"


def _prompts(number: int) -> str:
    return counted(number, "prompt")


def effects_of(brand: Brand) -> Effects:
    """Of the prompts as they are asked, were asked, and count now."""
    basis = read_basis(brand.pk)
    panel = read_asked_then([basis]).get(brand.pk) or AskedThen({}, frozenset(), {})
    wordings = panel.wordings([row.engine for row in averaged_of(basis)])
    then = panel.prompts(wordings)
    return Effects(
        active=Prompt.objects.filter(brand=brand).active().count(),
        answers_each=sum(samples_of_scan(brand, engines_of(brand)).values()),
        prompts=then,
        left=then & panel.active,
        wordings=len(wordings),
        again=panel.prompts(wordings & panel.current),
    )
