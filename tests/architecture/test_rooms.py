"""Rooms of the house: which package may import which is said in pyproject.toml, and import-linter keeps it."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import FLOORS, ROOT, sources

LINT = Path(sys.executable).with_name("lint-imports")
MAX_ROOT_FILES = 6


def lint(folder):
    return subprocess.run([LINT, "--no-logo", "--no-cache"], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture
def copy(tmp_path):
    """The sources of the service, to plant faults in."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for app in FLOORS:
        shutil.copytree(ROOT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__", "pages/*.md"))
    return tmp_path


def test_every_contract_is_kept():
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("module", "imported", "contract"),
    [
        ("apikeys/errors.py", "brands.models", "The floors of the house"),
        ("visibility/models/runs.py", "visibility.services.health", "The rooms of visibility"),
        ("visibility/pipeline/days/changes.py", "visibility.resources.changes", "The rooms of visibility"),
        ("visibility/insights/recommendations/types.py", "visibility.resources.names", "The rooms of visibility"),
        ("visibility/measured/stored.py", "visibility.resources.figures", "The rooms of visibility"),
        ("visibility/models/scores.py", "visibility.resources.scores", "The rooms of visibility"),
        ("visibility/services/prompts/answers.py", "visibility.services.ask.answering", "in a circle"),
        ("visibility/metrics/shown.py", "visibility.metrics.amounts", "in a circle"),
        ("visibility/api/views.py", "apikeys.operators", "a caller that reaches every brand"),
        ("mcp_bridge/dispatch.py", "visibility.admin.runs", "a caller that reaches every brand"),
        ("visibility/services/reading/sites.py", "apikeys.staff.base", "a caller that reaches every brand"),
    ],
)
def test_a_planted_import_breaks_a_contract(copy, module, imported, contract):
    file = copy / module
    file.write_text(f"import {imported}\n{file.read_text()}")
    result = lint(copy)
    assert result.returncode == 1, result.stdout
    assert any(contract in line and line.endswith("BROKEN") for line in result.stdout.splitlines()), result.stdout


def test_only_one_module_makes_callers_that_reach_every_brand():
    """Tests aside. Contracts keep out who may not import it; nobody may do without it."""
    makers = {
        module.path
        for module in sources()
        for call in ast.walk(module.tree)
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).endswith(("Caller", "cls", "replace"))
        and any(keyword.arg == "reach" for keyword in call.keywords)
    }
    assert makers == {"apikeys/operators.py"}


def test_few_files_stand_at_the_root_of_the_largest_app():
    files = list((ROOT / "visibility").glob("*.py"))
    assert len(files) <= MAX_ROOT_FILES, files
