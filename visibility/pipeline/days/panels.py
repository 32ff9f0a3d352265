"""What was asked of whom on a day, and whether two days asked the same, or why they cannot be compared."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from brands.models import Brand
from visibility.detection.detector import DETECTOR_VERSION
from visibility.measured.sampling import Sample
from visibility.models import Panel

SHARED = 0.8
"""The share of the earlier day's prompts that must be asked again. What is compared are the common prompts, so added
ones do not matter; but where more is gone, the change of the rest hardly speaks for the figure that was published
before. Then it stands beside, as that of what both days share."""


class Cause(StrEnum):
    """Why two days cannot be compared."""

    PROMPTS = "prompts"
    ENGINES = "engines"
    MODEL = "model"
    LOCALE = "locale"
    DETECTOR = "detector"
    NO_SCORE = "no_score"
    COUNTS = "counts"


@dataclass(frozen=True, slots=True)
class Why:
    """A cause with its sentence."""

    code: Cause
    message: str


def panel_content(sample: Sample) -> dict[str, Any]:
    """The wordings asked of the averaged engines with their locales, those engines with the models that served
    them, and the detector that counted; and `asked`, the same of each engine that counted."""
    engines = {name: sample.engines[name] for name in sample.averaged}
    versions = sorted(set().union(*(engine.versions for engine in engines.values())))
    return {
        "prompts": versions,
        "locales": sorted({sample.locales[version] for version in versions}),
        "engines": {name: sorted(engine.models) for name, engine in engines.items()},
        "detector": DETECTOR_VERSION,
        "asked": {name: _asked(sample, name) for name in sample.counted},
    }


def _asked(sample: Sample, engine: str) -> dict[str, Any]:
    engine_sample = sample.engines[engine]
    return {
        "prompts": sorted(engine_sample.versions),
        "locales": sorted(sample.locales_of(engine)),
        "models": sorted(engine_sample.models),
    }


def store_panel(brand: Brand, content: dict[str, Any]) -> Panel:
    """The one panel of the brand with this content."""
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    panel, _ = Panel.objects.get_or_create(brand=brand, digest=digest, defaults={"content": content})
    return panel


@dataclass(frozen=True, slots=True)
class Sides:
    """What is compared, in words: where something was asked on both sides, on the earlier, on the later."""

    both: str
    before: str
    now: str


DAYS = Sides("on both days", "on the day before", "on this day")
RUNS = Sides("in both runs", "in the earlier run", "in the later run")


def causes(before: dict[str, Any], now: dict[str, Any], sides: Sides = DAYS) -> list[Why]:
    """Why two panels cannot be compared; empty where they can: at least 80 % of the earlier prompts (by version)
    asked again, the earlier locales too, and the same engines, served models and detector."""
    served = sorted(set(now["engines"]) & set(before["engines"]))
    return [
        *prompt_causes(before["prompts"], now["prompts"], sides),
        *_engine_causes(before["engines"], now["engines"], sides),
        *(reason for name in served for reason in model_causes(name, before["engines"][name], now["engines"][name])),
        *locale_causes(before["locales"], now["locales"]),
        *detector_causes(before["detector"], now["detector"]),
    ]


def engine_causes(before: Mapping[str, Any], now: Mapping[str, Any], engine: str, sides: Sides = DAYS) -> list[Why]:
    """Why the days of one engine, which counted on both of these panels, cannot be compared."""
    earlier, later = before["asked"][engine], now["asked"][engine]
    return [
        *prompt_causes(earlier["prompts"], later["prompts"], sides),
        *model_causes(engine, earlier["models"], later["models"]),
        *locale_causes(earlier["locales"], later["locales"]),
        *detector_causes(before["detector"], now["detector"]),
    ]


def no_counts(day: str) -> Why:
    """That the day's answers are not counted for comparisons yet."""
    return Why(Cause.COUNTS, f"the answers of {day} are not counted for comparisons yet: that follows by itself soon")


def no_score(what: str) -> Why:
    """That there is no score of it to compare with, or none to compare."""
    return Why(Cause.NO_SCORE, f"{what} has no score to compare")


def prompt_causes(before: Collection[int], now: Collection[int], sides: Sides = DAYS) -> list[Why]:
    """Too many of the earlier prompts gone, or asked in other wordings."""
    asked_again, earlier = len(set(before) & set(now)), len(set(before))
    if asked_again >= SHARED * earlier:
        return []
    return [
        Why(
            Cause.PROMPTS,
            f"only {asked_again} of {earlier} earlier prompts were asked {sides.both} in the same wording",
        )
    ]


def _engine_causes(before: Collection[str], now: Collection[str], sides: Sides) -> list[Why]:
    gone, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
    parts = [f"{', '.join(gone)} counted only {sides.before}"] if gone else []
    parts += [f"{', '.join(new)} counted only {sides.now}"] if new else []
    return [Why(Cause.ENGINES, " and ".join(parts))] if parts else []


def model_causes(engine: str, before: Collection[str], now: Collection[str]) -> list[Why]:
    """Another model answered for the engine."""
    if set(before) == set(now):
        return []
    return [Why(Cause.MODEL, f"{engine} was served by {_listed(before)} before and by {_listed(now)} now")]


def locale_causes(before: Collection[str], now: Collection[str]) -> list[Why]:
    """Locales that are asked no more."""
    if set(before) <= set(now):
        return []
    return [Why(Cause.LOCALE, f"it was asked in {_listed(before)} before and in {_listed(now)} now")]


def detector_causes(before: str, now: str) -> list[Why]:
    """Another version of what finds names."""
    if before == now:
        return []
    return [Why(Cause.DETECTOR, f"version {before} of the detector counted before and version {now} now")]


def _listed(names: Collection[str]) -> str:
    return ", ".join(name or "one not stated" for name in sorted(names)) or "none"
