"""A server of mail on a free port: takes mails in, or answers as it was asked to."""

import email
from collections.abc import Iterator
from contextlib import contextmanager
from email import policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller

from apikeys.mail import sending
from tests.live import free_port
from visibility.letters.rights import may_read

ACCEPTED = "250 accepted"


class Letterbox:
    """What came in. `answers`: replies to the next mails, by where they are given (RCPT or DATA), then accepted."""

    def __init__(self):
        self.mails: list[EmailMessage] = []
        self.answers: dict[str, list[str]] = {"RCPT": [], "DATA": []}

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.answers["RCPT"]:
            return self.answers["RCPT"].pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.answers["DATA"]:
            return self.answers["DATA"].pop(0)
        self.mails.append(email.message_from_bytes(envelope.original_content, policy=policy.default))
        return ACCEPTED


@contextmanager
def running_server() -> Iterator[tuple[Letterbox, int]]:
    """The server in a thread, with its port."""
    box, port = Letterbox(), free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port, ready_timeout=30)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()


def use_server(settings, port):
    """Have the service send to this server."""
    settings.HAS_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port


def send_waiting():
    """Send what waits, as the worker does."""
    sending.send_waiting(may_read)
