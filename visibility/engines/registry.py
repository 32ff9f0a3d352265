"""Loads engines by the dotted path of their factory, when they are first used: provider libraries are heavy."""

import importlib
from typing import cast

from visibility.engines.protocol import Engine


def load_engine(path: str) -> Engine:
    """The engine that the factory at `path` ("package.module.name", called without arguments) makes.

    Raises LookupError that names the path when it leads to nothing.
    """
    module, _, name = path.rpartition(".")
    try:
        factory = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise LookupError(f"No engine at {path!r}; give the dotted path of a class or function: {error}") from error
    return cast(Engine, factory())
