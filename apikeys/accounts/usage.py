"""What an account may still spend. One conditional UPDATE enforces the limit against any number of callers."""

from datetime import UTC, date, datetime, timedelta

from django.db.models import Exists, F, Q, Value
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from apikeys.errors import conflict, quota_exceeded
from apikeys.models import Usage, User
from apikeys.resources import Quota

DEACTIVATED = gettext_noop(
    "The account that would pay for this is deactivated, so nothing is done on its behalf. Ask the operator of the "
    "service to reactivate it, or to give the brand to another account."
)
LIMITS = {
    Usage.Kind.CREDITS: "credits_per_month",
    Usage.Kind.DRAFTS: "drafts_per_month",
    Usage.Kind.WRITER_CALLS: "writer_calls_per_day",
}
NOUNS = {
    Usage.Kind.CREDITS: gettext_noop("credits"),
    Usage.Kind.DRAFTS: gettext_noop("drafts"),
    Usage.Kind.WRITER_CALLS: gettext_noop("writer calls"),
}
DAILY = {Usage.Kind.WRITER_CALLS}


def period_of(kind: Usage.Kind, moment: datetime | None = None) -> date:
    """The first day of the UTC calendar month (for writer calls the day itself) that a moment lies in."""
    day = (moment or timezone.now()).astimezone(UTC).date()
    return day if kind in DAILY else day.replace(day=1)


def resets_at(kind: Usage.Kind, period: date) -> datetime:
    """When the period after `period` begins."""
    following = period + timedelta(days=1) if kind in DAILY else (period + timedelta(days=32)).replace(day=1)
    return datetime(following.year, following.month, following.day, tzinfo=UTC)


def limit_of(user: User, kind: Usage.Kind) -> int:
    """How much of `kind` the account may use in one period."""
    return user.limit(LIMITS[kind])


def quotas(user: User) -> dict[Usage.Kind, Quota]:
    """How much of each kind the account may use and has used in its current period."""
    periods = {kind: period_of(kind) for kind in LIMITS}
    current = Q()
    for kind, period in periods.items():
        current |= Q(kind=kind, period=period)
    used = dict(user.usage.filter(current).values_list("kind", "used"))
    return {
        kind: Quota(limit=limit_of(user, kind), used=used.get(kind, 0), resets_at=resets_at(kind, period))
        for kind, period in periods.items()
    }


def require_left(user: User, kind: Usage.Kind, amount: int) -> None:
    """Raise quota_exceeded before expensive work if `spend` would refuse it afterwards."""
    quota = quotas(user)[kind]
    if quota.used + amount > quota.limit:
        raise quota_exceeded(NOUNS[kind], quota.limit, quota.used, quota.resets_at)


def spend(user: User, kind: Usage.Kind, amount: int) -> date:
    """Take `amount` from the account's current period and return that period, to `give_back` to.

    Raises quota_exceeded (limit, used, resetsAt) and takes nothing when too little is left; conflict for an account
    that is deactivated by now, whatever the caller read before.
    """
    period, limit = period_of(kind), limit_of(user, kind)
    row, _ = Usage.objects.get_or_create(user=user, kind=kind, period=period)
    active = User.objects.filter(pk=user.pk, is_active=True)
    affordable = Usage.objects.filter(Exists(active), pk=row.pk, used__lte=limit - amount)
    if not affordable.update(used=F("used") + amount):
        if not active.exists():
            raise conflict(gettext(DEACTIVATED))
        row.refresh_from_db(fields=["used"])
        raise quota_exceeded(NOUNS[kind], limit, row.used, resets_at(kind, period))
    return period


def give_back(user_id: int, kind: Usage.Kind, period: date, amount: int) -> None:
    """Return `amount` to the period it was taken from."""
    if amount:
        Usage.objects.filter(user=user_id, kind=kind, period=period).update(
            used=Greatest(F("used") - amount, Value(0))
        )
