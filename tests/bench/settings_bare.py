"""The settings of the yardstick: the same database, pool, server and middleware, other addresses."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.bare"
