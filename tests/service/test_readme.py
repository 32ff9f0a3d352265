"""The commands of README.md, as they stand there, on a service that nobody has used yet."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from apikeys.models import User
from brands.models import Brand
from tests.live import ROOT, free_port, live_process

pytestmark = pytest.mark.server
README = ROOT.joinpath("README.md").read_text()
PASSWORD = "steel-and-anvils"


def blocks(section, language):
    """The fenced blocks of a section, without their fences."""
    text = README.split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def place(tmp_path):
    """A folder that looks like a fresh clone after `make run` has installed: nothing in it but the code."""
    for name in ("manage.py", "README.md"):
        tmp_path.joinpath(name).symlink_to(ROOT / name)
    tmp_path.joinpath(".venv").symlink_to(sys.prefix)
    tmp_path.joinpath("answers.jsonl").write_text(*blocks("Your own data", "json"))
    return tmp_path


@pytest.fixture
def env(place, prepared):
    """The service's environment; curl finds what README says of port 8000 on the port of this test."""
    return {**prepared, "CURL_HOME": str(place), "DJANGO_COLORS": "nocolor", "BIND": f"127.0.0.1:{free_port()}"}


def shell(place, env, script):
    """Run lines in a terminal, in which questions are answered, and return all that it showed."""
    answers = {"Email address: ": "you@example.com", "Password: ": PASSWORD, "Password (again): ": PASSWORD}
    leader, terminal = pty.openpty()
    with subprocess.Popen(
        ["/bin/sh", "-ec", script], cwd=place, env=env, stdin=terminal, stdout=terminal, stderr=terminal
    ) as process:
        os.close(terminal)
        shown, seen = "", 0
        while True:
            assert select.select([leader], [], [], 120)[0], shown
            try:
                shown += os.read(leader, 10_000).decode()
            except OSError:  # the terminal closes when the last process has left it
                break
            for question, answer in answers.items():
                if shown[seen:].endswith(question):
                    seen = len(shown)
                    os.write(leader, f"{answer}\n".encode())
    os.close(leader)
    assert process.returncode == 0, shown
    return shown.replace("\r\n", "\n")


def test_your_own_data_and_the_first_calls_work_as_they_stand(place, env):
    commands = "\n".join(blocks("Your own data", "sh"))
    assert "createsuperuser" in commands and "import_answers" in commands and "issue_key" in commands
    shown = shell(place, env, commands)
    assert "2 answers added" in shown and "Warning" not in shown
    assert User.objects.get().email == "you@example.com"
    assert [str(brand) for brand in Brand.objects.all()] == ["Acme (acme.example)"]
    key = shown.split()[-1]
    brand = str(Brand.objects.get().pk)
    calls = [
        line for block in blocks("First call", "sh") for line in re.findall(r"^curl (?:.*\\\n)*.*$", block, re.M)
    ]
    assert len(calls) == 2
    # The call that the import ends with is the one that README shows, with the id of the brand in it.
    [printed] = re.findall(r"^ +(curl .*)$", shown, re.M)
    [written] = re.findall(r"^curl .*$", *blocks("Your own data", "text"), re.M)
    assert printed == written.replace("{id}", brand) and f"http://127.0.0.1:8000/brands/{brand}\n" in shown
    calls.append(printed)
    Path(place, ".curlrc").write_text(f'silent\nfail\nnoproxy = "*"\nconnect-to = "127.0.0.1:8000:{env["BIND"]}"\n')
    command = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"]
    with live_process(command, env, f"http://{env['BIND']}", "/healthz", 120):
        called = [json.loads(shell(place, {**env, "API_KEY": key}, call)) for call in calls]
    assert "acme.example" in json.dumps(called[0])
    assert "acme.example" in json.dumps(called[1]["result"])
    assert [(day["date"], day["score"]) for day in called[2]["trend"]] == [("2026-01-12", 50.0)]


def test_the_commands_without_questions_work_too(place, env):
    commands = "\n".join(blocks("Your own data", "sh"))
    quiet = commands.replace("createsuperuser", "createsuperuser --noinput --email you@example.com")
    shown = shell(place, {**env, "DJANGO_SUPERUSER_PASSWORD": PASSWORD}, quiet)
    assert User.objects.get().check_password(PASSWORD)
    assert shown.split()[-1].startswith("bvs_live_")


def test_what_make_run_does_is_said_step_by_step(tmp_path):
    """Its own Makefile with an empty list of packages and a manage.py that only shows what it was asked for."""
    tmp_path.joinpath("Makefile").symlink_to(ROOT / "Makefile")
    tmp_path.joinpath("requirements.lock").write_text("# none==0\n")
    tmp_path.joinpath("manage.py").write_text("import sys; print('manage.py', sys.argv[1])\n")
    command = ["make", "run", f"PYTHON={sys.executable}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    steps = [
        "Making a virtual environment",
        "Installing the locked packages",
        "Making the database",
        "manage.py migrate",
    ]
    steps += ["Collecting styles", "manage.py collectstatic", "Starting web server", "manage.py serve"]
    told = [next((step for step in steps if line.startswith(step)), line) for line in done.stdout.splitlines()]
    assert told == steps
