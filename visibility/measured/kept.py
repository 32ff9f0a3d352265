"""Figures of now that were counted from answers, kept in the cache for the next reader.

Their key is a digest of all that they were counted from, so they are never of yesterday: what is counted from
anything else has another key.
"""

import hashlib
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from django.core.cache import cache

from visibility.detection.detector import DETECTOR_VERSION
from visibility.measured.basis import Basis, Reason
from visibility.measured.topics import Asked
from visibility.models import DailyScore

logger = logging.getLogger(__name__)

KEPT_SECONDS = 86_400
FORM = 2
"""Whoever changes how figures are counted from the same answers, or what is kept of them, raises it."""
_NOT_KEPT = frozenset({"id", "brand", "competitor", "panel"})
_FIELDS = [field.attname for field in DailyScore._meta.concrete_fields if field.name not in _NOT_KEPT]
_SCORED = ("pk", "competitor_id", "date", "score", "answers", "prompts", "engines", "runs")


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted of one brand: a score for each subject, by competitor, in plain values; the engines that stand
    aside; by engine how many of how many active prompts it answered."""

    rows: Mapping[UUID | None, Mapping[str, Any]]
    aside: Mapping[str, Reason]
    covered: Mapping[str, tuple[int, int]]

    def scores(self) -> Iterable[DailyScore]:
        """The scores, not saved, without brand and competitor objects."""
        for competitor, fields in self.rows.items():
            yield DailyScore(competitor_id=competitor, **fields)


def plain(row: DailyScore) -> dict[str, Any]:
    """The figures of a score that was counted."""
    return {name: getattr(row, name) for name in _FIELDS}


def key_of(basis: Basis, questions: Asked, stored: Iterable[DailyScore]) -> str:
    """The key of what is counted for this basis. `stored` are the scores of the engines' days: they are written anew
    whenever an answer of such a day is analysed, and are of one generation, names included."""
    engines = [(row.engine, row.day, row.runs, row.surface) for row in basis.engines]
    scores = sorted([str(row.generation_id), *(getattr(row, name) for name in _SCORED)] for row in stored)
    content = [FORM, DETECTOR_VERSION, basis.brand, engines, questions.stamp, scores]
    return f"now:{hashlib.blake2b(orjson.dumps(content), digest_size=20).hexdigest()}"


def recall(keys: Iterable[str]) -> dict[str, Counted]:
    """What is kept, by key; nothing while the cache is silent."""
    try:
        counted: dict[str, Counted] = cache.get_many(list(keys))
    except Exception:  # each cache backend has its own family of errors
        logger.warning("The cache is silent: what is measured now is counted for each reader", exc_info=True)
        return {}
    return counted


def keep(counted: Mapping[str, Counted]) -> None:
    """Keep what was counted, by key, for a day."""
    try:
        cache.set_many(dict(counted), KEPT_SECONDS)
    except Exception:  # as above
        logger.warning("The cache is silent: what was counted is not kept", exc_info=True)
