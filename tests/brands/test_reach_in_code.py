"""What doors and reads query of brands' rows is narrowed where it begins: a query that forgot it would show all."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from tests.conftest import ROOT

NARROWING = {"restrict", "of_brand", "first_of_each", "to_address"}
LEADS_TO_BRAND = ("brand", "run", "answer", "prompt", "version", "collaborations__brand", "audit")
DOORS = ("visibility/api", "visibility/pages", "mcp_bridge")
MODULES = sorted(
    {path for door in DOORS for path in (ROOT / door).rglob("*.py")} | {*ROOT.glob("visibility/*/*reads.py")}
)


def of_brands() -> set[str]:
    """The names of the models whose rows belong to brands."""
    managed = [model for model in apps.get_models() if hasattr(model, "objects")]
    return {"Brand"} | {model.__name__ for model in managed if isinstance(model.objects.all(), BrandScopedQuerySet)}


def queries(tree: ast.Module) -> Iterator[list[ast.Call]]:
    """The calls of each chain that begins with `Model.objects`."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    models = of_brands()
    for node in ast.walk(tree):
        is_manager = isinstance(node, ast.Attribute) and node.attr == "objects" and isinstance(node.value, ast.Name)
        if is_manager and node.value.id in models:
            calls, place = [], node
            while isinstance(above := parents[place], ast.Attribute) or getattr(above, "func", None) is place:
                calls += [above] if isinstance(above, ast.Call) else []
                place = above
            yield calls or [ast.Call(node, [], [])]


def is_narrow(calls: list[ast.Call]) -> bool:
    """Whether a chain names a brand, or something that was looked up within one."""
    return any(
        call.func.attr in NARROWING
        or (call.func.attr == "filter" and call.args)
        or any((keyword.arg or "").startswith(LEADS_TO_BRAND) for keyword in call.keywords)
        for call in calls
        if isinstance(call.func, ast.Attribute)
    )


def wide(text: str) -> list[str]:
    """The queries of a module that are not narrowed."""
    return [ast.unparse(calls[-1]) for calls in queries(ast.parse(text)) if not is_narrow(calls)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_query_of_a_door_or_read_reaches_beyond_a_brand(path: Path):
    assert wide(path.read_text()) == []


def test_a_query_that_forgot_it_is_found():
    forgotten = "rows = Run.objects.filter(kind='audit').newest()\nAnswer.objects.get(pk=pk)"
    assert sorted(wide(forgotten)) == ["Answer.objects.get(pk=pk)", "Run.objects.filter(kind='audit').newest()"]
    assert wide("Run.objects.filter(brand=brand)\nBrand.objects.restrict(caller, 'view')") == []
    assert Brand.__name__ in of_brands()
