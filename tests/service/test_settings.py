"""Settings from the environment: what production refuses, and how the embedded service keeps its secrets."""

import os
import stat
import subprocess
import sys

import pytest

from tests.live import ROOT

SAFE = {
    "SECRET_KEY": "k" * 60,
    "ALLOWED_HOSTS": "example.com",
    "DATABASE_URL": "postgres://someone:secret@localhost/service",
    "CACHE_URL": "redis://localhost/1",
    "BROKER_URL": "redis://localhost/0",
}
SHOW_KEY = "from django.conf import settings; print(settings.SECRET_KEY)"


def load(module, folder, code="from django.conf import settings; settings.DEBUG", **env):
    """Import a settings module in a process of its own, in an environment that holds only what is given."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**kept, "VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": f"config.settings.{module}", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_health_is_told_without_tls(tmp_path):
    code = (
        "import django; django.setup(); from django.test import Client; client = Client(SERVER_NAME='example.com'); "
        "print([client.get(path).status_code for path in ('/healthz', '/openapi.json')])"
    )
    process = load("production", tmp_path, code, SECURE_SSL_REDIRECT="true", **SAFE)
    assert process.communicate(timeout=120)[0].strip() == "[200, 301]"


def test_production_starts_with_safe_settings(tmp_path):
    process = load("production", tmp_path, **SAFE)
    assert process.wait(120) == 0, process.stderr.read()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SECRET_KEY", None, "SECRET_KEY"),
        ("SECRET_KEY", "", "SECRET_KEY"),
        ("SECRET_KEY", "short", "SECRET_KEY"),
        ("ALLOWED_HOSTS", None, "ALLOWED_HOSTS"),
        ("ALLOWED_HOSTS", "", "ALLOWED_HOSTS"),
        ("ALLOWED_HOSTS", "example.com,*", "ALLOWED_HOSTS"),
        ("DATABASE_URL", None, "DATABASE_URL"),
        ("DATABASE_URL", "sqlite:////tmp/production.sqlite3", "DATABASE_URL"),
        ("CACHE_URL", None, "CACHE_URL"),
        ("BROKER_URL", None, "BROKER_URL"),
    ],
)
def test_production_refuses_what_is_unsafe_and_names_it(tmp_path, name, value, said):
    env = {key: text for key, text in {**SAFE, name: value}.items() if text is not None}
    process = load("production", tmp_path, **env)
    printed = process.communicate(timeout=120)[1]
    assert process.returncode != 0
    message = printed.strip().splitlines()[-1]
    assert message.startswith("django.core.exceptions.ImproperlyConfigured: Unsafe production settings.")
    assert said in message
    for safe in SAFE.keys() - {name}:
        assert f"{safe}:" not in message, "only what is wrong is named"


def test_production_names_everything_that_is_missing_at_once(tmp_path):
    printed = load("production", tmp_path).communicate(timeout=120)[1]
    assert all(name in printed for name in SAFE)


def test_debug_cannot_be_turned_on_in_production(tmp_path):
    code = "from django.conf import settings; print(settings.DEBUG)"
    assert load("production", tmp_path, code, **SAFE, DEBUG="true").communicate(timeout=120)[0] == "False\n"


def test_a_fresh_folder_is_private_and_so_is_what_is_in_it(tmp_path):
    folder = tmp_path / "not" / "there" / "yet"
    process = load("local", folder, SHOW_KEY)
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    key = folder / "secret_key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_text() == printed.strip()
    assert len(printed.strip()) >= 50
    for private in ("cache", "queue", "queue-control"):
        assert stat.S_IMODE((folder / private).stat().st_mode) == 0o700


def test_simultaneous_first_starts_agree_on_one_secret_key(tmp_path):
    processes = [load("local", tmp_path / "var", SHOW_KEY) for _ in range(8)]
    outputs = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * 8, outputs
    assert len({printed for printed, _ in outputs}) == 1
    assert [file.name for file in (tmp_path / "var").glob("secret_key*")] == ["secret_key"]


def test_the_secret_key_outlives_a_restart_and_yields_to_the_environment(tmp_path):
    first = load("local", tmp_path, SHOW_KEY).communicate(timeout=120)[0]
    assert load("local", tmp_path, SHOW_KEY).communicate(timeout=120)[0] == first
    given = load("local", tmp_path, SHOW_KEY, SECRET_KEY="mine").communicate(timeout=120)[0]
    assert given == "mine\n"
