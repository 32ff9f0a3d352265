"""Codes and tokens: exchanged once, renewed also in parallel, ended by whoever may end them."""

from base64 import b64encode
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apikeys.accounts.keys import revoke_key, rotate_key
from apikeys.accounts.operators import system_caller
from apikeys.connect.apps import register_app
from apikeys.connect.operators import enter_app
from apikeys.connect.tokens import expired
from apikeys.models import ApiKey, App, Connection, ConnectionSecret, User
from apikeys.scopes import READ_SCOPES, Scope
from tests.connect.conftest import CALLBACK, RESOURCE
from tests.factories import plan

SYSTEM = system_caller("command:test")


def error_of(answer):
    return answer.status_code, answer.json()["error"]


def age(kind, by, *, spent=True):
    """Make what is stored of this kind older."""
    for secret in ConnectionSecret.objects.filter(kind=kind):
        secret.spent_at = secret.spent_at and secret.spent_at - by
        if not spent:
            secret.expires_at -= by
        secret.save()


def has_ended():
    return Connection.objects.get().ended_at is not None


def test_a_code_is_exchanged_for_tokens(person):
    answer = person.exchanged(person.code(ticked=["read:sites"]))
    body = answer.json()
    assert body["token_type"] == "Bearer"
    assert (body["scope"], body["expires_in"]) == ("read:sites", 24 * 3600)
    assert body["access_token"] != body["refresh_token"]


def test_no_raw_form_is_stored(person):
    tokens = person.tokens()
    stored = " ".join(str(row) for row in ConnectionSecret.objects.values())
    assert not any(tokens[name] in stored for name in ("access_token", "refresh_token"))


@pytest.mark.parametrize(
    "changed",
    [
        {"code_verifier": "w" * 43},
        {"code_verifier": ""},
        {"code_verifier": None},
        {"redirect_uri": "https://app.example/other"},
        {"redirect_uri": None},
    ],
)
def test_a_code_needs_its_verifier_and_redirect(person, changed):
    assert error_of(person.exchanged(person.code(), **changed)) == (400, "invalid_grant")


@pytest.mark.parametrize("code", ["", "nonsense", "bvs_conn_" + "x" * 38])
def test_an_unknown_code_is_refused(person, code):
    assert error_of(person.exchanged(code)) == (400, "invalid_grant")


def test_a_code_is_of_one_app(person):
    other = register_app({"redirect_uris": [CALLBACK]})
    assert error_of(person.exchanged(person.code(), client_id=other.client_id)) == (400, "invalid_grant")


def test_a_code_lasts_a_minute(person):
    code = person.code()
    age("code", timedelta(seconds=61), spent=False)
    assert error_of(person.exchanged(code)) == (400, "invalid_grant")


def test_a_code_that_the_app_sends_again_at_once_is_refused_and_ends_nothing(person):
    code = person.code()
    person.exchanged(code)
    assert error_of(person.exchanged(code)) == (400, "invalid_grant")
    assert not has_ended()


def test_a_code_that_comes_again_later_ends_the_connection(person):
    code = person.code()
    person.exchanged(code)
    age("code", timedelta(seconds=31))
    assert error_of(person.exchanged(code)) == (400, "invalid_grant")
    assert has_ended()


def test_a_code_that_somebody_else_sends_again_ends_the_connection(person):
    code = person.code()
    person.exchanged(code)
    person.exchanged(code, code_verifier="w" * 43)
    assert has_ended()


@pytest.mark.parametrize("grant", ["password", "client_credentials", "", None])
def test_another_grant_is_refused(person, grant):
    assert error_of(person.post("/token", grant_type=grant)) == (400, "unsupported_grant_type")


@pytest.mark.parametrize("client_id", ["app_unknown", "", None, "https://claude.example/client.json", "x\0"])
def test_an_unknown_app_gets_nothing(person, client_id):
    assert error_of(person.exchanged(person.code(), client_id=client_id)) == (401, "invalid_client")


def test_tokens_are_made_for_the_agent_endpoint_alone(person):
    assert error_of(person.exchanged(person.code(), resource="https://other.example/mcp")) == (400, "invalid_target")
    assert person.exchanged(person.code(), resource=None).status_code == 200
    assert person.exchanged(person.code(), resource=f"{RESOURCE}?readonly=1").status_code == 200


def test_a_field_that_is_given_twice_is_refused(person):
    body = f"client_id={person.app.client_id}&grant_type=refresh_token&refresh_token=a&refresh_token=b"
    answer = Client().post("/token", body, content_type="application/x-www-form-urlencoded")
    assert error_of(answer) == (400, "invalid_request")


def test_a_long_body_is_refused(person):
    assert error_of(person.post("/token", grant_type="x" * 20_000)) == (400, "invalid_request")


def test_a_refresh_token_brings_new_tokens(person):
    first = person.tokens()
    second = person.renewed(first["refresh_token"]).json()
    assert not {first["access_token"], first["refresh_token"]} & {second["access_token"], second["refresh_token"]}


def test_an_access_token_renews_nothing(person):
    assert error_of(person.renewed(person.tokens()["access_token"])) == (400, "invalid_grant")


def test_a_spent_refresh_token_works_again_for_a_moment_and_ten_times(person):
    spent = person.tokens()["refresh_token"]
    statuses = [person.renewed(spent).status_code for _ in range(16)]
    assert statuses == [200] * 11 + [400] * 5
    assert not has_ended()


def test_a_spent_refresh_token_that_comes_later_ends_the_connection(person):
    spent = person.tokens()["refresh_token"]
    newer = person.renewed(spent).json()["refresh_token"]
    age("refresh", timedelta(seconds=31))
    assert error_of(person.renewed(spent)) == (400, "invalid_grant")
    assert error_of(person.renewed(newer)) == (400, "invalid_grant")
    assert has_ended()


def test_a_refresh_token_lasts_ninety_days(person):
    token = person.tokens()["refresh_token"]
    age("refresh", timedelta(days=90), spent=False)
    assert error_of(person.renewed(token)) == (400, "invalid_grant")


def test_tokens_end_with_their_key(person):
    ends = timezone.now() + timedelta(hours=1)
    ApiKey.objects.update(expires_at=ends)
    assert person.tokens()["expires_in"] <= 3600
    assert set(ConnectionSecret.objects.exclude(kind="code").values_list("expires_at", flat=True)) == {ends}


DEAD = {
    "key revoked": lambda person: revoke_key(SYSTEM, key=person.key, reason="lost"),
    "key expired": lambda person: ApiKey.objects.update(expires_at=timezone.now()),
    "key closed to apps": lambda person: ApiKey.objects.update(may_connect=False),
    "plan without API": lambda person: User.objects.update(plan=plan("free")),
    "owner deactivated": lambda person: User.objects.update(is_active=False),
    "connection ended": lambda person: Connection.objects.update(ended_at=timezone.now()),
}


@pytest.mark.parametrize("why", DEAD)
def test_what_does_not_work_any_more_is_not_renewed(person, why):
    token = person.tokens()["refresh_token"]
    DEAD[why](person)
    assert error_of(person.renewed(token)) == (400, "invalid_grant")


def test_a_blocked_app_renews_nothing(person):
    token = person.tokens()["refresh_token"]
    App.objects.update(blocked_at=timezone.now())
    assert error_of(person.renewed(token)) == (401, "invalid_client")


@pytest.mark.parametrize("name", ["access_token", "refresh_token"])
def test_an_app_ends_its_connection_by_either_token(person, name):
    tokens = person.tokens()
    answer = person.post("/revoke", token=tokens[name])
    assert (answer.status_code, answer.content) == (200, b"")
    assert has_ended()


@pytest.mark.parametrize("token", ["", "nonsense", "bvs_conn_" + "x" * 38, None])
def test_ending_what_is_unknown_is_answered_the_same(person, token):
    person.tokens()
    answer = person.post("/revoke", token=token)
    assert (answer.status_code, answer.content) == (200, b"")
    assert not has_ended()


def test_rotating_a_key_carries_its_connections_over(person):
    token = person.tokens()["refresh_token"]
    new, _ = rotate_key(SYSTEM, key=person.key, overlap=timedelta(0))
    assert Connection.objects.get().key == new
    assert person.renewed(token).status_code == 200


def test_revoking_a_key_ends_its_connections(person):
    person.tokens()
    revoke_key(SYSTEM, key=person.key, reason="lost")
    assert Connection.objects.get().ended_why == "its key was revoked"


@pytest.mark.parametrize("how", ["form", "basic"])
def test_an_app_with_a_secret_has_to_send_it(person, how):
    app = enter_app(SYSTEM, name="n8n", redirect_uris=[CALLBACK], secret="a secret")
    code = person.code(client_id=app.client_id)
    assert error_of(person.exchanged(code, client_id=app.client_id)) == (401, "invalid_client")
    if how == "form":
        answer = person.exchanged(code, client_id=app.client_id, client_secret="a secret")
    else:
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": "v" * 43,
        }
        basic = b64encode(f"{app.client_id}:a secret".encode()).decode()
        answer = Client().post("/token", fields, headers={"Authorization": f"Basic {basic}"})
    assert answer.status_code == 200, answer.content


def clean_up():
    for rows in expired(timezone.now()):
        rows.model._default_manager.filter(pk__in=list(rows.values_list("pk", flat=True))).delete()


def test_cleaning_up_leaves_what_works(person):
    token = person.tokens()["refresh_token"]
    clean_up()
    assert person.renewed(token).status_code == 200


def test_cleaning_up_takes_what_nobody_can_use(person):
    person.tokens()
    long_ago = timezone.now() - timedelta(days=100)
    ConnectionSecret.objects.update(expires_at=long_ago)
    Connection.objects.update(created_at=long_ago)
    App.objects.update(created_at=long_ago)
    clean_up()
    assert not (ConnectionSecret.objects.exists() or Connection.objects.exists() or App.objects.exists())


def test_cleaning_up_keeps_apps_that_operators_entered_or_blocked(person):
    enter_app(SYSTEM, name="n8n", redirect_uris=[CALLBACK])
    App.objects.filter(pk=person.app.pk).update(blocked_at=timezone.now())
    App.objects.update(created_at=timezone.now() - timedelta(days=100))
    clean_up()
    assert App.objects.count() == 2


def test_an_app_that_asks_for_everything_gets_what_was_ticked(person):
    body = person.tokens(scope=" ".join(Scope), ticked=sorted(READ_SCOPES))
    assert set(body["scope"].split()) == READ_SCOPES
