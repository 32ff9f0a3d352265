"""What a process of the service loads before it is asked anything."""

import json
import subprocess
import sys

from tests.live import ROOT, environment

HEAVY = {"anthropic", "genai_prices", "google.genai", "htmldate", "openai", "scipy", "trafilatura"}
LOADED = """
import json, sys
import config.asgi
from django.urls import resolve
import visibility.tasks
resolve("/")
print(json.dumps(sorted(sys.modules)))
"""


def test_what_is_seldom_needed_is_loaded_when_it_is(db):
    printed = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, env=environment(), capture_output=True, text=True
    )
    loaded = set(json.loads(printed.stdout.splitlines()[-1]))
    assert not HEAVY & loaded


def test_the_master_of_the_web_server_holds_nothing_that_a_reload_would_not_renew():
    """What the workers inherit they do not import again: of ours only what is part of the master itself."""
    code = "import json, sys, config.gunicorn; print(json.dumps(sorted(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = json.loads(printed.stdout)
    assert not [name for name in loaded if name.partition(".")[0] in {"django", "celery", "visibility", "apikeys"}]
    ours = {"config", "config.gunicorn", "config.local", "config.local.processes", "config.webworker"}
    assert {name for name in loaded if name.partition(".")[0] == "config"} == ours
