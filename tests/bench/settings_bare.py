"""The settings of the limit: the same database, pool and server, no middleware."""

from config.settings.test import *  # noqa: F403

MIDDLEWARE = []
ROOT_URLCONF = "tests.bench.bare"
