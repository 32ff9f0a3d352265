"""What an account may still spend. The limit is held by one conditional UPDATE: no number of callers passes it."""

from datetime import UTC, date, datetime, timedelta

from django.db.models import Exists, F, Q, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import Usage, User
from apikeys.resources import Quota, rfc3339

DEACTIVATED = (
    "The account that would pay for this is deactivated, so nothing is done on its behalf. Ask the operator of the "
    "service to reactivate it, or to give the brand to another account."
)
LIMITS = {
    Usage.Kind.CREDITS: "credits_per_month",
    Usage.Kind.DRAFTS: "drafts_per_month",
    Usage.Kind.WRITER_CALLS: "writer_calls_per_day",
}


def period_of(kind: Usage.Kind, moment: datetime | None = None) -> date:
    """The first day of the UTC calendar month (the day itself for writer calls) that `moment` lies in."""
    today = (moment or timezone.now()).astimezone(UTC).date()
    return today if kind == Usage.Kind.WRITER_CALLS else today.replace(day=1)


def resets_at(kind: Usage.Kind, period: date) -> datetime:
    """When the period after `period` begins."""
    following = period + timedelta(days=1 if kind == Usage.Kind.WRITER_CALLS else 32)
    if kind != Usage.Kind.WRITER_CALLS:
        following = following.replace(day=1)
    return datetime(following.year, following.month, following.day, tzinfo=UTC)


def limit_of(user: User, kind: Usage.Kind) -> int:
    """How much of `kind` the account may use in one period."""
    return user.limit(LIMITS[kind])


def used(user: User, kind: Usage.Kind) -> int:
    """How much of `kind` the account has used in the current period."""
    row = Usage.objects.filter(user=user, kind=kind, period=period_of(kind)).values_list("used", flat=True).first()
    return row or 0


def quotas(user: User) -> dict[Usage.Kind, Quota]:
    """How much of each kind the account may use and has used in its current period, in one statement."""
    periods = {kind: period_of(kind) for kind in LIMITS}
    current = Q()
    for kind, period in periods.items():
        current |= Q(kind=kind, period=period)
    used_by_kind = dict(Usage.objects.filter(current, user=user).values_list("kind", "used"))
    return {
        kind: Quota(limit=limit_of(user, kind), used=used_by_kind.get(kind, 0), resets_at=resets_at(kind, period))
        for kind, period in periods.items()
    }


def spend(user: User, kind: Usage.Kind, amount: int) -> date:
    """Take `amount` from the account's current period and return that period.

    Raises quota_exceeded (limit, used, resetsAt) and takes nothing when too little is left; conflict for an account
    that is deactivated by now, whatever the caller read before.
    """
    period = period_of(kind)
    limit = limit_of(user, kind)
    Usage.objects.get_or_create(user=user, kind=kind, period=period)
    active = User.objects.filter(pk=user.pk, is_active=True)
    row = Usage.objects.filter(Exists(active), user=user, kind=kind, period=period, used__lte=limit - amount)
    if not row.update(used=F("used") + amount):
        if not active.exists():
            raise ServiceError(ErrorCode.CONFLICT, DEACTIVATED)
        raise quota_exceeded(str(kind.label).lower(), limit, used(user, kind), resets_at(kind, period))
    return period


def give_back(user: User | int, kind: Usage.Kind, period: date, amount: int) -> None:
    """Return `amount` to the period it was taken from. The account may be given by its id."""
    if amount:
        Usage.objects.filter(user=user, kind=kind, period=period).update(used=Greatest(F("used") - amount, Value(0)))


def quota_exceeded(what: str, limit: int, used_now: int, resets: datetime | None = None) -> ServiceError:
    """The one refusal for every quota: says what is used up, its limit, and when it starts anew (null: never)."""
    when = f" It starts again at {rfc3339(resets)}." if resets else " Remove some, or ask the operator for more."
    return ServiceError(
        ErrorCode.QUOTA_EXCEEDED,
        f"The account of the brand's owner allows {limit} {what}; {used_now} are in use.{when}",
        limit=limit,
        used=used_now,
        resetsAt=rfc3339(resets) if resets else None,
    )
