"""Imports point down only, stand at the top of their file, and the pure packages stay pure."""

import ast

from tests.architecture.sources import FLOORS, PURE, sources


def test_there_is_something_to_look_at():
    assert {source.app for source in sources()} == set(FLOORS)
    assert len(sources()) > 50


def test_imports_point_down_only():
    upward = [
        f"{source.path}:{line} imports {module}"
        for source in sources()
        for line, module in source.imports()
        if FLOORS.get(module.split(".", 1)[0], 0) > FLOORS[source.app]
    ]
    assert not upward, "\n".join(upward)


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


def test_imports_between_modules_are_not_circular():
    modules = {_dotted(source.path): source for source in sources()}
    edges = {name: _first_party(source, modules) for name, source in modules.items()}
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name not in done:
            for target in sorted(edges[name]):
                walk(target, (*trail, name))
            done.add(name)

    for name in sorted(modules):
        walk(name, ())


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


def _first_party(source, modules) -> set[str]:
    """The modules of the service that `source` imports; `from package import module` counts as the module."""
    found = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (names & modules.keys()) or ({node.module} & modules.keys())
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & modules.keys()
    return found - {_dotted(source.path)}
