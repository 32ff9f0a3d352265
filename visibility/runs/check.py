"""One real question to an engine: whether it answers, and what of its answer is as expected, unknown or missing."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from visibility.engines import EngineError, Question, Reply
from visibility.models import ProviderCall
from visibility.runs.engines import Reached, ask_once
from visibility.runs.store import Result, settle

QUESTION = Question("What is the best running watch? Name three brands, and the pages that you used.", country="US")


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of the question. `missing` are parts that answers of such an engine have; `unknown` nobody reads."""

    reply: Reply | EngineError
    seconds: float
    missing: Sequence[str] = field(default_factory=list)
    unknown: Sequence[str] = field(default_factory=list)


def check_engine(reached: Reached) -> Checked:
    """Ask the engine once; the call is in the ledger, at the operator's expense."""
    call = ProviderCall.objects.create(
        purpose=ProviderCall.Purpose.CHECK, engine=reached.engine.name, account=reached.account
    )
    begun = time.monotonic()
    reply = asyncio.run(ask_once(reached, QUESTION))
    seconds = time.monotonic() - begun
    settle(call, Result(call, reply, round(1000 * seconds)), timezone.now())
    call.save()
    if isinstance(reply, EngineError):
        return Checked(reply, seconds)
    return Checked(reply, seconds, _missing(reached, reply), reply.unknown_parts)


def report_of(reached: Reached, checked: Checked) -> str:
    """What came of the question, in lines for the operator."""
    reply = checked.reply
    head = f"{reached.engine.name} ({checked.seconds:.1f} s): "
    if isinstance(reply, EngineError):
        return f"{head}{reply.code}: {reply.message}"
    cost = "not known" if reply.bill.cost is None else f"${reply.bill.cost:.5f} ({reply.bill.cost_source})"
    lines = [
        f"{head}answered with {len(reply.text):,} characters",
        f"  model {reply.served_model or 'not stated'}, country {reply.country or 'not stated'}, cost {cost}",
        f"  {len(reply.sources)} sources, {len(reply.searches)} searches",
    ]
    if checked.missing:
        lines.append(f"  missing: {', '.join(checked.missing)}")
    if checked.unknown:
        lines.append(f"  unknown parts: {', '.join(checked.unknown)}")
    return "\n".join(lines)


def _missing(reached: Reached, reply: Reply) -> list[str]:
    parts = {
        "the served model": reply.served_model,
        "the cost": reply.bill.cost is not None,
        "token counts": reply.bill.usage,
    }
    if reached.settings.search:
        parts |= {"a search": reply.searched, "sources": reply.sources}
    return [name for name, part in parts.items() if not part]
