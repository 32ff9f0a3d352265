"""Two workers, and one that is killed at any statement: each letter and each alert is written, and sent, once."""

import signal
from functools import partial

import pytest

from apikeys.models import Mail, MailPreference
from brands.models import Brand
from tests.factories import ChangeRecordFactory, CollaboratorFactory
from tests.letters.conftest import DAYS, MONDAY, NEXT_MONDAY, subscribed
from tests.mail.test_killed import came_once, send_the_rest
from tests.mail.workers import kill_at_each_statement
from tests.scores.conftest import answers, imported
from tests.threads import at_once
from visibility.letters.alerts import write_alerts
from visibility.letters.delivery import write_due_letters

WRITE = {"letters": write_due_letters, "alerts": write_alerts}


@pytest.fixture(scope="module")
def world(kill):
    """A brand with a change of its score, whose owner and viewer want its letter and alerts."""
    brand = imported(answers(DAYS))
    ChangeRecordFactory(brand=brand, known_on=MONDAY.date())
    CollaboratorFactory(brand=brand, role="viewer")


@pytest.fixture(autouse=True)
def due(world, letterbox):
    """Letters and alerts are due, and none is written."""
    begin()


def begin():
    Mail.objects.all().delete()
    brand = Brand.objects.get()
    for person in (brand.owner, brand.collaborators.get().user):
        subscribed(person, brand)


def begin_with(kind):
    """One mail of a kind waits."""
    begin()
    WRITE[kind](MONDAY)
    Mail.objects.exclude(pk=Mail.objects.first().pk).delete()


def check_all_are_written(kind, *killed):
    """Another worker goes on."""
    WRITE[kind](MONDAY)
    people = MailPreference.objects.values_list("person", flat=True)
    assert sorted(Mail.objects.values_list("person", flat=True)) == sorted(people)
    if kind == "letters":
        assert all(mail.images.count() == 1 for mail in Mail.objects.all())
        assert set(MailPreference.objects.values_list("next_letter_at", flat=True)) == {NEXT_MONDAY}


@pytest.mark.parametrize("kind", WRITE)
def test_two_workers_write_each_once(kind):
    at_once([partial(WRITE[kind], MONDAY)] * 2)
    check_all_are_written(kind)


@pytest.mark.parametrize(
    ("kind", "statement", "moment"),
    [
        ("letters", 'INSERT INTO "apikeys_mail"', "before"),
        ("letters", 'INSERT INTO "apikeys_mail"', "after"),
        ("letters", 'INSERT INTO "apikeys_mailimage"', "after"),
        ("letters", 'UPDATE "apikeys_mailpreference"', "before"),
        ("letters", 'UPDATE "apikeys_mailpreference"', "after"),
        ("alerts", 'INSERT INTO "apikeys_mail"', "after"),
    ],
)
def test_a_killed_worker_writes_each_once(kill, kind, statement, moment):
    assert kill(kind, statement, moment) == -signal.SIGKILL
    check_all_are_written(kind)


@pytest.mark.proof
@pytest.mark.parametrize("kind", WRITE)
def test_a_worker_killed_at_any_statement_writes_each_once(kill, kind):
    number = kill_at_each_statement(kill, kind, begin, partial(check_all_are_written, kind))
    print(f"writing two {kind}: {number} statements")


@pytest.mark.proof
@pytest.mark.parametrize("kind", WRITE)
def test_a_worker_killed_at_any_statement_sends_each_once(kill, letterbox, kind):
    """But for the moment between the server's 250 and the mark: then again, as the same message."""
    twice = []

    def check(statement, moment):
        send_the_rest()
        if not came_once(letterbox):
            twice.append((statement, moment))

    number = kill_at_each_statement(kill, "send", partial(begin_with, kind), check)
    print(f"sending one of {kind}: {number} statements, again as the same message at {twice}")
    assert [moment for _, moment in twice] == ["before"]
