"""Who wants which mailing, such as `letter` of a brand, and the address that ends one by a click (RFC 8058)."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from apikeys.models import MailChoice, User

_SALT = "unsubscribe"


def wants(person: User, mailing: str, *, default: bool) -> bool:
    """Whether the person wants this mailing; `default` where nothing was chosen."""
    chosen = MailChoice.objects.filter(person=person, mailing=mailing).values_list("is_wanted", flat=True).first()
    return default if chosen is None else chosen


def choose(person: User, mailing: str, *, is_wanted: bool) -> None:
    """Subscribe a person to a mailing, or end it; what waits of an ended one is not sent."""
    MailChoice.objects.update_or_create(person=person, mailing=mailing, defaults={"is_wanted": is_wanted})


def unsubscribe_address(person: User, mailing: str) -> str:
    """The page that ends the mailing of this person, without signing in. It works for as long as SECRET_KEY does."""
    token = signing.dumps([person.pk, mailing], salt=_SALT)
    return settings.PUBLIC_URL + reverse("unsubscribe", args=[token])


def subscription_of(token: str) -> tuple[User, str] | None:
    """The person and the mailing in such an address; None for what is none of ours, or of a person who is gone."""
    try:
        key, mailing = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    person = User.objects.filter(pk=key).first()
    return (person, mailing) if person else None
