"""The settings of the yardstick: the same database, pool and server, no middleware."""

from config.settings import *  # noqa: F403

MIDDLEWARE: list[str] = []
ROOT_URLCONF = "tests.bench.bare"
