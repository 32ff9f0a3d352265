"""Writes a mail: a row, in the transaction of its cause. The worker sends it."""

import logging
from collections.abc import Mapping
from functools import cache
from uuid import UUID

from django.conf import settings
from django.db import transaction

from apikeys.mail.choices import wants
from apikeys.mail.words import Words
from apikeys.models import Mail, MailImage, User

logger = logging.getLogger(__name__)


def has_mail() -> bool:
    """Whether mail leaves this service. Where it does not, whoever acts is shown the link to hand on."""
    if not settings.HAS_MAIL:
        _say_that_there_is_none()
    return bool(settings.HAS_MAIL)


@transaction.atomic
def post(
    words: Words,
    *,
    to: str,
    kind: str,
    once: str,
    person: User | None = None,
    mailing: str = "",
    brand: UUID | None = None,
    images: Mapping[str, bytes] | None = None,
    has_secret: bool = False,
) -> bool:
    """Write a mail and return whether it is a new one.

    It is none where mail is not set up, where one with the same `once` (at most 200 characters) was written before,
    or where the `person` ended this `mailing`. The person must still see the `brand` when the mail is sent. `images`
    are PNGs by the names that the HTML shows (`cid:NAME`). The words of one with a secret are deleted when it is
    sent, those of all others after 30 days.
    """
    if not has_mail() or (mailing and person and not wants(person, mailing, default=True)):
        return False
    content = {"subject": words.subject, "text": words.text, "html": words.html, "has_secret": has_secret}
    envelope = {"address": to, "kind": kind, "person": person, "mailing": mailing, "brand": brand}
    mail, is_new = Mail.objects.get_or_create(once=once, defaults={**envelope, **content})
    if is_new:
        MailImage.objects.bulk_create(
            MailImage(mail=mail, name=name, content=content) for name, content in (images or {}).items()
        )
    return is_new


@cache
def _say_that_there_is_none() -> None:
    logger.warning("EMAIL_URL is not set: no mail is sent, and links are shown to those who act.")
