"""Refining evidence with the engine that writes: which labels mean the same or are none, and what clauses say of
claims.

The engine sees findings with ids and answers in ids. Unknown ids are ignored, so no words of its own become evidence.
"""

import logging
from collections import Counter
from datetime import timedelta
from typing import Annotated

from django.utils import timezone
from pydantic import BaseModel, Field

from apikeys.errors import ServiceError
from apikeys.text import QUOTE_NOTICE, marked
from brands.models import Brand
from brands.names import names_of
from visibility.evidence.decisions import Decisions, stored_decisions
from visibility.evidence.gathering import naming_the_brand
from visibility.evidence.making import make_evidence
from visibility.evidence.reads import claims_of, criteria_of
from visibility.evidence.resources import Backing
from visibility.evidence.vocabulary import key_of, roots
from visibility.evidence.weighing import LEAST_SHARED, statements_on_brand
from visibility.runs.writing import write, writing_engine

EVERY = timedelta(days=7)
MOST_LABELS, MOST_CLAUSES = 120, 80
MOST_OF_CLAIM = 6
TASK = """Below are labels under which AI answers judge what they recommend, by topic, and claims of a site, each
with a clause of an answer about it.
groups: labels of one topic that mean the same, the best of them as id; under the id "" those that no buyer would
choose by. Leave out all others.
verdicts: whether a clause supports its claim, contradicts it, or says nothing of it (absent); in doubt absent."""
logger = logging.getLogger(__name__)
Id = Annotated[str, Field(max_length=10)]


class Same(BaseModel):
    """Labels (`others`) that mean the same as the label `id`; with the `id` "" those that are no criteria."""

    id: Id
    others: Annotated[list[Id], Field(max_length=MOST_LABELS)]


class ClauseVerdict(BaseModel):
    """What the clause of this id says of its claim."""

    id: Id
    says: Backing


class Refined(BaseModel):
    """The reply of the engine."""

    groups: Annotated[list[Same], Field(max_length=MOST_LABELS)]
    verdicts: Annotated[list[ClauseVerdict], Field(max_length=MOST_CLAUSES)]


def refine(brand: Brand) -> None:
    """Have the engine that writes look through criteria and claims, once a week, and make evidence again.

    Nothing is asked where no engine writes. Not inside a transaction. A failure is tried again after a week.
    """
    reached, row = writing_engine(), stored_decisions(brand)
    if reached is None or (row.pk and row.made_at > timezone.now() - EVERY):
        return
    labels = {f"l{number}": each for number, each in enumerate(criteria_of(brand)[:MOST_LABELS], 1)}
    clauses = {f"c{number}": pair for number, pair in enumerate(_clauses(brand)[:MOST_CLAUSES], 1)}
    if not labels and not clauses:
        return
    lines = [
        *(f"{name}: label {marked(each.label)} on {marked(each.topic)}" for name, each in labels.items()),
        *(f"{name}: claim {marked(claim)}, clause {marked(clause)}" for name, (claim, clause) in clauses.items()),
    ]
    try:
        instructions = "\n".join([TASK, QUOTE_NOTICE, "", *lines])
        reply = write(reached, brand, instructions, Refined, lambda reply: None)[0]
    except ServiceError as error:
        logger.warning("Evidence of %s was not refined: %s", brand.pk, error.message)
        reply = Refined(groups=[], verdicts=[])
    decisions = Decisions.model_validate(row.item)
    for group in reply.groups:
        best = labels.get(group.id)
        for each in (labels[name] for name in group.others if name in labels):
            if not group.id or (best and best.topic_id == each.topic_id):
                decisions.merge(str(each.topic_id), key_of(each.label), key_of(best.label) if best else "")
    for verdict in reply.verdicts:
        if verdict.id in clauses:
            claim, clause = clauses[verdict.id]
            decisions.judged.setdefault(claim, {})[clause] = verdict.says
    if reply.groups or reply.verdicts:
        row.item, row.refined_by = decisions.model_dump(), reached.engine.name
    row.made_at = timezone.now()
    row.save()
    make_evidence(brand)


def _clauses(brand: Brand) -> list[tuple[str, str]]:
    """Claims, each with the clauses of answers that share most with it."""
    claims = {each.claim: roots(each.claim) for each in claims_of(brand)}
    near = {claim: Counter[str]() for claim in claims}
    own = roots(" ".join(name.text for name in names_of(brand).brand.names))
    for answer in naming_the_brand(brand) if claims else ():
        for statement in statements_on_brand(answer, own):
            for claim, about in claims.items():
                shared = len(about & statement.about)
                if shared >= LEAST_SHARED:
                    near[claim][statement.text] = shared
    return [(claim, clause) for claim in claims for clause, _ in near[claim].most_common(MOST_OF_CLAIM)]
