"""What doctor finds, check by check, and what it says of a service that is well."""

import json
import re
from datetime import timedelta
from io import StringIO

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.accounts.usage import period_of
from apikeys.mail.sending import LOST_GROUND
from apikeys.models import Counter, Mail, Usage
from apikeys.notes import BACKUP
from brands.later import defer_for_run
from config.doctor import service
from config.doctor.checks import State
from config.doctor.examination import CHECKS, Line, examine
from tests.factories import EngineFactory, RunFactory
from tests.live import ROOT
from tests.mail.server import running_server, use_server
from tests.runs.conftest import SYSTEM, make_brand, make_engine
from visibility.models import Answer, ProviderCall, Run
from visibility.runs.services import start_scan

MONTH = period_of(Usage.Kind.CREDITS)
NOW = timezone.now


def lines_of(name: str) -> list[Line]:
    return list(examine([each for each in CHECKS if each.name == name]))


def states_of(name: str) -> set[State]:
    return {line.state for line in lines_of(name)}


def doctor(*arguments: str) -> str:
    out = StringIO()
    call_command("doctor", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def scanned(db, monkeypatch):
    """A run with one answer that was asked and billed, and its credits settled."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test")
    brand = make_brand(prompts=1, samples=1)
    make_engine("asked", "m", "http://127.0.0.1:1")
    run = start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.WEB).run
    run.answers.update(state=Answer.State.ANSWERED)
    answer = run.answers.get()
    ProviderCall.objects.create(
        engine="asked", run=run.pk, answer=answer.pk, outcome="answered", settled_at=NOW(), cost=0
    )
    Run.objects.filter(pk=run.pk).update(
        status=Run.Status.SUCCEEDED, done=1, credits_spent=1, settled_at=NOW(), finished_at=NOW()
    )
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("name", ["credits", "ledger", "runs", "bills", "figures"])
def test_invariants_hold_after_a_scan(scanned, name):
    assert states_of(name) == {State.OK}


def test_credits_that_are_lost_or_given_twice_are_found(scanned):
    Usage.objects.update(used=0)
    [line] = lines_of("credits")
    assert line.state == State.WRONG and "0 credits" in line.words and "its runs 1" in line.words


def test_credits_of_a_deleted_brand_are_a_warning(scanned):
    scanned.brand.delete()
    assert states_of("credits") == {State.WARNING}


def test_reserved_credits_count(scanned):
    Run.objects.update(settled_at=None, credits_spent=0)
    assert states_of("credits") == {State.OK}


def test_a_run_that_counts_other_answers_is_found(scanned):
    Run.objects.update(total=2)
    assert str(scanned.pk) in lines_of("ledger")[0].words


def test_a_call_that_is_answered_and_not_settled_is_found(scanned):
    ProviderCall.objects.update(settled_at=None)
    assert states_of("ledger") == {State.WRONG}


def test_an_answer_without_its_bill_is_found(scanned):
    ProviderCall.objects.update(outcome="unknown")
    assert states_of("bills") == {State.WRONG}


@pytest.mark.parametrize("fields", [{"age": timedelta(minutes=10)}, {"age": timedelta(days=2)}])
@pytest.mark.django_db
def test_a_run_without_a_job_is_found(fields):
    RunFactory(status=Run.Status.RUNNING, finished_at=None, created_at=NOW() - fields["age"])
    assert states_of("runs") == {State.WRONG}


@pytest.mark.django_db
def test_a_run_that_has_a_job_is_not_stuck():
    run = RunFactory(status=Run.Status.RUNNING, finished_at=None, created_at=NOW() - timedelta(hours=1))
    defer_for_run("ask", run.pk)
    assert states_of("runs") == {State.OK}


@pytest.mark.django_db
def test_a_run_that_keeps_its_credits_is_found():
    at = NOW() - timedelta(hours=1)
    RunFactory(status=Run.Status.CANCELLED, finished_at=at, settled_at=None, credits_reserved=5)
    assert states_of("runs") == {State.WRONG}


@pytest.mark.django_db
def test_a_call_that_never_ended_is_found():
    ProviderCall.objects.create(engine="asked", created_at=NOW() - timedelta(hours=1))
    assert states_of("runs") == {State.WRONG}


@pytest.mark.django_db
def test_no_worker_is_wrong():
    assert lines_of("queue")[0].state == State.WRONG


@pytest.fixture
def mail_server(db, settings):
    with running_server() as (_, port):
        use_server(settings, port)
        yield


@pytest.mark.parametrize(("is_public", "state"), [(True, State.WARNING), (False, State.OK)])
def test_a_public_service_without_mail_is_a_warning(settings, is_public, state, db):
    settings.HAS_MAIL, settings.IS_PUBLIC = False, is_public
    assert lines_of("mail")[0].state == state


def test_a_server_of_mail_that_answers_is_well(mail_server):
    assert states_of("mail") == {State.OK}


def test_a_server_of_mail_that_is_away_is_wrong(db, settings):
    use_server(settings, 1)
    line = lines_of("mail")[0]
    assert line.state == State.WRONG and "127.0.0.1:1 refused (" in line.words


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"created_at": NOW() - timedelta(hours=1)}, "1 mails wait, the oldest since"),
        ({"given_up_at": NOW(), "next_try_at": None, "problem": "550 no"}, "1 mails were given up within a day"),
        ({"given_up_at": NOW(), "next_try_at": None, "problem": f"{LOST_GROUND}it is over"}, None),
        ({"created_at": NOW()}, None),
    ],
)
def test_mails_that_do_not_leave_are_a_warning(mail_server, fields, words):
    Mail.objects.create(once="a", **fields)
    warnings = [line.words for line in lines_of("mail") if line.state == State.WARNING]
    assert len(warnings) == (words is not None) and all(words in each for each in warnings)


@pytest.mark.django_db
def test_a_clock_that_is_off_is_found(monkeypatch):
    monkeypatch.setattr(service, "CLOCK_SECONDS", -1)
    assert states_of("clock") == {State.WRONG}


@pytest.mark.parametrize(("hours", "state"), [(None, State.WARNING), (2, State.OK), (30, State.WARNING)])
@pytest.mark.django_db
def test_a_backup_is_of_last_night(hours, state):
    if hours is not None:
        at = NOW() - timedelta(hours=hours)
        Counter.objects.create(key=BACKUP, value=at.timestamp(), expires_at=NOW() + timedelta(days=1))
    assert states_of("backups") == {state}


@pytest.mark.django_db
def test_an_engine_without_its_key_is_named(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    EngineFactory(name="asked", preset="openai", is_enabled=True)
    assert "asked: OPENAI_API_KEY is not set" in [line.words for line in lines_of("engines")]


@pytest.mark.django_db
def test_a_full_disk_is_found(monkeypatch):
    monkeypatch.setattr(service, "LEAST_FREE", 10**18)
    monkeypatch.setattr(service, "LEAST_FREE_PART", 1.0)
    assert State.WARNING in states_of("disk")


@pytest.mark.django_db
def test_tables_of_an_older_release_are_found(monkeypatch):
    monkeypatch.setattr(service, "migrations_state", lambda: "2 are not applied")
    assert states_of("tables") == {State.WRONG}


def test_an_unsafe_public_service_is_found(settings):
    settings.IS_PUBLIC, settings.ALLOWED_HOSTS = True, ["*"]
    assert State.WRONG in states_of("settings")


def test_an_address_that_does_not_answer_is_a_warning(settings):
    settings.PUBLIC_URL = "http://127.0.0.1:1"
    assert states_of("address") == {State.WARNING}


@pytest.mark.parametrize(
    ("issuer", "states"),
    [("https://here.example", {State.OK}), ("http://here.example", {State.OK, State.WRONG})],
)
def test_another_issuer_than_the_public_address_is_found(settings, monkeypatch, issuer, states):
    settings.APPS_SIGN_IN, settings.PUBLIC_URL = True, "https://here.example"
    monkeypatch.setattr(service, "_get", lambda address: (200, b'{"issuer":"%s"}' % issuer.encode()))
    assert states_of("address") == states


@pytest.mark.django_db
def test_a_refused_connection_says_postgresqls_own_reason(monkeypatch):
    def refuse(**parameters):
        raise psycopg.OperationalError("FATAL: sorry, too many clients already")

    monkeypatch.setattr(service.psycopg, "connect", refuse)
    lines = list(examine([each for each in CHECKS if each.name in ("database", "queue")]))
    assert [line.check for line in lines] == ["database", "database"]
    assert "too many clients" in lines[0].words


@pytest.mark.django_db
def test_the_exit_code_is_1_where_something_is_wrong_and_each_line_is_json():
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json", "--only", "queue", stdout=out)
    assert ended.value.code == 1
    assert json.loads(out.getvalue().splitlines()[0])["state"] == "wrong"


@pytest.mark.django_db
def test_a_service_that_is_well_says_so():
    assert doctor("--only", "database", "--only", "credits").endswith("All is well.\n")


@pytest.mark.parametrize(
    "name", [each.name for each in CHECKS if each.name not in ("disk", "settings", "database", "address")]
)
def test_a_check_only_reads(scanned, name):
    with CaptureQueriesContext(connection) as asked:
        lines_of(name)
    assert asked.captured_queries
    assert not [each["sql"] for each in asked if not each["sql"].lstrip().startswith("SELECT")]


@pytest.mark.parametrize("each", CHECKS, ids=[each.name for each in CHECKS])
def test_the_docs_have_every_check(each):
    assert f"| `{each.name}` | {each.looks_at} |" in (ROOT / "docs" / "operators.md").read_text()


def test_the_docs_have_no_other_check():
    section = (ROOT / "docs" / "operators.md").read_text().split("## Is it well?")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [each.name for each in CHECKS]
