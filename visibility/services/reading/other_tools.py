"""Why another tool shows another number: the answers of now, counted by five common definitions beside ours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, Min, OuterRef, Subquery

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.measured.basis import EngineDay
from visibility.measured.generations import tracked_names_of
from visibility.measured.now import read_now
from visibility.measured.reading import answers_of
from visibility.metrics.definitions import Definition, Reading, TrackedAnswer, holds_letters, read_by_all
from visibility.metrics.shown import shown
from visibility.metrics.types import rounded
from visibility.models import Answer, Citation, Mention, PromptVersion
from visibility.resources.now import NowItem
from visibility.services.reading.definition_words import EXPLANATIONS, Explanation, evidence
from visibility.services.reading.now import now_resource

AT_ONCE = 200
"""Answers whose texts are in memory at a time."""


@dataclass(frozen=True, slots=True)
class OtherNumber:
    """What one definition shows for the same answers: `value` 0–100, `difference` to ours in points, and whether that
    is beyond our 95 % interval (None where there is none). None where nothing is measured."""

    definition: Definition
    explanation: Explanation
    value: float | None
    difference: float | None
    is_beyond: bool | None
    evidence: str

    @property
    def signed(self) -> str:
        """The difference with its sign."""
        return "–" if self.difference is None else shown(self.difference, signed=True)

    @property
    def here(self) -> str:
        """What it does for this brand."""
        if self.difference is None:
            return ""
        if not self.difference:
            return "Here it makes no difference."
        return f"Here it is {shown(abs(self.difference))} points {'above' if self.difference > 0 else 'below'} ours."


@dataclass(frozen=True, slots=True)
class OtherNumbers:
    """Ours (`now`, None before the first measured day) and what the others make of the same answers; none where there
    is no score over engines."""

    brand: Brand
    now: NowItem | None
    numbers: Sequence[OtherNumber]

    @property
    def least(self) -> float:
        """The smallest of the others' numbers."""
        return min(number.value for number in self.numbers if number.value is not None)

    @property
    def most(self) -> float:
        """The largest of them."""
        return max(number.value for number in self.numbers if number.value is not None)


@snapshot()
def other_numbers(caller: Caller, *, brand_id: UUID) -> OtherNumbers:
    """What other tools would show for the answers of now. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_VISIBILITY)
    brand = readable_brand(caller, brand_id)
    now = read_now(brand)
    item = now_resource(now)
    if item is None or item.score is None:
        return OtherNumbers(brand, item, [])
    readings = read_by_all(list(_tracked(caller, brand, now.averaged)))
    if readings[Definition.OURS].value is None:
        return OtherNumbers(brand, item, [])
    numbers = [_number(readings[definition], readings[Definition.OURS], item) for definition in EXPLANATIONS]
    return OtherNumbers(brand, item, numbers)


def _number(reading: Reading, ours: Reading, now: NowItem) -> OtherNumber:
    value = rounded(reading.value)
    difference = rounded(value - now.score) if value is not None and now.score is not None else None
    return OtherNumber(
        definition=reading.definition,
        explanation=EXPLANATIONS[reading.definition],
        value=value,
        difference=difference,
        is_beyond=_is_beyond(value, now),
        evidence=evidence(reading, ours),
    )


def _is_beyond(value: float | None, now: NowItem) -> bool | None:
    if value is None or now.low is None or now.high is None:
        return None
    return not now.low <= value <= now.high


def _tracked(caller: Caller, brand: Brand, engine_days: Sequence[EngineDay]) -> Iterator[TrackedAnswer]:
    """The answers of these engines on their days to wordings that do not name the brand."""
    tracked = tracked_names_of(brand)
    names = [name.text for name in tracked.vocabulary.names if name.subject == BRAND]
    mentions = Mention.objects.restrict(caller, "view").filter(answer=OuterRef("pk"), competitor=None).visible()
    own = Citation.objects.restrict(caller, "view").filter(answer=OuterRef("pk"), owner=Citation.Owner.OWN)
    answers = answers_of(engine_days).filter(brand=brand, state=Answer.State.ANSWERED)
    unbranded = [
        pk
        for pk, text in PromptVersion.objects.filter(answers__in=answers)
        .order_by()
        .values_list("pk", "text")
        .distinct()
        if BRAND not in named_in(text, tracked.dictionary)
    ]
    rows = answers.filter(version__in=unbranded).annotate(
        is_named=Exists(mentions),
        rank=Subquery(mentions.order_by().values("answer").annotate(first=Min("rank")).values("first")),
        is_cited=Exists(own),
    )
    fields = ("engine", "version_id", "is_named", "rank", "is_cited", "text")
    for engine, version, is_named, rank, is_cited, text in rows.values_list(*fields).iterator(chunk_size=AT_ONCE):
        yield TrackedAnswer(engine, str(version), is_named, rank, is_cited, holds_letters(text, names))
