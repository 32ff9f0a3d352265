"""Whether mail leaves the service at all, and mails that are sent once what they tell of is stored."""

from functools import partial

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

log = structlog.get_logger(__name__)

_STAYING = ("console", "dummy", "filebased")


def mail_leaves() -> bool:
    """Whether a mail server is set (EMAIL_URL): without one mails are printed or kept, and reach nobody."""
    return not settings.EMAIL_BACKEND.startswith(tuple(f"django.core.mail.backends.{name}." for name in _STAYING))


def send_after_commit(*, to: str, subject: str, text: str) -> None:
    """Send a mail once the transaction is committed; where the mail server is silent, the log tells."""
    transaction.on_commit(partial(_send, to, subject, text))


def _send(to: str, subject: str, text: str) -> None:
    try:
        send_mail(subject, text, None, [to])
    except OSError as error:  # those of smtplib are of this family, too
        log.warning("a mail was not sent", subject=subject, reason=repr(error))
