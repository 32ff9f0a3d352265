"""The one way to a provider's bill: each call is booked in the ledger before it is made, and settled once.

Caps are counted from the ledger under a lock, in the transaction that books: no number of callers passes one. What is
under way counts with what it may cost at most, and so does for ever what nobody knows the cost of.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.utils import timezone

from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import Usage, User
from apikeys.resources import rfc3339
from apikeys.services.usage import give_back, period_of, resets_at
from apikeys.text.storable import storable
from brands.models import Brand
from visibility.engines.adapters.local_search import is_local
from visibility.engines.pricing import Usage as Tokens
from visibility.engines.pricing import price
from visibility.engines.protocol import Bill, Engine, EngineAnswer, EngineError, Question
from visibility.engines.spec import EngineSpec
from visibility.metrics.amounts import exact_dollars
from visibility.models import COUNTED, ProviderCall, Run

NOTHING = Decimal(0)
MAX_COST = Decimal(10) ** 6
SPEND_CAP = "spend_cap"
SEARCH_TOKENS = 20_000
"""What the results of one search add to the input at most, as far as recorded answers tell."""
OVERHEAD_TOKENS = 1_000
"""What a provider puts around a question."""
LOST_AFTER = timedelta(minutes=15)
"""No call takes so long, with the time that a database may be away: its process has died."""
LOST_PER_TICK = 500
MAY_BE_CHARGED = frozenset({"timeout", "engine_fault"})
"""Failures after which nobody knows whether the provider charges the call."""


def size_of(text: str) -> int:
    """How many bytes a text has, whatever is in it."""
    return len(text.encode(errors="replace"))


@dataclass(frozen=True, slots=True)
class Tariff:
    """Which engine is asked: what the ledger names it by, and what one call of it may cost at most."""

    engine: str
    provider: str = ""
    model: str = ""
    spec: EngineSpec | None = None

    def at_most(self, length: int) -> Decimal | None:
        """What a call with a text of so many bytes may cost at most in US dollars; None where no price is known."""
        if is_local(self.engine):
            return NOTHING
        if self.spec is None:
            return None
        searches = self.spec.max_searches if self.spec.search else 0
        tokens = Tokens(
            # A token has a byte or more.
            input_tokens=OVERHEAD_TOKENS + length + searches * SEARCH_TOKENS,
            output_tokens=self.spec.max_output_tokens,
            searches=searches,
        )
        highest = price(self.spec, self.spec.model, tokens)[0]
        return None if highest is None else min(highest, MAX_COST - 1)


@dataclass(frozen=True, slots=True)
class Booked:
    """Which calls may be made, by id; `refusal` says why the others may not, as a sentence. `day_spent` is what the
    account may have spent today, these calls included, in US dollars where that is capped."""

    accepted: Set[UUID]
    refusal: str = ""
    day_spent: Decimal = NOTHING


@dataclass(frozen=True, slots=True)
class Caps:
    """What may be spent, in US dollars and credits; None caps nothing. The account's is for a day (UTC)."""

    run: UUID | None = None
    run_cost: Decimal | None = None
    run_credits: int | None = None
    account: int | None = None
    day_cost: Decimal | None = None


def new_call(
    tariff: Tariff,
    purpose: ProviderCall.Purpose,
    at_most: Decimal | None,
    *,
    account: int | None,
    brand: Brand | None = None,
    run: Run | None = None,
    key: UUID | None = None,
    answer: UUID | None = None,
    credits: int = 0,
) -> ProviderCall:
    """A call to book, unsaved. `key` is its id where it has one already, `credits` what it takes beforehand."""
    return ProviderCall(
        id=key or uuid4(),
        purpose=purpose,
        engine=tariff.engine,
        provider=tariff.provider,
        model=tariff.model,
        account_id=account,
        brand=brand,
        brand_name=brand.name if brand else "",
        run=run,
        answer=answer,
        reserved=at_most,
        credits=credits,
    )


def payer_of(run: Run) -> int:
    """The account that pays for the run's calls: whose credits were reserved, else the brand's owner."""
    return run.credits_account_id or run.brand.owner_id


def caps_held(account: int | None, run: UUID | None = None) -> Caps:
    """The caps for calls that the account pays, as they are now; until the transaction ends nobody else books for it.

    Take them before any other lock: accounts come before brands, and brands before their jobs.
    """
    rows = User.objects.select_related("plan").select_for_update(no_key=True, of=("self",))
    user = rows.filter(pk=account).first() if account is not None else None
    return Caps(
        run=run,
        run_cost=Decimal(str(settings.SCAN_MAX_COST_USD)) if run and settings.SCAN_MAX_COST_USD is not None else None,
        run_credits=settings.SCAN_MAX_CREDITS if run else None,
        account=account,
        day_cost=user.provider_cost_per_day if user else None,
    )


def book(calls: Sequence[ProviderCall], caps: Caps) -> Booked:
    """Store those of the calls that the caps allow, as pending; the rows are there when the transaction has ended.

    In the transaction that holds the caps. To be repeated with the same rows when nobody knows whether they were
    stored. The rows' account, and run where there is one, are those of the caps.
    """
    room = _Room(caps, calls)
    accepted = [call for call in calls if room.takes(call)]
    ProviderCall.objects.bulk_create(accepted, ignore_conflicts=True)
    return Booked({call.pk for call in accepted}, room.refusal, room.day_spent)


class _Room:
    """What is left of the caps, without these calls."""

    def __init__(self, caps: Caps, calls: Sequence[ProviderCall]) -> None:
        self.refusal = ""
        self._caps = caps
        self._run_spent = self.day_spent = NOTHING
        self._credits = 0
        self._under_way: Counter[str] = Counter()
        self._dearest: dict[str, Decimal | None] = {}
        others = ProviderCall.objects.exclude(pk__in=[call.pk for call in calls]).order_by()
        is_free = all(call.reserved == NOTHING for call in calls)
        if caps.run is not None and (caps.run_credits is not None or not is_free):
            self._read_run(others.filter(run=caps.run))
        if caps.day_cost is not None and not is_free:
            midnight = timezone.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
            today = others.filter(account=caps.account, created_at__gte=midnight)
            self.day_spent = today.aggregate(spent=Sum(COUNTED))["spent"] or NOTHING

    def _read_run(self, calls: QuerySet[ProviderCall]) -> None:
        is_pending = Q(outcome=ProviderCall.Outcome.PENDING)
        for row in calls.values("engine").annotate(
            spent=Sum(COUNTED),
            dearest=Max("cost", filter=~Q(outcome=ProviderCall.Outcome.FAILED)),
            under_way=Count("pk", filter=is_pending),
            ended=Count("pk", filter=~is_pending),
            credited=Count("pk", filter=is_pending | Q(credits__gt=0)),
        ):
            self._run_spent += row["spent"]
            self._credits += row["credited"]
            self._under_way[row["engine"]] = row["under_way"]
            if row["ended"]:
                self._dearest[row["engine"]] = row["dearest"]

    def takes(self, call: ProviderCall) -> bool:
        """Whether there is room for the call; then it is taken, with what the call may cost at most.

        That is by list, or what the run's dearest call of the engine cost. Where neither is known the first call goes
        alone: many at once could cost many times the cap.
        """
        caps, dearest = self._caps, self._dearest.get(call.engine)
        call.reserved = max(filter(None, (call.reserved, dearest)), default=call.reserved)
        at_most = call.reserved or NOTHING
        is_dark = call.reserved is None and call.engine not in self._dearest
        no_credit = caps.run_credits is not None and self._credits >= caps.run_credits
        if no_credit or (caps.run_cost is not None and self._run_spent + at_most > caps.run_cost):
            self.refusal = self._of_run(at_most)
        elif caps.day_cost is not None and self.day_spent + at_most > caps.day_cost:
            self.refusal = self._of_day(at_most)
        elif caps.run_cost is not None and is_dark and self._under_way[call.engine]:
            self.refusal = "Not asked: what a call of this engine costs is not known yet."
        else:
            self._run_spent += at_most
            self.day_spent += at_most
            self._credits += 1
            self._under_way[call.engine] += 1
            return True
        return False

    def _of_run(self, at_most: Decimal) -> str:
        cost, credits = self._caps.run_cost, self._caps.run_credits
        words = [f"${cost}"] if cost is not None else []
        caps = " or ".join([*words, f"{credits} credits"] if credits is not None else words)
        return (
            f"Not asked: one scan may take {caps}. Ask fewer prompts, engines or samples, or raise the cap. "
            f"{exact_dollars(self._run_spent)} may be spent by now, and one more call costs up to "
            f"{exact_dollars(at_most)}."
        )

    def _of_day(self, at_most: Decimal) -> str:
        return (
            f"Not asked: the plan of the brand's owner allows ${self._caps.day_cost} a day at providers. "
            f"{exact_dollars(self.day_spent)} may be spent by now, and one more call costs up to "
            f"{exact_dollars(at_most)}. It starts again at midnight UTC."
        )


@dataclass(frozen=True, slots=True)
class Settlement:
    """What came of a call: an answer, an error, or None where nobody knows. `credits` is what it took of a plan."""

    call: UUID
    came: EngineAnswer | EngineError | None
    credits: int = 0


_SETTLED = (
    "settled_at", "outcome", "error_code", "served_model", "usage", "cost", "cost_source", "credits",
)  # fmt: skip


def settle_calls(settlements: Iterable[Settlement]) -> None:
    """Write what came of these calls, each once: one that is settled stays as it is.

    Credits that a call took when it was booked and is not to keep go back to its account and month.
    """
    by_call = {settlement.call: settlement for settlement in settlements}
    with transaction.atomic():
        pending = ProviderCall.objects.filter(pk__in=by_call).pending()
        calls = list(pending.select_for_update().order_by("pk"))
        unused: Counter[tuple[int, datetime]] = Counter()
        for call in calls:
            settlement = by_call[call.pk]
            if call.account_id is not None and call.credits > settlement.credits:
                unused[call.account_id, call.created_at] += call.credits - settlement.credits
            call.credits = settlement.credits
            for name, value in _outcome(settlement.came).items():
                setattr(call, name, value)
        # As for answers: an insert of rows that are all there updates each with values of its own.
        ProviderCall.objects.bulk_create(calls, update_conflicts=True, unique_fields=["id"], update_fields=_SETTLED)
        for (account, booked_at), credits in unused.items():
            give_back(account, Usage.Kind.CREDITS, period_of(Usage.Kind.CREDITS, booked_at), credits)


def settle_lost(run: UUID) -> None:
    """Give up the calls of a run that nobody works on any more: whether they are charged is not known."""
    lost = ProviderCall.objects.filter(run=run).pending().order_by().values_list("pk", flat=True)
    settle_calls([Settlement(call, None) for call in lost])


def settle_abandoned_calls() -> None:
    """Give up calls whose process has died, some at a time. Can be repeated, by several workers at once."""
    lost = ProviderCall.objects.pending().filter(created_at__lt=timezone.now() - LOST_AFTER).order_by("created_at")
    settle_calls([Settlement(call, None) for call in lost.values_list("pk", flat=True)[:LOST_PER_TICK]])


def _outcome(came: EngineAnswer | EngineError | None) -> dict[str, Any]:
    """The fields of a settled call."""
    outcome, bill, code = ProviderCall.Outcome.UNKNOWN, Bill(), ""
    if isinstance(came, EngineAnswer):
        outcome, bill = ProviderCall.Outcome.ANSWERED, came.bill
    elif came is not None:
        code = storable(came.code)[:40]
        if came.bill is not None:
            outcome, bill = ProviderCall.Outcome.CHARGED, came.bill
        elif came.code not in MAY_BE_CHARGED:
            outcome, bill = ProviderCall.Outcome.FAILED, Bill(cost=NOTHING, cost_source="")
    return {
        "settled_at": timezone.now(),
        "outcome": outcome,
        "error_code": code,
        "served_model": storable(bill.served_model)[:100],
        "usage": storable(bill.usage),
        "cost": bill.cost if bill.cost is not None and _is_price(bill.cost) else None,
        "cost_source": bill.cost_source[:20],
    }


def _is_price(cost: Decimal) -> bool:
    return cost.is_finite() and 0 <= cost < MAX_COST


class BookedEngine(Engine):
    """An engine that is asked outside of runs: each call of it is booked and settled.

    `with_first` is done in the transaction that books the first call, and what it raises has that not be made. A call
    that the account's cap does not allow raises ServiceError, quota_exceeded.
    """

    def __init__(
        self,
        engine: Engine,
        tariff: Tariff,
        purpose: ProviderCall.Purpose,
        *,
        account: User | None = None,
        brand: Brand | None = None,
        with_first: Callable[[], object] | None = None,
    ) -> None:
        self.name, self.concurrency = engine.name, engine.concurrency
        self._engine, self._tariff, self._purpose = engine, tariff, purpose
        self._account, self._brand, self._with_first = account, brand, with_first

    async def ask(self, question: Question) -> EngineAnswer:
        """Ask once. Raises EngineError, and ServiceError where it may not be asked."""
        with suppress(Exception):  # whatever fails here fails again, and is told, when it is asked
            await self._engine.prepare()
        call = await sync_to_async(self._book)(question.text)
        came: EngineAnswer | EngineError | None = None
        try:
            came = await self._engine.ask(question)
            return came
        except EngineError as error:
            came = error
            raise
        finally:
            await sync_to_async(settle_calls)([Settlement(call, came)])

    async def aclose(self) -> None:
        """Close the engine's connections."""
        await self._engine.aclose()

    @transaction.atomic
    def _book(self, text: str) -> UUID:
        caps = caps_held(self._account.pk if self._account else None)
        if self._with_first is not None:
            self._with_first()
        at_most = self._tariff.at_most(size_of(text))
        call = new_call(self._tariff, self._purpose, at_most, account=caps.account, brand=self._brand)
        booked = book([call], caps)
        if booked.refusal:
            raise ServiceError(
                ErrorCode.QUOTA_EXCEEDED,
                booked.refusal,
                limit=float(caps.day_cost or 0),
                used=float(booked.day_spent),
                resetsAt=rfc3339(resets_at(Usage.Kind.WRITER_CALLS, period_of(Usage.Kind.WRITER_CALLS))),
            )
        self._with_first = None
        return call.pk
