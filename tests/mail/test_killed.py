"""Two workers, and one that is killed at any statement: each mail arrives, and once."""

import os
import signal
import subprocess
import sys

import pytest
from django.utils import timezone

from apikeys.mail.sending import send_waiting
from apikeys.models import Mail
from tests.factories import UserFactory
from tests.live import ROOT, own_database
from tests.mail.test_mail import PNG, write
from tests.threads import at_once

STATEMENTS = ("claim: read", "claim: write", "person", "choice", "images", "mark", "next claim")
MARK = STATEMENTS.index("mark") + 1
MOMENTS = [(number, moment) for number in range(1, len(STATEMENTS) + 1) for moment in ("before", "after")]
SAMPLE = {(2, "after"), (MARK, "before")}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_two_workers_send_each_mail_once(letterbox):
    for number in range(20):
        write(to=f"person{number}@example.com", once=str(number))
    at_once([send_waiting] * 2)
    assert sorted(mail["To"] for mail in letterbox.mails) == sorted(f"person{n}@example.com" for n in range(20))
    assert not Mail.objects.exclude(next_try_at=None).exists()


@pytest.mark.parametrize(
    ("number", "moment"),
    [pytest.param(*at, marks=() if at in SAMPLE else pytest.mark.proof) for at in MOMENTS],
)
def test_a_killed_worker_sends_each_mail_once(letterbox, settings, django_db_blocker, number, moment):
    """But for the moment between the server's 250 and the mark: then again, as the same message."""
    with django_db_blocker.unblock(), own_database() as database:
        write(person=UserFactory(), mailing="letter:acme", images={"chart": PNG})
        own = {"DATABASE_URL": database, "EMAIL_URL": f"smtp://127.0.0.1:{settings.EMAIL_PORT}"}
        command = [sys.executable, "-m", "tests.mail.killed_sender", str(number), moment]
        ended = subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, timeout=60, check=False)
        assert ended.returncode == -signal.SIGKILL
        Mail.objects.exclude(next_try_at=None).update(next_try_at=timezone.now())  # the claim expires
        send_waiting()
        assert Mail.objects.get().state == "sent"
    assert len(letterbox.mails) == (2 if (number, moment) == (MARK, "before") else 1)
    assert len({mail["Message-ID"] + mail["Date"] for mail in letterbox.mails}) == 1
