"""Writing: one question to the engine that operators let write, answered as JSON of a known shape, or not used."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from pydantic import BaseModel, ValidationError

from apikeys.accounts.usage import give_back, spend
from apikeys.errors import ServiceError, upstream_unavailable
from apikeys.models import Usage
from brands.models import Brand
from visibility.engines import EngineError, Question
from visibility.models import Engine, ProviderCall
from visibility.runs.engines import Reached, ask_once, reach
from visibility.runs.spending import budget_of
from visibility.runs.store import Result, settle

T = TypeVar("T", bound=BaseModel)
FORM = "Reply with one JSON object and nothing else. Its JSON schema:"
REPAIR = "Your reply could not be used:"


@dataclass(frozen=True, slots=True)
class Written:
    """What an engine wrote, and which model."""

    text: str
    engine: str
    model: str


def writing_engine() -> Reached | None:
    """The engine that writes; None where operators chose none, or its provider's key is not set."""
    engine = Engine.objects.filter(writes=True).first()
    reached = reach(engine) if engine else None
    return reached and replace(reached, settings=replace(reached.settings, search=False))


def write(
    reached: Reached, brand: Brand, instructions: str, shape: type[T], refuse: Callable[[T], str | None]
) -> tuple[T, Written]:
    """Ask once for JSON of a shape, and once more where it has another or `refuse` says what is wrong with it.

    Not inside a transaction. Each call takes one of the owner's writer calls of the day and is in the ledger. Raises
    quota_exceeded, upstream_unavailable (no answer, or none that can be used).
    """
    asked = f"{instructions}\n\n{FORM}\n{shape.model_json_schema()}"
    problem = ""
    for _ in range(2):
        written = _ask(reached, brand, f"{asked}\n\n{REPAIR} {problem}" if problem else asked)
        try:
            # Models like to put their JSON between words.
            found = shape.model_validate_json(written.text[written.text.find("{") : written.text.rfind("}") + 1])
        except ValidationError as error:
            problem = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:5])
            continue
        problem = refuse(found) or ""
        if not problem:
            return found, written
    raise upstream_unavailable(
        gettext("{name} wrote nothing that can be used: {problem}").format(
            name=reached.engine.name, problem=problem[:300]
        )
    )


def _ask(reached: Reached, brand: Brand, text: str) -> Written:
    period = spend(brand.owner, Usage.Kind.WRITER_CALLS, 1)
    try:
        call = _book(reached, brand)
    except ServiceError:
        give_back(brand.owner_id, Usage.Kind.WRITER_CALLS, period, 1)
        raise
    begun = timezone.now()
    reply = asyncio.run(ask_once(reached, Question(text)))
    now = timezone.now()
    settle(call, Result(call, reply, round((now - begun).total_seconds() * 1000)), now)
    call.save()
    if isinstance(reply, EngineError):
        if call.outcome == ProviderCall.Outcome.FAILED:
            give_back(brand.owner_id, Usage.Kind.WRITER_CALLS, period, 1)
        raise upstream_unavailable(
            gettext("{name} did not answer: {message}").format(name=reached.engine.name, message=reply.message)
        )
    return Written(reply.text, reached.engine.name, reply.served_model or reached.settings.model)


@transaction.atomic
def _book(reached: Reached, brand: Brand) -> ProviderCall:
    """A row before the call. Raises upstream_unavailable where a limit on money is reached."""
    budget = budget_of(brand.owner, reached)
    if not budget.calls:
        reason = budget.give_up.reason if budget.give_up else gettext("Another call of it is under way.")
        raise upstream_unavailable(
            gettext("{name} is not asked now. {reason}").format(name=reached.engine.name, reason=reason)
        )
    return ProviderCall.objects.create(
        purpose=ProviderCall.Purpose.WRITER,
        engine=reached.engine.name,
        account=reached.account,
        payer=brand.owner_id,
        brand=brand.pk,
        brand_name=brand.name,
        reserved=budget.each,
    )
