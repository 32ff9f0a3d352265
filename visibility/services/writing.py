"""Who writes: the engine that an operator has chosen for it, within the plan's calls a day, else the embedded one."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from apikeys.errors import ErrorCode, ServiceError, invalid
from apikeys.models import Usage, User
from apikeys.services.usage import give_back, spend
from brands.models import Alias, Brand, Competitor
from visibility.engines.protocol import Engine
from visibility.engines.registry import build
from visibility.models import EngineConfig, ProviderCall
from visibility.pipeline.ask.engines import has_key, spec_of
from visibility.pipeline.provider_calls import BookedEngine, Tariff
from visibility.writers.embedded import EmbeddedWriter
from visibility.writers.engine import EngineWriter
from visibility.writers.protocol import CannotWrite, Writer, WriterError, WriterLabel
from visibility.writers.tasks import Subject

logger = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[Writer], T]


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """What was written, and by whom."""

    result: T
    writer: WriterLabel


def by_rule(work: Work[T]) -> Done[T]:
    """Let the embedded writer do the work; it neither waits nor costs. Raises invalid_arguments."""
    return _done(EmbeddedWriter(), work)


def by_engine(
    payer: User, work: Work[T], *, purpose: ProviderCall.Purpose, brand: Brand | None = None
) -> Done[T] | None:
    """Let the engine that writes do the work; None where there is none, or its key is missing.

    Not to be called in a transaction: the engine may take minutes. Each call of the engine is booked before it is
    made. One of the payer's writer calls of the day is taken with the first of them, and given back when no provider
    answered; a process that dies meanwhile leaves it taken. Raises quota_exceeded, and upstream_unavailable where the
    engine failed.
    """
    config = EngineConfig.objects.filter(writes=True).first()
    if config is None or not has_key(config):
        return None
    taken: list[date] = []
    spec = spec_of(config)

    def take() -> None:
        taken[:] = [spend(payer, Usage.Kind.WRITER_CALLS, 1)]

    def make() -> Engine:
        """Anew for each step of the work, of which the first takes a writer call."""
        tariff = Tariff(config.name, config.provider, config.model, spec)
        with_first = None if taken else take
        return BookedEngine(build(spec), tariff, purpose, account=payer, brand=brand, with_first=with_first)

    try:
        return _done(EngineWriter(make, config.name, config.model), work)
    except WriterError as error:
        if taken and not error.billed:
            give_back(payer, Usage.Kind.WRITER_CALLS, taken[0], 1)
        # What a provider says of an account is for the operator; callers get the code.
        logger.warning("The engine %s did not write: %s: %s", config.name, error.code, error.message)
        raise ServiceError(
            ErrorCode.UPSTREAM_UNAVAILABLE,
            f"The engine that writes failed ({error.code}). Nothing was stored. Call again. If it "
            "fails again, tell the operator of the service.",
            reason=error.code,
        ) from None


def engine_writes() -> bool:
    """Whether an engine writes here, by the operator's choice and with its key."""
    config = EngineConfig.objects.filter(writes=True).first()
    return config is not None and has_key(config)


def subject_of(brand: Brand) -> Subject:
    """The brand as writers know it."""
    aliases = Alias.objects.filter(brand=brand).values_list("text", flat=True)
    rivals = Competitor.objects.filter(brand=brand).order_by("created_at", "name").values_list("name", flat=True)
    return Subject(
        name=brand.name,
        domain=brand.domain,
        description=brand.description,
        names=(brand.name, *aliases),
        rivals=tuple(rivals),
    )


def _done(writer: Writer, work: Work[T]) -> Done[T]:
    try:
        return Done(work(writer), writer.label)
    except CannotWrite as refusal:
        raise invalid(refusal.argument, refusal.message) from None
