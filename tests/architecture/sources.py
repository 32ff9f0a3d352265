"""The Python sources of the service, parsed: what the tests of its structure look at."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FLOORS = {"apikeys": 1, "brands": 2, "visibility": 3, "mcp_bridge": 4, "config": 5}
"""The floors of the house: an app imports from its own floor and from below."""
PURE = (
    "visibility/audit",
    "visibility/engines",
    "visibility/detection",
    "visibility/metrics",
    "visibility/evidence",
    "visibility/writers",
    "visibility/evidence",
    "apikeys/text/language_files.py",
    "apikeys/text/sentences.py",
    "apikeys/text/size.py",
    "apikeys/text/untrusted.py",
    "apikeys/errors.py",
    "brands/domains.py",
)
"""What computes only: no Django, no settings, no database."""


@dataclass(frozen=True)
class Source:
    """One module: its path below the repository and its syntax tree."""

    path: str
    tree: ast.Module
    lines: int

    @property
    def app(self) -> str:
        """The floor that the module belongs to."""
        return self.path.split("/", 1)[0]

    def imports(self):
        """Each (line, dotted module) that the module imports, anywhere in it."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield node.lineno, ("." * node.level) + (node.module or "")

    def functions(self):
        """Each function and method, nested ones too."""
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@cache
def sources() -> tuple[Source, ...]:
    """Every module of the apps and of config, migrations apart."""
    found = []
    for app in FLOORS:
        for file in sorted((ROOT / app).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if "/migrations/" not in path:
                text = file.read_text()
                found.append(Source(path, ast.parse(text, path), text.count("\n")))
    return tuple(found)
