"""What every web process looks at before it answers: whether it can serve at all, and if not, which command helps."""

import logging

from django.conf import settings
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.urls import resolve

from config.local.running import Occupied, join

logger = logging.getLogger(__name__)


class NotReady(Exception):
    """The service cannot run as things stand; the message says which command to run."""


def check_no_restore() -> None:
    """No process of the service starts while a restore replaces the database, and none begins while this one runs."""
    try:
        join(settings.VAR_DIR)
    except Occupied as error:
        raise NotReady(f"A restore is under way on {error}. Start the service when it is done.") from error


def check_migrations() -> None:
    """Refuse a database that lacks migrations; raises DatabaseError where it does not answer."""
    executor = MigrationExecutor(connections["default"])
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        raise NotReady(f"{len(waiting)} migrations are not applied to the database. Run: python manage.py migrate")


def check_static_files() -> None:
    """Refuse to serve pages without their styles."""
    if not (settings.STATIC_ROOT / "admin").is_dir():
        raise NotReady("The static files are not collected. Run: python manage.py collectstatic --noinput")


def prepare() -> None:
    """Before the first request of a web process: raises NotReady where it could not serve, and loads what else would
    be loaded by the first caller. A database that is away is no reason: it comes back, and /readyz tells."""
    check_no_restore()
    check_static_files()
    try:
        check_migrations()
    except DatabaseError as error:
        logger.warning("Whether migrations are missing is not known: the database does not answer (%s).", error)
    finally:
        connections.close_all()
    for host, (address, port) in settings.AUDIT_LOCAL_HOSTS.items():
        logger.warning("AUDIT_LOCAL_HOSTS: site audits reach %s on this machine, at %s:%d.", host, address, port)
    resolve("/")  # imports all pages
