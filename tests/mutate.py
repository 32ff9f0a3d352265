"""Whether a room's own tests notice small faults: `python -m tests.mutate --rooms counts scores brands --number 10`.

Each mutant is one random change of code (DeMillo, Lipton and Sayward 1978, "Hints on test data selection"), made in a
copy of the working tree. It is found when one of the room's tests fails with it, and passes without any change.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import copy
from importlib.util import cache_from_source
from pathlib import Path

import tests.postgres  # noqa: F401 - one server for all runs
from tests.reference import reference_folder

ROOT = Path(__file__).parent.parent
LONGEST_SECONDS = 600
PAIRS = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.Is: ast.IsNot, ast.In: ast.NotIn, ast.And: ast.Or}
OTHER: dict[type, type] = {
    **PAIRS,
    **{other: one for one, other in PAIRS.items()},
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
Change = tuple[ast.stmt | ast.expr, ast.AST]
"""A node, and what comes in its place."""


def with_field(node: ast.AST, name: str, value: object) -> ast.AST:
    """The same node but for one field."""
    changed = copy(node)
    setattr(changed, name, value)
    return changed


def changes_of(node: ast.AST) -> Iterator[Change]:
    """The faults that may be made at a node itself."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            yield node, with_field(node, "ops", [OTHER[type(op)]()])
        case ast.BoolOp() | ast.BinOp(op=ast.Add() | ast.Sub()):
            yield node, with_field(node, "op", OTHER[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield node, node.operand
        case ast.Name(id="min" | "max"):
            yield node, ast.Name("max" if node.id == "min" else "min")
        case ast.Constant(value=bool()):
            yield node, ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield from ((node, ast.Constant(node.value + step)) for step in (-1, 1))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield node, ast.Pass()
        case ast.Call(func=ast.Attribute(attr="filter" | "exclude"), keywords=given):
            yield from ((node, with_field(node, "keywords", [k for k in given if k is not each])) for each in given)
        case ast.FunctionDef(returns=ast.expr()) if "None" in ast.unparse(node.returns).split(" | "):
            returns = (each for each in ast.walk(node) if isinstance(each, ast.Return))
            yield from (
                (each, ast.Return(ast.Constant(None)))
                for each in returns
                if ast.unparse(each) not in ("return", "return None")
            )


def changes_below(node: ast.AST) -> Iterator[Change]:
    """The faults that may be made in code: annotations, decorators and texts that are put together are none."""
    yield from changes_of(node)
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                    yield from changes_below(child)


def changed_text(text: str, change: Change) -> str:
    """A module with a change."""
    node, other = change
    lines = text.encode().splitlines(keepends=True)
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0)
    return b"".join((b"".join(lines)[:begin], ast.unparse(other).encode(), b"".join(lines)[end:])).decode()


def write(path: Path, text: str) -> None:
    """Replace a module, and what Python compiled of it."""
    path.write_text(text)
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


def failing(folder: Path, tests: list[str]) -> list[str]:
    """The first of these tests that fails in a copy of the project; none where all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        return ["time is up"]
    if done.returncode == 0:
        return []
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)[:1] or ["no test runs"]


def nearest_first(module: Path, tests: list[Path]) -> list[list[str]]:
    """The tests of a module and those that import it, then the others: Django's pytest sorts what it runs at once."""
    name = ".".join(module.with_suffix("").parts)
    near = [each for each in tests if each.stem == f"test_{module.stem}" or f"{name} import" in each.read_text()]
    groups = near, [each for each in tests if each not in near]
    return [list(map(str, group)) for group in groups if group]


def try_room(folder: Path, room: str, number: int, seed: int) -> None:
    """Print what becomes of some random changes of a room, and how many of them were found."""
    home = next(path for path in (folder / room, folder / "visibility" / room) if path.is_dir())
    texts = {path: path.read_text() for path in sorted(home.glob("*.py"))}
    every = [(path, change) for path, text in texts.items() for change in changes_below(ast.parse(text))]
    finders: list[str] = []
    for path, (node, other) in random.Random(f"{seed} {room}").sample(every, number):
        name = path.relative_to(folder)
        tests = sorted((folder / "tests" / room).glob("test_*.py"))
        write(path, changed_text(texts[path], (node, other)))
        found = next(filter(None, (failing(folder, group) for group in nearest_first(name, tests))), [])
        write(path, texts[path])
        finders += found
        print(f"{'found' if found else 'SURVIVED'} {name}:{node.lineno}: {ast.unparse(node)} → {ast.unparse(other)}")
        print("".join(f"    by {each}\n" for each in found), end="", flush=True)
    named = sorted({each for each in finders if "::" in each})
    is_red = named and failing(folder, named)
    print(f"{room}, seed {seed}: {len(finders)} of {number} found{', BUT RED BEFORE' if is_red else ''}", flush=True)


def main() -> None:
    """Try each room."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", nargs="+", default=["counts", "scores", "brands"])
    parser.add_argument("--number", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if reference := reference_folder():
        os.environ["REFERENCE_DATA"] = str(reference)
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        folder = Path(temporary) / "project"
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "var", "__pycache__"))
        for room in options.rooms:
            try_room(folder, room, options.number, options.seed)


if __name__ == "__main__":
    main()
