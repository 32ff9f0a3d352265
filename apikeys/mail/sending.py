"""Sends the mails that wait. Each is claimed by one worker, sent outside of every transaction, then marked.

A worker that is killed sends no mail twice, with one exception: between the server's "250 accepted" and the commit of
the mark, which is the very next statement. Such a mail goes out again when the claim has expired, byte for byte under
the same Message-ID and Date, by which receivers drop a repeat.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from email.mime.image import MIMEImage
from email.utils import format_datetime, parseaddr
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import Min, QuerySet
from django.utils import timezone

from apikeys.mail.choices import unsubscribe_address, wants
from apikeys.models import Mail, MailImage, User

CLAIM = timedelta(minutes=10)
"""How long a mail is its worker's: longer than a server can take, with EMAIL_TIMEOUT for each of its words."""
LONGEST_WAIT = timedelta(hours=1)
GIVE_UP_AFTER = timedelta(days=3)
KEEP_WORDS = timedelta(days=30)
KEEP_ROWS = timedelta(days=400)
MOST_AT_ONCE = 50
"""Mails of one job, so that a worker that has to end never waits long."""
HUNG_UP = 421
LOST_GROUND = "Not sent: "
"""Begins the problem of a mail whose person must not get it any more."""
MayRead = Callable[[User, Mail], bool]
"""Whether a person may, at this moment, still read what a mail tells."""

logger = logging.getLogger(__name__)


def waiting(now: datetime) -> QuerySet[Mail]:
    """The mails that can be tried."""
    return Mail.objects.filter(next_try_at__lte=now).order_by("next_try_at")


def oldest_unsent() -> datetime | None:
    """When the oldest of all mails was written that are not sent and not given up; None: there is none."""
    at: datetime | None = Mail.objects.filter(next_try_at__isnull=False).aggregate(at=Min("created_at"))["at"]
    return at


def send_waiting(may_read: MayRead) -> None:
    """Send up to MOST_AT_ONCE mails over one connection. After a failure of the server itself the rest waits.

    Mails that nobody has to get are closed instead where their person has lost the right to them since they were
    written.
    """
    connection = get_connection()
    try:
        for _ in range(MOST_AT_ONCE):
            mail = _claim()
            if mail is None or not _send(mail, connection, may_read):
                break
    finally:
        _close(connection)


def forget(now: datetime) -> list[QuerySet[Any]]:
    """Delete the words of mails that are old enough; return the rows that can go, too."""
    old = Mail.objects.filter(created_at__lt=now - KEEP_WORDS, next_try_at=None).exclude(text="", html="")
    old.update(text="", html="")
    return [
        MailImage.objects.filter(mail__created_at__lt=now - KEEP_WORDS, mail__next_try_at=None),
        Mail.objects.filter(created_at__lt=now - KEEP_ROWS, next_try_at=None),
    ]


@transaction.atomic
def _claim() -> Mail | None:
    """A mail for this worker alone, until the claim expires."""
    now = timezone.now()
    mail = waiting(now).select_for_update(skip_locked=True).first()
    if mail is not None:
        mail.tries, mail.next_try_at = mail.tries + 1, now + CLAIM
        mail.save(update_fields=["tries", "next_try_at"])
    return mail


def _send(mail: Mail, connection: Any, may_read: MayRead) -> bool:
    """Try a mail; returns whether the server can be asked for the next one."""
    if lost := _lost_ground(mail, may_read):
        _give_up(mail, LOST_GROUND + lost)
        return True
    message = _message_of(mail, connection)
    try:
        connection.open()
        connection.send_messages([message])
    except SMTPRecipientsRefused as refusal:
        [(code, words)] = refusal.recipients.values()
        return _note_refusal(mail, code, words)
    except SMTPDataError as refusal:
        return _note_refusal(mail, refusal.smtp_code, refusal.smtp_error)
    except SMTPResponseException as failure:  # of the sender or of signing in: no fault of this mail
        _wait(mail, f"{failure.smtp_code} {_text(failure.smtp_error)}")
        return False
    except (SMTPException, OSError) as failure:
        _wait(mail, f"{type(failure).__name__}: {failure}")
        return False
    except ValueError as error:  # an address or a header that cannot be written
        _give_up(mail, str(error))
    else:
        _mark_sent(mail)
    return True


def _lost_ground(mail: Mail, may_read: MayRead) -> str:
    """Why a mail that nobody has to get must not reach its address any more; empty where it may."""
    if not mail.mailing or mail.person is None:
        return ""
    person = User.objects.reached_by_mail().filter(pk=mail.person.pk, email=mail.address).first()
    if person is None:
        return "the account is deactivated, or the address is not proven or not its own any more."
    if not wants(person, mail.mailing, default=True):
        return "the person has unsubscribed meanwhile."
    return "" if may_read(person, mail) else "the person may not see any more what it tells."


def _message_of(mail: Mail, connection: Any) -> EmailMultiAlternatives:
    """The message, the same at each try."""
    sender = str(settings.DEFAULT_FROM_EMAIL)
    host = parseaddr(sender)[1].rpartition("@")[2] or "localhost"
    headers = {
        "Message-ID": f"<{mail.pk}@{host}>",
        "Date": format_datetime(mail.created_at),
        "Auto-Submitted": "auto-generated",
    }
    if mail.mailing and mail.person:
        headers["List-Unsubscribe"] = f"<{unsubscribe_address(mail.person, mail.mailing)}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message = EmailMultiAlternatives(
        mail.subject, mail.text, sender, [mail.address], headers=headers, connection=connection
    )
    message.mixed_subtype = "related"  # type: ignore[attr-defined]  # what is attached are images of the HTML
    message.attach_alternative(mail.html, "text/html")
    for image in mail.images.order_by("pk"):
        part = MIMEImage(bytes(image.content), "png")
        part["Content-ID"] = f"<{image.name}>"
        part.add_header("Content-Disposition", "inline", filename=f"{image.name}.png")
        message.attach(part)
    return message


def _mark_sent(mail: Mail) -> None:
    words = {"text": "", "html": ""} if mail.has_secret else {}
    Mail.objects.filter(pk=mail.pk).update(sent_at=timezone.now(), next_try_at=None, problem="", **words)


def _note_refusal(mail: Mail, code: int, words: bytes | str) -> bool:
    """A server that says 5xx means it; after 4xx the mail is tried again. After 421 it has hung up."""
    note = _give_up if code >= 500 else _wait
    note(mail, f"{code} {_text(words)}")
    return code != HUNG_UP


def _wait(mail: Mail, problem: str) -> None:
    """The next try: after a minute, then after twice as long each time, up to LONGEST_WAIT."""
    now = timezone.now()
    if now - mail.created_at > GIVE_UP_AFTER:
        _give_up(mail, problem)
        return
    wait = min(timedelta(minutes=2 ** min(mail.tries - 1, 10)), LONGEST_WAIT)
    Mail.objects.filter(pk=mail.pk).update(next_try_at=now + wait, problem=problem[:300])
    logger.warning("Mail %s (%s) could not be sent, try %d: %s", mail.pk, mail.kind, mail.tries, _safe(mail, problem))


def _give_up(mail: Mail, problem: str) -> None:
    words = {"text": "", "html": ""} if mail.has_secret else {}
    gone = {"given_up_at": timezone.now(), "next_try_at": None, "problem": problem[:300]}
    Mail.objects.filter(pk=mail.pk).update(**gone, **words)
    if not problem.startswith(LOST_GROUND):
        logger.error("Mail %s (%s) is given up: %s", mail.pk, mail.kind, _safe(mail, problem))


def _safe(mail: Mail, problem: str) -> str:
    """What goes to the log: no address of a person."""
    return " ".join(problem.replace(mail.address, "(address)").split())[:300]


def _text(words: bytes | str) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else words


def _close(connection: Any) -> None:
    """End the connection; a server that is gone already is no news."""
    try:
        connection.close()
    except (SMTPException, OSError):
        connection.connection = None
