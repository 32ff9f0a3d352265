"""Refining evidence with the engine that writes: what means the same, what is none, what a clause says, the tone.

The engine sees what was found, each with an id, and answers in ids. An unknown id is passed over, so nothing that it
writes can stand among evidence but the words for the tone, which are bounded.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Annotated, NamedTuple, TypeVar

from django.utils import timezone
from pydantic import BaseModel, Field

from apikeys.errors import ServiceError
from apikeys.text import QUOTE_NOTICE, clean, marked
from brands.models import Brand
from brands.names import names_of
from visibility.evidence.claims import find_claims
from visibility.evidence.decisions import KINDS, Judged, Stored
from visibility.evidence.gathering import naming_the_brand, own_pages
from visibility.evidence.making import make_evidence
from visibility.evidence.quantities import roots
from visibility.evidence.reads import criteria_of, themes_of
from visibility.evidence.resources import Backing, VoiceProfile
from visibility.evidence.vocabulary import key_of
from visibility.evidence.weighing import LEAST_SHARED, statements_on_brand
from visibility.models import EvidenceItem
from visibility.models.evidence import EvidenceKind
from visibility.runs.engines import Reached
from visibility.runs.writing import write, writing_engine

EVERY = timedelta(days=7)
"""One question a kind in this time."""
MOST_ASKED = 120
MOST_CLAUSES = 6
"""Of a claim."""
logger = logging.getLogger(__name__)
Id = Annotated[str, Field(max_length=10)]
T = TypeVar("T", bound=BaseModel)


class Same(BaseModel):
    """Ids of `others` that mean what `id` means; an `id` of "" gathers those that are none at all."""

    id: Id
    others: Annotated[list[Id], Field(max_length=MOST_ASKED)]


class SameReply(BaseModel):
    """What means the same, and what is none."""

    groups: Annotated[list[Same], Field(max_length=MOST_ASKED)]


class ClauseVerdict(BaseModel):
    """What the clause of this id says of its claim."""

    id: Id
    says: Backing


class JudgeReply(BaseModel):
    """What clauses say of claims."""

    verdicts: Annotated[list[ClauseVerdict], Field(max_length=MOST_ASKED)]


class ToneReply(BaseModel):
    """How the site sounds, in up to four adjectives."""

    tone: Annotated[str, Field(min_length=3, max_length=60)]


class Label(NamedTuple):
    """Something found: its label, its key, and the id and name of its topic ("" for none)."""

    label: str
    key: str
    topic: str = ""
    topic_name: str = ""


def refine(brand: Brand) -> None:
    """Have the engine that writes look through each kind that it has not seen within a week, and make evidence anew.

    Nothing is asked where no engine writes. Not inside a transaction. What fails is left as it is, for a week, too.
    """
    reached = writing_engine()
    if reached is None:
        return
    rows = EvidenceItem.objects.filter(brand=brand, kind=EvidenceKind.REFINEMENT)
    recent = set(rows.filter(made_at__gt=timezone.now() - EVERY).values_list("position", flat=True))
    asks: dict[EvidenceKind, Callable[[Reached, Brand], Stored | None]] = {
        EvidenceKind.CRITERION: _criteria,
        EvidenceKind.CLAIM: _claims,
        EvidenceKind.THEME: _themes,
        EvidenceKind.VOICE: _voice,
    }
    is_changed = False
    for position, kind in enumerate(KINDS):
        if position not in recent and (decided := _asked(asks[kind], reached, brand)) is not None:
            is_changed |= _store(brand, position, reached.engine.name, decided)
    if is_changed:
        make_evidence(brand)


def _asked(ask: Callable[[Reached, Brand], Stored | None], reached: Reached, brand: Brand) -> Stored | None:
    """What is decided; None where there was nothing to ask about."""
    try:
        return ask(reached, brand)
    except ServiceError as error:
        logger.warning("Evidence of %s was not refined: %s", brand.pk, error.message)
        return Stored()


def _store(brand: Brand, position: int, engine: str, decided: Stored) -> bool:
    """Put what is decided of a kind to what was decided before; returns whether it is anything."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=EvidenceKind.REFINEMENT, position=position)
    row = rows.first() or EvidenceItem(brand=brand, kind=EvidenceKind.REFINEMENT, position=position, item={})
    if decided != Stored():
        row.item = Stored.model_validate(row.item).with_more(decided).model_dump()
        row.refined_by = engine
    row.made_at = timezone.now()
    row.save()
    return decided != Stored()


def _write(reached: Reached, brand: Brand, task: str, lines: Sequence[str], shape: type[T]) -> T:
    instructions = "\n".join([task, QUOTE_NOTICE, "", *lines])
    return write(reached, brand, instructions, shape, lambda reply: None)[0]


def _criteria(reached: Reached, brand: Brand) -> Stored | None:
    found = [Label(each.label, key_of(each.label), str(each.topic_id), each.topic) for each in criteria_of(brand)]
    task = (
        "Below are labels under which AI answers judge what they recommend, by topic. Group labels of one topic that "
        'mean the same. Group under the id "" those that no buyer would choose by. Leave out all others.'
    )
    return _same(reached, brand, task, found)


def _themes(reached: Reached, brand: Brand) -> Stored | None:
    found = [Label(each.label, key_of(each.label)) for each in themes_of(brand)]
    task = (
        'Below is what customers speak of in reviews. Group what means the same. Group under the id "" what says '
        "nothing of a product or service. Leave out all others."
    )
    return _same(reached, brand, task, found)


def _same(reached: Reached, brand: Brand, task: str, found: Sequence[Label]) -> Stored | None:
    known = {f"c{number}": each for number, each in enumerate(found[:MOST_ASKED], 1) if each.key}
    if not known:
        return None
    lines = [
        f"{name}: {marked(each.label)}" + (f" on {marked(each.topic_name)}" if each.topic else "")
        for name, each in known.items()
    ]
    stored = Stored()
    for group in _write(reached, brand, task, lines, SameReply).groups:
        target = known.get(group.id)
        for other in (known[name] for name in group.others if name in known):
            is_alike = target is not None and target.topic == other.topic and target.key != other.key
            if is_alike or not group.id:
                stored.same.setdefault(other.topic, {})[other.key] = target.key if target else ""
    return stored


def _claims(reached: Reached, brand: Brand) -> Stored | None:
    """The clauses that share most with each claim, judged."""
    names = [name.text for name in names_of(brand).brand.names]
    known_names = roots(" ".join(names))
    claims = find_claims(own_pages(brand), names)
    near: list[dict[str, int]] = [{} for _ in claims]
    for answer in naming_the_brand(brand) if claims else ():
        for statement in statements_on_brand(answer, known_names):
            for claim, clauses in zip(claims, near, strict=True):
                shared = len((claim.about - known_names) & statement.about)
                if shared >= LEAST_SHARED:
                    clauses[statement.text] = shared
    pairs = [
        (claim.sentence.text, clause)
        for claim, clauses in zip(claims, near, strict=True)
        for clause in sorted(clauses, key=lambda clause: (-clauses[clause], clause))[:MOST_CLAUSES]
    ]
    known = {f"c{number}": pair for number, pair in enumerate(pairs[:MOST_ASKED], 1)}
    if not known:
        return None
    task = (
        "Below are claims of a site, each with a clause of an AI answer about it. Say of each id whether the clause "
        "supports the claim, contradicts it, or says nothing of it (absent); in doubt absent."
    )
    lines = [f"{name}: claim {marked(claim)}, clause {marked(clause)}" for name, (claim, clause) in known.items()]
    judged = {each.id: each.says for each in _write(reached, brand, task, lines, JudgeReply).verdicts}
    pairs_judged = ((*known[name], says) for name, says in judged.items() if name in known)
    return Stored(judged=[Judged(claim=claim, clause=clause, says=says) for claim, clause, says in pairs_judged])


def _voice(reached: Reached, brand: Brand) -> Stored | None:
    row = EvidenceItem.objects.filter(brand=brand, kind=EvidenceKind.VOICE).first()
    if row is None:
        return None
    task = "Name the tone of a site that writes as below, in up to four adjectives."
    lines = [marked(each.text) for each in VoiceProfile.model_validate(row.item).examples]
    return Stored(tone=" ".join(clean(_write(reached, brand, task, lines, ToneReply).tone).split()))
