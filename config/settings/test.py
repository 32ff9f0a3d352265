"""Settings of the test suite: its own folder, fast password hashes, plain static files."""

import os
import tempfile

os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="brand-visibility-tests-"))

from config.settings.base import *  # noqa: F403
from config.settings.base import STORAGES

SECRET_KEY = "only-for-tests-" + "x" * 50
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
