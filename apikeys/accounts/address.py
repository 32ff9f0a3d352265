"""Another email address for an account: its person asks, and both the old and the new address confirm it."""

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from apikeys.accounts.people import clean_email, lock_accounts, require_active
from apikeys.accounts.throttle import take
from apikeys.errors import conflict_if_taken, invalid, not_found
from apikeys.mail.post import post
from apikeys.mail.words import Button, Words, notice
from apikeys.models import AddressChange, User

LASTS = timedelta(days=1)
ASKED_PER_DAY = 5
_SALT = "address"


@transaction.atomic
def ask_for_address(user: User, *, email: str) -> None:
    """Mail a link to the old address and to the new one. Whether the new one has an account is not told: its person
    gets another mail.

    Raises invalid_arguments for what is no address or the same one, rate_limited after 5 in a day.
    """
    email = clean_email("email", email)
    if User.objects.key_of(email) == User.objects.key_of(user.email):
        raise invalid("email", gettext("This is your address already."))
    take("addresses of", str(user.pk), limit=ASKED_PER_DAY, seconds=24 * 3600)
    AddressChange.objects.filter(user=user).delete()
    change = AddressChange.objects.create(user=user, email=email)
    is_taken = User.objects.with_email(email) is not None
    to_new = _taken_words(email) if is_taken else _confirm_words(change, "new", gettext("Is this your address?"))
    to_old = _confirm_words(change, "old", gettext("Another address for your account?"))
    for side, to, words in (("old", user.email, to_old), ("new", email, to_new)):
        post(words, to=to, person=user, kind="address", once=f"address:{side}:{change.pk}", has_secret=True)


def change_of(token: str) -> tuple[AddressChange, str]:
    """The change and the side (`old` or `new`) of such a link; raises not_found for one that works no more."""
    try:
        key, side = signing.loads(token, salt=_SALT, max_age=LASTS)
    except signing.BadSignature:
        raise not_found() from None
    change = AddressChange.objects.select_related("user").filter(pk=key).first()
    if change is None or side not in ("old", "new") or not change.user.is_active:
        raise not_found()
    return change, str(side)


@transaction.atomic
def confirm_change(token: str) -> bool:
    """Confirm by one side; whether both have now, and the address is changed.

    Raises not_found for a link that works no more, conflict where the address got an account meanwhile.
    """
    change, side = change_of(token)
    [user] = lock_accounts(change.user)
    require_active(user)
    locked = AddressChange.objects.select_for_update().filter(pk=change.pk).first()
    if locked is None:
        raise not_found()
    setattr(locked, f"confirmed_by_{side}_at", timezone.now())
    if not (locked.confirmed_by_old_at and locked.confirmed_by_new_at):
        locked.save()
        return False
    old, user.email, user.has_confirmed_address = user.email, locked.email, True
    with conflict_if_taken(gettext("This address has an account meanwhile.")):
        user.save(update_fields=["email", "has_confirmed_address"])
    locked.delete()
    words = notice(
        gettext("Your address is changed"),
        [gettext("You sign in with {new} from now on, no more with {old}.").format(new=user.email, old=old)],
    )
    for to in (old, user.email):
        post(words, to=to, person=user, kind="address", once=f"address:done:{change.pk}:{to}"[:200])
    return True


def _confirm_words(change: AddressChange, side: str, subject: str) -> Words:
    token = signing.dumps([str(change.pk), side], salt=_SALT)
    link = settings.PUBLIC_URL + reverse("confirm-address", args=[token])
    lines = [
        gettext("The account {old} is to have the address {new}. It changes once both addresses confirm it.").format(
            old=change.user.email, new=change.email
        ),
        gettext("The link works for a day. If it was not you, do nothing, and choose a new password."),
    ]
    return notice(subject, lines, Button(gettext("Confirm"), link))


def _taken_words(email: str) -> Words:
    lines = [
        gettext("Somebody wanted {email} for another account. You have one: sign in with it.").format(email=email)
    ]
    return notice(gettext("You have an account already"), lines, Button(gettext("Sign in"), settings.PUBLIC_URL))
