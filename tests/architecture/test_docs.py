"""The documentation names everything that a user can meet: settings, commands, scopes, error codes, paths."""

import re

import pytest
from django.core.management import get_commands

from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from tests.architecture.sources import FLOORS, ROOT
from visibility.engines.failures import _BY_STATUS, _KINDS, RETRYABLE
from visibility.engines.presets import PRESETS

OPERATORS = (ROOT / "docs" / "operators.md").read_text()
ENGINES = (ROOT / "docs" / "engines.md").read_text()
INTEGRATORS = (ROOT / "docs" / "integrators.md").read_text()
AGENTS = (ROOT / "docs" / "agents.md").read_text()
# Codes of the agent door, of pages and of commands.
NOT_ON_REST = {
    ErrorCode.ORIGIN_NOT_ALLOWED,
    ErrorCode.CONTENT_TOO_LARGE,
    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
    ErrorCode.IDEMPOTENCY_CONFLICT,
    ErrorCode.IDEMPOTENCY_IN_PROGRESS,
    ErrorCode.INVALID_ARGUMENTS,
    ErrorCode.READ_ONLY_COLLABORATOR,
    ErrorCode.CONFLICT,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.NO_ENGINE_CONFIGURED,
    ErrorCode.NO_PROMPTS,
    ErrorCode.NOT_AVAILABLE,
    ErrorCode.UPSTREAM_UNAVAILABLE,
}
# NOT_AVAILABLE: what only the operator does, with commands and in the admin.
NO_AGENT_GETS = {ErrorCode.INVALID_PARAMETER, ErrorCode.PRECONDITION_FAILED, ErrorCode.NOT_AVAILABLE}


def settings_read():
    """The names of all environment variables that the settings and servers read."""
    names = set()
    for file in (ROOT / "config").rglob("*.py"):
        text = file.read_text()
        names |= set(re.findall(r"""env\.\w+\(\s*["']([A-Z_]+)["']""", text))
        names |= set(re.findall(r"""environ\.get\(\s*["']([A-Z_]+)["']""", text))
    return names - {"PYTEST_XDIST_WORKER", "TEST_ROWS_REVERSED"}


def documented(text):
    """What the first column of the document's tables names in code spans."""
    return {
        word
        for line in text.splitlines()
        if line.startswith("| `")
        for word in re.findall(r"`([^`]+)`", line.split(" | ")[0])
    }


def test_the_settings_are_found():
    assert {"DATABASE_URL", "SECRET_KEY", "RATE_LIMIT", "PORT"} <= settings_read()


def test_every_setting_is_documented_and_every_documented_setting_exists():
    shown = {name for name in documented(OPERATORS) if re.fullmatch(r"[A-Z_]+", name)}
    assert shown == settings_read()


def test_every_command_of_the_apps_is_documented_and_exists():
    ours = {name for name, app in get_commands().items() if app in FLOORS}
    table = OPERATORS.split("## Commands")[1].split("## Settings")[0]
    shown = {name.split()[0] for name in documented(table) if name[0] != "-"} - {
        "migrate",
        "collectstatic",
        "createsuperuser",
    }
    assert shown == ours


def test_every_command_that_people_are_told_to_run_exists():
    """Where it is said: the code with its messages, templates and documents."""
    folders = [*FLOORS, "templates", "docs"]
    files = [file for name in folders for file in (ROOT / name).rglob("*") if file.suffix in (".py", ".html", ".md")]
    named = {
        (command, file.name)
        for file in [*files, ROOT / "README.md"]
        for command in re.findall(r"manage\.py ([a-z_]+)", file.read_text())
    }
    assert len(named) > 20
    assert not [row for row in sorted(named) if row[0] not in get_commands()]


@pytest.mark.parametrize("provider", PRESETS)
def test_every_provider_of_engines_is_documented_with_its_key(provider):
    preset = PRESETS[provider]
    [row] = [line for line in ENGINES.splitlines() if line.startswith(f"| `{provider}` |")]
    assert (f"`{preset.key_variable}`" if preset.key_variable else "| none |") in row
    assert ("on or off" in row) == bool(preset.search_tool)
    if preset.search_tool:
        flags = [cell.strip() == "yes" for cell in row.split("|")[5:7]]
        assert flags == [preset.takes_country, preset.bounds_searches]


def test_every_way_an_engine_fails_is_documented():
    sources = "".join(file.read_text() for file in (ROOT / "visibility" / "engines").glob("*.py"))
    raised = set(re.findall(r'EngineError\(\s*"(\w+)"', sources)) | set(_KINDS) | set(_BY_STATUS.values()) | RETRYABLE
    table = ENGINES.split("## When it goes wrong")[1].split("##")[0]
    shown = {name: "| yes" in line for line in table.splitlines() for name in documented(line)}
    assert set(shown) == raised
    assert {name for name, again in shown.items() if again} == RETRYABLE | {"empty_answer"}


@pytest.mark.parametrize("scope", list(Scope))
def test_every_scope_is_documented(scope):
    assert f"`{scope}`" in INTEGRATORS


@pytest.mark.parametrize("code", sorted(set(ErrorCode) - NOT_ON_REST))
def test_every_error_of_the_rest_door_is_documented_with_its_status(code):
    assert re.search(rf"^\| {code.status} \| `{code}`", INTEGRATORS, re.MULTILINE)


@pytest.mark.parametrize("code", sorted(set(ErrorCode) - NO_AGENT_GETS))
def test_every_error_of_the_agent_door_is_documented(code):
    assert re.search(rf"^\| (?:{code.status}|–) \| `{code}`", AGENTS, re.MULTILINE)


def test_every_decision_is_listed_and_every_listed_one_is_there():
    folder = ROOT / "docs" / "adr"
    listed = set(re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text()))
    assert listed == {file.name for file in folder.glob("0*.md")}


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_the_pages_that_people_look_for_first_are_there(page):
    assert len((ROOT / page).read_text()) > 500


@pytest.mark.parametrize(
    "page",
    sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("*.md"))
    + sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "docs").rglob("*.md")),
)
def test_links_between_pages_lead_somewhere(page):
    text = (ROOT / page).read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


def test_every_target_of_the_makefile_is_explained_by_help():
    makefile = (ROOT / "Makefile").read_text()
    [phony] = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert set(phony.split()) == set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
