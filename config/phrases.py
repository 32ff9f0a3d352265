"""The sentences that audits store in English: templates, as their modules write them in f-strings and constants."""

import ast
import json
import re
from collections.abc import Iterator

from django.conf import settings

MODULES = {
    "visibility/audit/checks": "audit",
    "visibility/audit/crawl/order.py": "audit",
    "visibility/audit/outcome.py": "audit",
    "visibility/audit/sentences.py": "audit",
    "visibility/audit/read/pages.py": "audit",
    "visibility/audit/proposals.py": "proposal",
    "visibility/recommendations/pieces.py": "card",
}
"""What has them, and the context that its sentences have in catalogues."""
CATALOGUE = "visibility/audit/catalogue.json"
NOT_SHOWN = frozenset({"classify", "compile", "get", "getLogger", "inconclusive", "not_applicable", "passed"})
"""Calls whose words no page shows."""
NOT_SHOWN_NAMES = frozenset({"_PURPOSES", "_SURFACES", "listed", "none", "policy", "remark"})
CONSTANT = re.compile(r"\A ?[A-Za-z.]+(?:[,:;]? [\w.:;,()/'-]+)+\Z")
CODE = re.compile(r"[<=\\|]|Allow:|rel=|\(\?")
PLAIN = frozenset({"host_of", "listed", "path_of", "shortened", "theirs"})
"""Calls after whose argument a place is called."""
LETTERS = re.compile(r"[A-Za-z]{2}")


def phrases() -> Iterator[tuple[str, str, str]]:
    """Every template, with its context and the file that has it."""
    for name, context in MODULES.items():
        path = settings.BASE_DIR / name
        for each in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            for text in _of_node(ast.parse(each.read_text())):
                yield text, context, str(each.relative_to(settings.BASE_DIR))
    for check in json.loads((settings.BASE_DIR / CATALOGUE).read_text())["checks"]:
        yield check["problem"], "audit", CATALOGUE


def _of_node(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Compare() | ast.Raise() | ast.Import() | ast.ImportFrom():
            return
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in NOT_SHOWN:
            return
        case (
            ast.keyword(arg=name)
            | ast.Assign(targets=[ast.Name(id=name)])
            | ast.AnnAssign(target=ast.Name(id=name))
            | ast.FunctionDef(name=name)
        ) if name in NOT_SHOWN_NAMES:
            return
        case ast.Call(func=ast.Name(id="counted" | "also" as name)):
            yield from _of_number(node, name)
            return
        case ast.JoinedStr():
            if LETTERS.search(_literal(node)) and not CODE.search(_literal(node)):
                yield _template(node)
        case ast.Constant(value=str(text)) if CONSTANT.match(text):
            yield text
        case _:
            pass
    for child in ast.iter_child_nodes(node) if not isinstance(node, ast.JoinedStr) else _values(node):
        yield from _of_node(child)


def _of_number(call: ast.Call, name: str) -> Iterator[str]:
    """What stands behind a number: one thing, and several."""
    nouns = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if name == "also":
        nouns = [f"more {noun}" for noun in nouns or ["page"]]
    if nouns:
        yield f"{{number}} {nouns[0]}"
        yield f"{{number}} {nouns[1] if len(nouns) > 1 else f'{nouns[0]}s'}"


def _values(node: ast.JoinedStr) -> list[ast.expr]:
    return [each.value for each in node.values if isinstance(each, ast.FormattedValue)]


def _literal(node: ast.JoinedStr) -> str:
    return "".join(str(each.value) for each in node.values if isinstance(each, ast.Constant))


def _template(node: ast.JoinedStr) -> str:
    names: list[str] = []
    text = ""
    for each in node.values:
        if isinstance(each, ast.FormattedValue):
            name = _name(each.value)
            number = sum(one.rstrip("_0123456789") == name for one in names)
            names.append(f"{name}_{number + 1}" if number else name)
            text += f"{{{names[-1]}}}"
        elif isinstance(each, ast.Constant):
            text += str(each.value)
    return text


def _name(value: ast.expr) -> str:
    """What a place of a template is called: by the last name of its expression."""
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_").lower()
        case ast.Call(func=ast.Name(id="len")):
            return "number"
        case ast.Call(func=ast.Name(id="counted"), args=[_, ast.Constant(value=str(noun)), *_]):
            return noun.replace(" ", "_")
        case ast.Call(func=ast.Name(id=name)) if name not in PLAIN:
            return name.strip("_")
        case ast.Call(args=[first, *_]) | ast.Subscript(value=first):
            return _name(first)
    return "value"
