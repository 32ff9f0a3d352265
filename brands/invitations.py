"""The link of an invitation: who opens it needs no account yet. It works until the invitation is answered."""

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext

from apikeys.errors import not_found
from apikeys.mail.post import has_mail, post
from apikeys.mail.words import Button, notice
from brands.models import Invitation

_SALT = "invitation"
MAILED, HANDED = "mailed", "handed"
"""How a link reached its person: only a mailed one proves the address."""


def link_to_hand_on(offer: Invitation) -> str:
    """The link for the inviter, where this service sends no mail; else empty."""
    return "" if has_mail() else _link(offer, HANDED)


def mail_invitation(offer: Invitation) -> None:
    """Mail the link to the address, whether it has an account or not; nothing where there is no mail."""
    who, name = offer.invited_by.email, offer.brand.name
    lines = [
        gettext("{who} invites you to work on {name}: how often AI answers mention it, why, and what to do.").format(
            who=who, name=name
        ),
        gettext("The link works for 14 days. If you do not know {who}, do nothing.").format(who=who),
    ]
    button = Button(gettext("Look at the invitation"), _link(offer, MAILED))
    words = notice(gettext("{who} invites you to {name}").format(who=who, name=name), lines, button)
    post(words, to=offer.email, kind="invitation", once=f"invitation:{offer.pk}", has_secret=True)


def invitation_of(token: str) -> tuple[Invitation, bool]:
    """The invitation of a link, and whether the link was mailed to its address. Raises not_found for one that was
    answered or withdrawn, has expired, or is of a deactivated account."""
    try:
        key, way = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise not_found() from None
    offer = Invitation.objects.waiting().working().filter(pk=key).select_related("brand__owner", "invited_by").first()
    if offer is None:
        raise not_found()
    return offer, way == MAILED


def _link(offer: Invitation, way: str) -> str:
    token = signing.dumps([str(offer.pk), way], salt=_SALT)
    return str(settings.PUBLIC_URL) + reverse("invitation", args=[token])
