"""Two workers, and one that is killed at any statement: each mail arrives, and once."""

import signal

import pytest
from django.utils import timezone

from apikeys.models import Mail
from tests.factories import UserFactory
from tests.mail.server import send_waiting
from tests.mail.test_mail import PNG, write
from tests.mail.workers import kill_at_each_statement
from tests.threads import at_once

CLAIM, MARK = 'SET "tries"', 'SET "sent_at"'


def begin():
    """A mail waits that nobody has to get."""
    Mail.objects.all().delete()
    person = UserFactory()
    write(to=person.email, person=person, mailing="letter:acme", images={"chart": PNG})


def send_the_rest():
    """Another worker goes on when the claim has expired."""
    Mail.objects.exclude(next_try_at=None).update(next_try_at=timezone.now())
    send_waiting()
    assert {mail.state for mail in Mail.objects.all()} == {"sent"}


def came_once(letterbox):
    """Whether the mail came once; else it came twice as the same message. The letterbox is empty afterwards."""
    mails = [mail["Message-ID"] + mail["Date"] for mail in letterbox.mails]
    letterbox.mails.clear()
    assert len(set(mails)) == 1 and len(mails) <= 2
    return len(mails) == 1


def test_two_workers_send_each_mail_once(kill, letterbox):
    for number in range(20):
        write(to=f"person{number}@example.com", once=str(number))
    at_once([send_waiting] * 2)
    assert sorted(mail["To"] for mail in letterbox.mails) == sorted(f"person{n}@example.com" for n in range(20))
    assert not Mail.objects.exclude(next_try_at=None).exists()


@pytest.mark.parametrize(
    ("statement", "moment", "is_once"),
    [(CLAIM, "after", True), (MARK, "before", False), (MARK, "after", True)],
)
def test_a_killed_worker_sends_each_mail_once(kill, letterbox, statement, moment, is_once):
    """But for the moment between the server's 250 and the mark: then again, as the same message."""
    begin()
    assert kill("send", statement, moment) == -signal.SIGKILL
    send_the_rest()
    assert came_once(letterbox) is is_once


@pytest.mark.proof
def test_a_worker_killed_at_any_statement_sends_each_mail_once(kill, letterbox):
    twice = []

    def check(statement, moment):
        send_the_rest()
        if not came_once(letterbox):
            twice.append((statement, moment))

    number = kill_at_each_statement(kill, "send", begin, check)
    print(f"sending a mail: {number} statements, again as the same message at {twice}")
    assert [moment for _, moment in twice] == ["before"]
