"""`manage.py serve`: what it cannot do it says before it starts anything, in a sentence."""

import socket

import pytest
from django.core.management import CommandError, call_command

from config.management.commands import serve
from tests.live import free_port
from tests.service.conftest import refused


@pytest.fixture
def refusal(transactional_db, django_db_serialized_rollback, monkeypatch, settings, tmp_path):
    """What `serve` says in this process when it refuses to start, in a folder of its own."""

    def start(*arguments):
        raise AssertionError("it starts")

    def ask(*arguments):
        with pytest.raises(CommandError) as said:
            call_command("serve", *arguments)
        return str(said.value)

    monkeypatch.setattr(serve, "Supervisor", start)
    settings.VAR_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    (tmp_path / "static" / "admin").mkdir(parents=True)
    return ask


def test_a_port_in_use_is_refused(refusal):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"Cannot listen on 127.0.0.1 port {port}: Address already in use." in refusal("--port", str(port))


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_that_does_not_exist_is_refused(refusal, port):
    assert "does not exist: choose one from 1 to 65535" in refusal(f"--port={port}")


def test_a_host_that_is_not_this_machine_is_refused(refusal):
    assert "Cannot listen on 192.0.2.1" in refusal("--host", "192.0.2.1", "--port", str(free_port()))


def test_missing_static_files_are_refused_with_the_command_to_run(refusal, tmp_path):
    (tmp_path / "static" / "admin").rmdir()
    assert "Run: python manage.py collectstatic" in refusal("--port", str(free_port()))


def test_a_folder_that_cannot_be_written_is_refused(refusal, tmp_path):
    # A folder in the place of the file: refused to everyone, root included.
    (tmp_path / "serve.lock").mkdir()
    said = refusal("--port", str(free_port()))
    assert f"Cannot write to {tmp_path}" in said
    assert "Make it writable or set VAR_DIR" in said


@pytest.mark.server
def test_missing_migrations_are_refused_with_the_command_to_run(prepared, tmp_path):
    empty = {**prepared, "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    assert "Run: python manage.py migrate" in refused(empty, "--port", str(free_port()))


@pytest.mark.server
def test_a_database_that_does_not_answer_is_refused(prepared):
    nowhere = {**prepared, "DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/nothing"}
    assert "The database does not answer" in refused(nowhere, "--port", str(free_port()))
