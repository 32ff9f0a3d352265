"""Settings of the test suite: each process has its own folder, cache and queue; hashes are fast."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit


def _set_apart() -> None:
    """Give this process state of its own, through the environment, so that what it starts inherits it.

    Below xdist each worker gets a folder in VAR_DIR and its own numbered databases of a Redis or Valkey.
    """
    if "VAR_DIR" not in os.environ:
        os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="brand-visibility-tests-")
        atexit.register(shutil.rmtree, os.environ["VAR_DIR"], ignore_errors=True)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker:
        return
    if Path(os.environ["VAR_DIR"]).name != worker:
        os.environ["VAR_DIR"] = str(Path(os.environ["VAR_DIR"], worker))
    for offset, name in enumerate(("CACHE_URL", "BROKER_URL"), start=2):
        if os.environ.get(name, "").startswith("redis"):
            number = offset + 2 * int(worker.removeprefix("gw"))
            os.environ[name] = urlsplit(os.environ[name])._replace(path=f"/{number}").geturl()


_set_apart()
# On a machine that is busy with tests a cache is slow, not silent: what counts exactly is tested while it answers.
os.environ.setdefault("CACHE_TIMEOUT_SECONDS", "20")

# Only now: the shared settings read the environment when they are imported.
from config.settings.base import *  # noqa: E402, F403
from config.settings.base import DATABASES, STORAGES, VAR_DIR  # noqa: E402

SECRET_KEY = "only-for-tests-" + "x" * 50
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: threads and worker processes of a test share it as they share the real one.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    if os.environ.get("TEST_ROWS_REVERSED"):
        # What a statement does not order may come in any order: PostgreSQL changes it whenever it plans anew.
        DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA reverse_unordered_selects=ON;"
