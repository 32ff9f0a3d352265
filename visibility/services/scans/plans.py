"""What a scan of a brand would ask: for the scan that starts, and for the estimate before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.errors import ErrorCode, ServiceError, invalid
from brands.models import Brand
from visibility.engines.protocol import Engine
from visibility.measured.topics import read_topics
from visibility.models import PromptVersion
from visibility.pipeline.ask.engines import engines_by_brand, engines_of
from visibility.pipeline.plan import chosen_samples, current_wordings, samples_of, samples_of_scan


@dataclass(frozen=True, slots=True)
class ScanPlan:
    """The wordings to ask, and of each engine how many samples of each."""

    wordings: Sequence[PromptVersion]
    samples: Mapping[str, int]

    @property
    def total(self) -> int:
        """The answers to ask for; each costs one credit."""
        return sum(self.calls(engine) for engine in self.samples)

    def calls(self, engine: str) -> int:
        """The answers to ask of one engine."""
        return len(self.wordings) * self.samples[engine]


def plan_scan(brand: Brand, *, engines: Sequence[str] | None = None, samples: int | None = None) -> ScanPlan:
    """Every active prompt of every engine; `samples` and `engines` default to the brand's choice.

    An engine's own maximum of samples holds besides. Raises no_engine_configured, no_prompts and invalid_arguments.
    """
    scan_engines = _chosen_engines(brand, engines)
    wordings = current_wordings(brand)
    _require_prompts(len(wordings))
    return ScanPlan(wordings, samples_of(scan_engines, chosen_samples(brand, samples)))


def calls_of_scan(
    brand: Brand, *, engines: Sequence[str] | None = None, samples: int | None = None
) -> dict[str, int]:
    """How many answers such a scan asks of each engine. Raises as `plan_scan`."""
    scan_engines = _chosen_engines(brand, engines)
    prompts = len(read_topics(brand.pk).wordings)
    _require_prompts(prompts)
    answers = samples_of(scan_engines, chosen_samples(brand, samples))
    return {engine: prompts * number for engine, number in answers.items()}


def _require_prompts(prompts: int) -> None:
    if not prompts:
        raise ServiceError(ErrorCode.NO_PROMPTS, "This brand has no active prompt to ask. Add one first.")


def plan_questions(brand: Brand, wordings: Sequence[PromptVersion]) -> ScanPlan:
    """These wordings of each of the brand's engines, as often as its prompts. Raises no_engine_configured."""
    return ScanPlan(wordings, samples_of_scan(brand, _chosen_engines(brand)))


def credits_per_scan(brands: Sequence[Brand], prompts: Mapping[UUID, int]) -> dict[UUID, int]:
    """What asking so many `prompts` of each brand's engines would reserve now; 0: nothing could be asked.

    As many statements for many brands as for one; each brand comes with its owner and the owner's plan.
    """
    engines = engines_by_brand(brands)
    return {
        brand.pk: prompts.get(brand.pk, 0) * sum(samples_of_scan(brand, engines[brand.pk]).values())
        for brand in brands
    }


def _chosen_engines(brand: Brand, engine_names: Sequence[str] | None = None) -> list[Engine]:
    available = {engine.name: engine for engine in engines_of(brand)}
    if not available:
        raise ServiceError(
            ErrorCode.NO_ENGINE_CONFIGURED,
            "No engine can answer for this brand yet. The operator of the service has to configure one.",
        )
    if engine_names is None:
        return list(available.values())
    unknown = sorted(set(engine_names) - set(available))
    if unknown or not engine_names:
        raise invalid("engines", f"Choose among the brand's engines: {', '.join(available)}.")
    return [engine for name, engine in available.items() if name in engine_names]
