"""Two workers, and one that is killed at any statement: each letter is written, and once."""

import os
import signal
import subprocess
import sys
from itertools import count

import pytest

from apikeys.models import Mail, MailPreference
from brands.models import Brand
from tests.factories import CollaboratorFactory
from tests.letters.conftest import DAYS, MONDAY, NEXT_MONDAY, subscribed
from tests.live import ROOT, own_database
from tests.scores.conftest import answers, imported
from tests.threads import at_once
from visibility.letters.delivery import write_due_letters

READERS = 2


@pytest.fixture(scope="module")
def database(django_db_setup, django_db_blocker):
    """A brand with an owner and a viewer who want its letter, for several processes."""
    with django_db_blocker.unblock(), own_database() as url:
        brand = imported(answers(DAYS))
        CollaboratorFactory(brand=brand, role="viewer")
        yield url


@pytest.fixture
def due(database, letterbox, django_db_blocker):
    """Both letters are due, and none is written."""
    with django_db_blocker.unblock():
        make_due()
        yield database


def make_due():
    Mail.objects.all().delete()
    brand = Brand.objects.get()
    for person in (brand.owner, brand.collaborators.get().user):
        subscribed(person, brand)


def killed_at(database, statement, moment, port):
    """How a worker ended that is killed there: -9, or 0 where it has no such statement."""
    command = [sys.executable, "-m", "tests.letters.killed_writer", statement, moment]
    own = {"DATABASE_URL": database, "EMAIL_URL": f"smtp://127.0.0.1:{port}"}
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, timeout=120, check=False).returncode


def check_all_are_written():
    write_due_letters(MONDAY)
    assert sorted(Mail.objects.values_list("person", flat=True)) == sorted(
        MailPreference.objects.values_list("person", flat=True)
    )
    assert Mail.objects.count() == READERS
    assert all(mail.images.count() == 1 for mail in Mail.objects.all())
    assert set(MailPreference.objects.values_list("next_letter_at", flat=True)) == {NEXT_MONDAY}


def test_two_workers_write_each_letter_once(due):
    at_once([lambda: write_due_letters(MONDAY)] * 2)
    check_all_are_written()


@pytest.mark.parametrize(
    ("statement", "moment"),
    [
        ('INSERT INTO "apikeys_mail"', "before"),
        ('INSERT INTO "apikeys_mail"', "after"),
        ('INSERT INTO "apikeys_mailimage"', "after"),
        ('UPDATE "apikeys_mailpreference"', "before"),
        ('UPDATE "apikeys_mailpreference"', "after"),
    ],
)
def test_a_killed_worker_writes_each_letter_once(due, settings, statement, moment):
    assert killed_at(due, statement, moment, settings.EMAIL_PORT) == -signal.SIGKILL
    check_all_are_written()


@pytest.mark.proof
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_worker_killed_at_any_statement_writes_each_letter_once(due, settings, moment):
    for number in count(1):
        ended = killed_at(due, str(number), moment, settings.EMAIL_PORT)
        check_all_are_written()
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
        make_due()
    assert number > READERS
