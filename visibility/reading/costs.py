"""What reading costs, before it is switched on: from the passages of now, by the prices of the engine that writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils import timezone

from apikeys.accounts.usage import limit_of
from apikeys.models import Usage
from brands.models import Brand
from visibility.engines import PRESETS
from visibility.engines.pricing import Usage as Tokens
from visibility.engines.pricing import make_bill
from visibility.models import Topic
from visibility.reading.passages import Material, Source
from visibility.reading.task import MOST_HEADINGS, MOST_RIVAL_HEADINGS, MOST_ROWS, printed_task
from visibility.runs.engines import Reached
from visibility.runs.writing import writing_engine

WEEKS = Decimal(52) / 12
"""In a month."""
CHARACTERS = 4
"""Of one token, about."""
ROWS_OF_TEXT = 8
"""Rows that a reader returns for one text, about: a third of its headings."""
TOKENS_OF_ENTRY = 35
"""Of one row or heading, about."""
ROUNDED = 100
"""Tokens of a month are told in hundreds: they are an estimate."""
MOST_MEASURED = 4
"""Topics of which the passages are measured; the others are taken to be as long."""


@dataclass(frozen=True, slots=True)
class ReadingCost:
    """Of a month, if all topics have new answers every week. `dollars`: None where no price is known, or no engine
    writes (`engine` ""). `calls_a_round` of the `calls_a_day` that the plan of the brand's owner has."""

    engine: str
    calls_a_round: int
    calls: int
    input_tokens: int
    output_tokens: int
    dollars: Decimal | None
    calls_a_day: int


def reading_cost(brand: Brand, source: Source | None = None, also: Sequence[Topic | None] = ()) -> ReadingCost:
    """What reading costs a month; `source` where it is read already, and `also` what else is read of it at once."""
    source = source or Source(brand)
    reached, topics = writing_engine(), source.topics()
    measured = source.materials([*topics[:MOST_MEASURED], *also])[: min(len(topics), MOST_MEASURED)]
    rounds = WEEKS * len(topics) / max(1, len(measured))
    given = sum(len(printed_task(material)) for material in measured) / CHARACTERS
    returned = sum(map(_reply_tokens, measured))
    dollars = [_dollars(reached, material) for material in measured]
    known = [each for each in dollars if each is not None]
    return ReadingCost(
        engine=reached.engine.name if reached else "",
        calls_a_round=len(topics),
        calls=round(WEEKS * len(topics)),
        input_tokens=round(Decimal(given) * rounds / ROUNDED) * ROUNDED,
        output_tokens=round(returned * rounds / ROUNDED) * ROUNDED,
        dollars=sum(known, Decimal(0)) * rounds if len(known) == len(dollars) else None,
        calls_a_day=limit_of(brand.owner, Usage.Kind.WRITER_CALLS),
    )


def _reply_tokens(material: Material) -> int:
    rows = min(MOST_ROWS, ROWS_OF_TEXT * len(material.texts))
    headings = MOST_HEADINGS + MOST_RIVAL_HEADINGS * (len(material.subjects) - 1)
    return (headings * bool(rows) + rows) * TOKENS_OF_ENTRY


def _dollars(reached: Reached | None, material: Material) -> Decimal | None:
    """What one call costs, by the operator's prices or the price list."""
    if reached is None:
        return None
    tokens = Tokens(input_tokens=len(printed_task(material)) // CHARACTERS, output_tokens=_reply_tokens(material))
    preset, settings = PRESETS[reached.settings.preset], reached.settings
    return make_bill(settings, preset.pricing, settings.model, [tokens], at=timezone.now()).cost
