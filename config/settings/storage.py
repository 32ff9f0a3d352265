"""Where the service keeps its state: the var folder, the database, the cache and the queue."""

import secrets
from pathlib import Path
from typing import Any

from environ import Env

from config.postgres.bounds import BoundedConnection

# Without mmap: nothing it brings can be measured, and it turns a page read at a bad moment into damage; see ADR 13.
SQLITE_INIT = (
    "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA cache_size=-16000;PRAGMA temp_store=MEMORY;"
    "PRAGMA mmap_size=0;"
)
# A server that is gone is noticed in seconds, also where its machine went without a word.
POSTGRES_PATIENCE = {"connect_timeout": 5, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
# The pool has a connection for each thread: who waits for it waits for a server that is away. A connection that it
# could not make it soon forgets, and makes when it is asked: else it would try after 1, 2, 4 … seconds, and sleep
# when the server is back.
POSTGRES_POOL = {"min_size": 1, "timeout": 5, "reconnect_timeout": 2, "connection_class": BoundedConnection}


def prepare_var(path: Path) -> Path:
    """Make the private folder of the embedded service (mode 0700) and return it."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


def secret_key(env: Env, var: Path) -> str:
    """Return SECRET_KEY from the environment, else one kept in a file that only its owner can read."""
    key: str = env.str("SECRET_KEY", default="")
    if key:
        return key
    file = var / "secret_key"
    if not file.exists():
        candidate = var / f"secret_key.{secrets.token_hex(4)}"
        candidate.touch(mode=0o600)
        candidate.write_text(secrets.token_urlsafe(50))
        try:
            # A hard link fails when another process was first, so that all processes share one key.
            file.hardlink_to(candidate)
        except FileExistsError:
            pass
        finally:
            candidate.unlink()
    return file.read_text()


def database_settings(env: Env, var: Path, *, pool_size: int) -> dict[str, Any]:
    """Settings of the database that DATABASE_URL names, else of SQLite in the var folder."""
    settings: dict[str, Any] = env.db_url("DATABASE_URL", default=f"sqlite:///{var / 'service.sqlite3'}")
    if settings["ENGINE"].endswith("sqlite3"):
        settings["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_INIT}
    else:
        # Persistent connections leak under ASGI servers; the pool bounds them per process.
        settings["CONN_MAX_AGE"] = 0
        settings["ENGINE"] = "config.postgres"
        pool = {**POSTGRES_POOL, "max_size": pool_size}
        settings["OPTIONS"] = {**POSTGRES_PATIENCE, **settings.get("OPTIONS", {}), "pool": pool}
    return settings


def cache_settings(env: Env, var: Path, *, timeout: float) -> dict[str, dict[str, Any]]:
    """Settings of the cache that CACHE_URL names (Redis or Valkey), else of one on disk, atomic across processes;
    twice, as `default` and as `rate`, which counts requests. `timeout`: seconds until it is taken to be silent."""
    url = env.str("CACHE_URL", default="")
    if url:
        shared = {"LOCATION": url, "OPTIONS": {"socket_timeout": timeout, "socket_connect_timeout": timeout}}
        return {
            "default": {"BACKEND": "config.rediscache.Cache", **shared},
            "rate": {"BACKEND": "config.rediscache.RateCache", **shared},
        }
    on_disk = {
        "BACKEND": "config.local.foldercache.folder_cache",
        "LOCATION": str(prepare_var(var / "cache")),
        "TIMEOUT": 300,
        "SHARDS": 2,
        "DATABASE_TIMEOUT": timeout,
        "OPTIONS": {"size_limit": 2**28},
    }
    return {"default": on_disk, "rate": on_disk}


def celery_settings(env: Env, var: Path) -> dict[str, Any]:
    """Settings of the queue that BROKER_URL names, else of one in a folder."""
    settings: dict[str, Any] = {
        "CELERY_BROKER_URL": env.str("BROKER_URL", default="filesystem://localhost"),
        "CELERY_TASK_ACKS_LATE": True,
        "CELERY_TASK_REJECT_ON_WORKER_LOST": True,
        "CELERY_WORKER_PREFETCH_MULTIPLIER": 1,
        "CELERY_TASK_IGNORE_RESULT": True,
        "CELERY_ACCEPT_CONTENT": ["json"],
        "CELERY_TASK_SERIALIZER": "json",
        "CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP": True,
        # However long it is away: without it a worker gives up after a hundred times.
        "CELERY_BROKER_CONNECTION_MAX_RETRIES": None,
        "CELERY_WORKER_HIJACK_ROOT_LOGGER": False,
        "CELERY_BEAT_SCHEDULER": "config.scheduling:Scheduler",
        "CELERY_BEAT_SCHEDULE_FILENAME": str(var / "beat"),
    }
    if settings["CELERY_BROKER_URL"].startswith("filesystem"):
        folder, control = prepare_var(var / "queue"), prepare_var(var / "queue-control")
        settings["CELERY_BROKER_TRANSPORT_OPTIONS"] = {
            "data_folder_in": str(folder),
            "data_folder_out": str(folder),
            "control_folder": str(control),
            "polling_interval": 0.2,
        }
    elif settings["CELERY_BROKER_URL"].startswith("redis"):
        # A queue that hangs must not hold on to those who start scans: the tick announces what they could not.
        settings["CELERY_BROKER_TRANSPORT_OPTIONS"] = {"socket_connect_timeout": 2.0, "socket_timeout": 10.0}
    return settings
