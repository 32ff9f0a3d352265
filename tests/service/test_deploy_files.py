"""The files of deploy/ say what the code says: every setting, and limits that are longer than the service takes."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from apikeys.release import VERSION
from config.drain import DRAIN_SECONDS
from mcp_bridge.prompts import FOLDER
from tests.live import ROOT
from visibility.engines import PRESETS

DEPLOY = ROOT / "deploy"
READ = re.compile(r"""(?:env\.\w+\(|_dollars\(|environ(?:\.get\(|\[))\s*"([A-Z][A-Z_]+)\"""")
OF_COMPOSE = {"POSTGRES_PASSWORD"}
UNITS = sorted(path.name for path in (DEPLOY / "systemd").glob("*.*") if path.is_file())


def settings_of_code() -> set[str]:
    """What the code reads from the environment."""
    files = [
        path
        for room in ("config", "apikeys", "brands", "mcp_bridge", "visibility")
        for path in (ROOT / room).rglob("*.py")
    ]
    named = {name for path in files for name in READ.findall(path.read_text())}
    return named - {"DJANGO_SETTINGS_MODULE"} | {preset.key_variable for preset in PRESETS.values()} - {""}


def settings_of_example() -> set[str]:
    lines = (DEPLOY / ".env.example").read_text().splitlines()
    return {match[1] for line in lines if (match := re.match(r"#?([A-Z][A-Z_]+)=", line))}


def test_the_example_has_every_setting_and_no_other():
    assert settings_of_example() - OF_COMPOSE == settings_of_code()


@pytest.mark.parametrize("name", sorted(settings_of_code()))
def test_every_setting_is_explained(name):
    assert f"`{name}`" in (ROOT / "docs" / "operators.md").read_text()


def test_release_and_package_have_one_version():
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert package == VERSION
    assert (DEPLOY / "compose.yml").read_text().count(f"visibility:{VERSION}") == 1


@pytest.fixture(scope="module")
def services():
    return yaml.safe_load((DEPLOY / "compose.yml").read_text())["services"]


def seconds(text: str) -> int:
    return int(text.removesuffix("s"))


@pytest.mark.parametrize("name", ["web-a", "web-b", "worker", "migrate"])
def test_processes_of_compose_can_write_nothing_but_memory(services, name):
    service = services[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"] and service["tmpfs"]


def test_compose_waits_longer_than_processes_take_to_leave(services, settings):
    assert seconds(services["worker"]["stop_grace_period"]) > settings.WORKER_GRACE_SECONDS
    assert seconds(services["web-a"]["stop_grace_period"]) > DRAIN_SECONDS + 3


def test_web_processes_of_compose_begin_after_the_migrations(services):
    assert services["web-a"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert "migrate" not in " ".join(services["web-a"].get("command", []))


def stop_seconds(unit: str) -> int:
    [text] = re.findall(r"^TimeoutStopSec=(\d+)$", (DEPLOY / "systemd" / unit).read_text(), re.MULTILINE)
    return int(text)


def test_systemd_waits_longer_than_processes_take_to_leave(settings):
    assert stop_seconds("visibility-worker.service") > settings.WORKER_GRACE_SECONDS
    assert stop_seconds("visibility-web@.service") > DRAIN_SECONDS + 3


def systemd(*command: str) -> str:
    if not shutil.which("systemd-analyze"):
        pytest.skip("There is no systemd-analyze on this machine.")
    environment = {"SYSTEMD_UNIT_PATH": f"{DEPLOY / 'systemd'}:", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        ["systemd-analyze", *command], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_units_are_valid(unit):
    said = systemd("verify", str(DEPLOY / "systemd" / unit.replace("@.", "@8001.")))
    complaints = [line for line in said.splitlines() if "is not executable: No such file" not in line]
    assert complaints == []


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.endswith(".service")])
def test_units_may_do_little(unit):
    said = systemd(
        "security", "--offline=true", "--threshold=20", str(DEPLOY / "systemd" / unit.replace("@.", "@8001."))
    )
    assert re.search(r"exposure level for .*: (\d\.\d) OK", said), said


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("caddy", ["adapt", "--adapter", "caddyfile", "--config", "Caddyfile"]),
        ("nginx", ["-t", "-q", "-c", "nginx.conf"]),
    ],
)
def test_proxies_accept_their_files(program, arguments, tmp_path):
    found = shutil.which(program, path="/usr/sbin:/usr/bin:/usr/local/bin")
    if not found:
        pytest.skip(f"There is no {program} on this machine.")
    shutil.copy(DEPLOY / "Caddyfile", tmp_path)
    certificate(tmp_path)
    text = (DEPLOY / "nginx.conf").read_text().replace("/etc/ssl/visibility", str(tmp_path))
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{text}\n}}\n"
    )
    arguments = [str(tmp_path / each) if (tmp_path / each).exists() else each for each in arguments]
    environment = {"HOME": str(tmp_path), "SITE": "https://visibility.example", "WEB": "127.0.0.1:1 127.0.0.1:2"}
    done = subprocess.run(
        [found, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def certificate(folder) -> None:
    """A certificate of its own, as nginx reads it when it checks its file."""
    names = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=visibility.example", *names],
        check=True,
        capture_output=True,
    )


def test_the_image_has_every_folder_that_the_service_reads():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    read = [*settings.LOCALE_PATHS, *settings.TEMPLATES[0]["DIRS"], FOLDER]
    assert {Path(folder).relative_to(ROOT).parts[0] for folder in read} <= kept
