"""A pytest plugin that starts the tests' own PostgreSQL, before the settings are read.

It is as fast as it can be and gone afterwards: nothing in it survives a crash. With DATABASE_URL the tests use yours.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from config import postgres

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}


def start_server() -> None:
    """Start a server in a folder of its own, and name it in the environment to all that follow."""
    folder = Path(tempfile.mkdtemp(prefix="visibility-tests-"))
    folder.chmod(0o711)  # PostgreSQL runs as another user when the tests run as root
    os.environ["VAR_DIR"] = str(folder / "var")
    os.environ["DATABASE_URL"] = postgres.start(folder / "postgres", **FAST)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(postgres.stop, folder / "postgres")


if "DATABASE_URL" not in os.environ:
    start_server()
