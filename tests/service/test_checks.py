"""What a public service refuses to start with."""

import pytest

from config.apps import server_fits, unsafe_defaults


def refused() -> set[str]:
    return {str(error.id).removeprefix("service.") for error in unsafe_defaults(None)}


def test_a_public_service_names_each_unsafe_default_and_one_machine_none(settings, monkeypatch):
    settings.ALLOWED_HOSTS = ["*"]
    settings.AUDIT_LOCAL_HOSTS = {"shop.example": ("127.0.0.1", 9000)}
    monkeypatch.setenv("SECRET_KEY", "short")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    settings.PUBLIC_URL = "http://example.com"
    settings.IS_PUBLIC = False
    assert refused() == set()
    settings.IS_PUBLIC = True
    assert refused() == {"ALLOWED_HOSTS", "SECRET_KEY", "AUDIT_LOCAL_HOSTS", "DATABASE_URL", "PUBLIC_URL"}
    settings.ALLOWED_HOSTS, settings.AUDIT_LOCAL_HOSTS = ["example.com"], {}
    monkeypatch.setenv("SECRET_KEY", "s" * 60)
    monkeypatch.setenv("DATABASE_URL", "postgres://nobody@localhost/nothing")
    settings.PUBLIC_URL = "https://example.com"
    assert refused() == set()


@pytest.mark.django_db
@pytest.mark.parametrize(("processes", "found"), [("1", []), ("50", ["service.connections"])])
def test_more_connections_than_the_server_takes_are_noticed_before_they_run_out(monkeypatch, processes, found):
    monkeypatch.setenv("WEB_WORKERS", processes)
    assert [each.id for each in server_fits(None, databases=["default"])] == found


@pytest.mark.django_db
def test_an_old_server_is_refused(monkeypatch):
    monkeypatch.setattr("config.apps.OLDEST", 99)
    assert "service.version" in [each.id for each in server_fits(None, databases=["default"])]
