"""`manage.py serve`: web, worker and scheduler together, in the foreground, until Ctrl-C. SIGHUP brings new code."""

import fcntl
import os
import socket
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from config.celery import app as celery_app
from config.local.supervisor import Child, Supervisor, python
from config.starting import NotReady, check_migrations, check_no_restore, check_static_files
from visibility.demo.content import DOMAIN

LOOPBACK = "127.0.0.1"
PRODUCTION = "config.settings.production"
MANAGE = str(settings.BASE_DIR / "manage.py")


class Command(BaseCommand):
    help = (
        "Run the whole service: web server, worker and scheduler, restarted when they fail. Ctrl-C stops all; "
        "SIGHUP has them run the code as it is on disk now."
    )
    # The checks of serve() itself come first and say what to do.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument(
            "--port", type=int, default=os.environ.get("PORT", "8000"), help="port (default: PORT, else 8000)"
        )
        parser.add_argument(
            "--demo", action="store_true", help="seed the demo brand and print a login, an API key and a curl line"
        )
        parser.add_argument(
            "--check", action="store_true", help="only say whether the service could run; SIGHUP looks at this first"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            check()
            self.check()
            celery_app.autodiscover_tasks(force=True)
            return
        host, port = options["host"], options["port"]
        check_port(host, port)
        with hold_folder(settings.VAR_DIR):
            check()
            address = f"http://{_reachable(host)}:{port}"
            self.stdout.write(f"Starting at {address} (Ctrl-C stops).")
            children = service_processes()
            env = {**os.environ, "BIND": f"{_bracketed(host)}:{port}"}
            if options["demo"]:
                env |= add_demo_site(children)
                children.append(Child("demo", python(MANAGE, "run_demo", "--address", address), once=True))
            code = Supervisor(children, env, self.stdout.write, check=python(MANAGE, "serve", "--check")).run()
        self.stdout.write("Stopped.")
        if code:
            raise SystemExit(code)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _reachable(host: str) -> str:
    """The host to write into an address: a server on all interfaces is reached here on the loopback."""
    return _bracketed({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host))  # noqa: S104 -- read, not listened on


def service_processes() -> list[Child]:
    """The processes of which the service consists."""
    celery = ("-m", "celery", "--quiet", "-A", "config", "--workdir", str(settings.BASE_DIR))
    threads = str(settings.WORKER_THREADS)
    quiet = ("--loglevel", "WARNING")
    return [
        Child(
            "web",
            python("-m", "gunicorn", "-c", "python:config.gunicorn", "--chdir", str(settings.BASE_DIR)),
            reloads=True,
        ),
        Child("worker", python(*celery, "worker", "-P", "threads", "-c", threads, "--without-mingle", *quiet)),
        Child("scheduler", python(*celery, "beat", *quiet)),
    ]


def add_demo_site(children: list[Child]) -> dict[str, str]:
    """Have the demo brand's site served on a free port, and the variable by which audits find it there.

    Nothing of it with the settings of production, which let audits reach no server of this machine.
    """
    if settings.SETTINGS_MODULE == PRODUCTION:
        return {}
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port = probe.getsockname()[1]
    children.append(Child("demo site", python(MANAGE, "demo_site", "--port", str(port))))
    operators = os.environ.get("AUDIT_LOCAL_HOSTS", "")
    return {"AUDIT_LOCAL_HOSTS": ",".join(filter(None, [operators, f"{DOMAIN}={LOOPBACK}:{port}"]))}


def check_port(host: str, port: int) -> None:
    """Refuse a port that cannot be listened on, with the reason."""
    if not 0 < port < 65536:
        raise CommandError(f"Port {port} does not exist: choose one from 1 to 65535 with --port or PORT.")
    try:
        family, kind, protocol, _, target = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(target)
    except OSError as error:
        raise CommandError(
            f"Cannot listen on {host} port {port}: {error.strerror}. Stop what uses it or choose another with --port."
        ) from error


def hold_folder(folder: Path) -> IO[str]:
    """Hold the service's folder for as long as the returned file is open: two schedulers would share its files."""
    try:
        lock = (folder / "serve.lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CommandError(
            f"Another `serve` runs on {folder}. Stop it, or set VAR_DIR to give this one a folder of its own."
        ) from error
    except OSError as error:
        raise CommandError(
            f"Cannot write to {folder}: {error.strerror}. Make it writable or set VAR_DIR to another folder."
        ) from error
    return lock


def check() -> None:
    """Refuse what the web server would refuse, and a database that does not answer."""
    try:
        check_no_restore()
        check_migrations()
        check_static_files()
    except NotReady as refusal:
        raise CommandError(str(refusal)) from refusal
    except DatabaseError as error:
        raise CommandError(f"The database does not answer: {error}. Check DATABASE_URL.") from error
    finally:
        # Nothing of the connection may live on in the processes that are forked next.
        connections.close_all()
        getattr(connections["default"], "close_pool", lambda: None)()
