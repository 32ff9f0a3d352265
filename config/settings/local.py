"""The embedded service on one machine: SQLite, a cache and a queue in the var folder."""

from config.settings.base import *  # noqa: F403
from config.settings.base import VAR_DIR, env
from config.settings.storage import secret_key

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = secret_key(env, VAR_DIR)
