"""Imports stand at the top of their file, are absolute, and the pure packages stay pure."""

import ast

from tests.architecture.sources import FLOORS, PURE, sources


def test_there_is_something_to_look_at():
    assert {source.app for source in sources()} == set(FLOORS)
    assert len(sources()) > 50


def test_imports_are_absolute():
    relative = [
        f"{source.path}:{line}" for source in sources() for line, module in source.imports() if module.startswith(".")
    ]
    assert not relative, "\n".join(relative)


def test_no_import_stands_inside_a_function():
    inside = [
        f"{source.path}:{node.lineno} in {function.name}()"
        for source in sources()
        for function in source.functions()
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert not inside, "\n".join(inside)


def test_pure_packages_import_nothing_of_django_or_of_the_models():
    allowed = tuple(_dotted(package) for package in PURE)
    impure = [
        f"{source.path}:{line} imports {module}"
        for source in sources()
        if source.path.startswith(PURE)
        for line, module in source.imports()
        if module.split(".")[0] in {"django", "rest_framework", "celery", "environ"}
        or (module.split(".")[0] in FLOORS and not module.startswith(allowed))
    ]
    assert not impure, "\n".join(impure)


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
