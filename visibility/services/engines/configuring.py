"""Configuring engines, choosing them for a brand, and trying one."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import ProtectedError

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError, invalid
from apikeys.services.guards import conflict, conflict_if_taken, require_operator
from apikeys.text.sentences import counted
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.engines.adapters.local_search import is_local
from visibility.engines.protocol import Bill, Engine, EngineAnswer, EngineError, Question
from visibility.engines.registry import build
from visibility.metrics.amounts import exact_dollars
from visibility.models import BrandEngine, EngineConfig, ProviderCall
from visibility.pipeline.ask.engines import has_key, spec_of
from visibility.pipeline.evidence.planning import count_change
from visibility.pipeline.provider_calls import BookedEngine, Tariff
from visibility.services.engines.checks import FIELDS, checked

TRIAL = "Which three brands of running shoes are best known? Answer in one sentence."
TRIAL_SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of asking an engine once."""

    served_model: str
    seconds: float
    cost: Decimal | None
    cost_source: str
    searched: bool | None
    sources: int
    text: str


def add_engine(caller: Caller, **values: Any) -> EngineConfig:
    """Configure an engine from the fields of EngineConfig; operators only.

    Raises invalid_arguments, naming the field, and conflict for a name that is taken and for a second that writes.
    """
    require_operator(caller)
    fields = checked(values)
    _refuse_second_writer(fields)
    with conflict_if_taken(
        f"There is an engine named {fields['name']} already. Choose another name.", argument="name"
    ):
        config: EngineConfig = EngineConfig.objects.create(**fields)
    return config


@transaction.atomic
def edit_engine(caller: Caller, *, engine: EngineConfig, **changes: Any) -> EngineConfig:
    """Change the fields of an engine, all but its name; raises as `add_engine`."""
    require_operator(caller)
    current: EngineConfig = EngineConfig.objects.select_for_update().get(pk=engine.pk)
    if changes.get("name", current.name) != current.name:
        raise invalid(
            "name", "Past answers carry the name, so it cannot change. Disable this engine and add another."
        )
    fields = checked({**_values(current), **changes})
    _refuse_second_writer(fields)
    for name, value in fields.items():
        setattr(current, name, value)
    with conflict_if_taken(
        "Another engine was chosen to write just now. Untick “writes” there first.", argument="writes"
    ):
        current.save(update_fields=list(fields))
    return current


def remove_engine(caller: Caller, *, engine: EngineConfig) -> None:
    """Remove an engine: scans ask it no more, its answers and figures stay.

    Raises conflict while a brand has chosen it: without its choice the brand would be asked about through others.
    """
    require_operator(caller)
    try:
        engine.delete()
    except ProtectedError as error:
        count = len(error.protected_objects)
        raise conflict(
            f"{counted(count, 'brand has', 'brands have')} chosen this engine. Disable it, or let them choose others."
        ) from error


@transaction.atomic
def choose_engines(caller: Caller, *, brand_id: UUID, names: Sequence[str]) -> list[EngineConfig]:
    """Let scans of the brand ask these engines only; none means all that are enabled, later ones too.

    Raises not_found, read_only_collaborator, and invalid_arguments for names that are no enabled engine.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    enabled = {config.name: config for config in EngineConfig.objects.filter(enabled=True)}
    unknown = sorted(set(names) - set(enabled))
    if unknown:
        offer = f"Choose among {', '.join(enabled)}." if enabled else "The operator has enabled none yet."
        raise invalid("engines", f"No engine is named {', '.join(unknown)}. {offer}")
    configs = [config for name, config in enabled.items() if name in names]
    BrandEngine.objects.filter(brand=brand).delete()
    BrandEngine.objects.bulk_create(BrandEngine(brand=brand, engine=config) for config in configs)
    count_change(brand.pk)
    return configs


def chosen_names(brand: Brand) -> list[str]:
    """The names of the engines that the brand has chosen; empty: all that are enabled."""
    return list(
        BrandEngine.objects.filter(brand=brand).values_list("engine__name", flat=True).order_by("engine__name")
    )


def try_engine(caller: Caller, *, engine: EngineConfig) -> Trial:
    """Ask the engine one short question now; it costs what the provider takes, no credits. Nothing is stored but the
    call in the ledger, which is the operator's and under no cap.

    Not to be called in a transaction: the provider may take a minute. Raises upstream_unavailable with what went
    wrong, and conflict where the key is missing.
    """
    require_operator(caller)
    if is_local(engine.name):
        raise conflict("This engine quotes the pages of a brand and needs no connection. Scan a brand that chose it.")
    if not has_key(engine):
        raise conflict(
            f"The environment variable {engine.key_variable} is not set for this process. Set it and "
            "restart the service."
        )
    started, spec = time.perf_counter(), spec_of(engine)
    tariff = Tariff(engine.name, engine.provider, engine.model, spec)
    try:
        answer = async_to_sync(_asked)(BookedEngine(build(spec), tariff, ProviderCall.Purpose.TEST))
    except (EngineError, TimeoutError) as error:
        code, message = _what_went_wrong(error)
        raise ServiceError(ErrorCode.UPSTREAM_UNAVAILABLE, f"{code}: {message}", reason=code) from None
    return Trial(
        served_model=answer.served_model,
        seconds=time.perf_counter() - started,
        cost=answer.cost,
        cost_source=answer.cost_source,
        searched=answer.searched,
        sources=len(answer.sources),
        text=answer.text,
    )


async def _asked(engine: Engine) -> EngineAnswer:
    try:
        async with asyncio.timeout(TRIAL_SECONDS):
            return await engine.ask(Question(TRIAL))
    finally:
        await engine.aclose()


def _what_went_wrong(error: EngineError | TimeoutError) -> tuple[str, str]:
    if isinstance(error, EngineError):
        return error.code, f"{error.message}{_charged(error.bill)}"
    return "timeout", f"No answer came within {TRIAL_SECONDS:.0f} seconds."


def _charged(bill: Bill | None) -> str:
    """What the provider takes for a trial that gave no answer."""
    if bill is None:
        return ""
    return " The provider charges it" + (
        f": {exact_dollars(bill.cost)}." if bill.cost is not None else ", cost unknown."
    )


def _refuse_second_writer(fields: dict[str, Any]) -> None:
    """Raise conflict where this engine is to write and another does."""
    other = EngineConfig.objects.filter(writes=True).exclude(name=fields["name"]).first()
    if fields["writes"] and other:
        raise conflict(
            f"The engine {other.name} already writes, and only one can. Untick “writes” there first.",
            argument="writes",
        )


def _values(config: EngineConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in FIELDS}
