"""Makes engines by the dotted path of their class, when they are first used: provider libraries are heavy."""

import asyncio
import importlib
from typing import Any, Protocol, cast

from visibility.engines.connection import Connections
from visibility.engines.protocol import Engine, EngineAnswer, Question
from visibility.engines.spec import EngineSpec


class Adapter(Protocol):
    """Speaks one provider's protocol for one engine."""

    async def ask(self, question: Question) -> EngineAnswer:
        """Ask once. Raises EngineError."""
        ...


class ProviderEngine(Engine):
    """A configured engine. Its adapter, and with it the provider's library, is loaded before the first question."""

    def __init__(self, spec: EngineSpec, connections: Connections) -> None:
        self.name = spec.name
        self.concurrency = spec.concurrency
        self.requests_per_minute = spec.requests_per_minute
        self.max_samples = spec.max_samples
        self.account = spec.account
        self._spec = spec
        self._connections = connections
        self._adapter: Adapter | None = None
        self._loading = asyncio.Lock()

    async def prepare(self) -> None:
        """Load the adapter. Raises LookupError where there is none."""
        await self._loaded()

    async def ask(self, question: Question) -> EngineAnswer:
        """Ask once. Raises EngineError."""
        return await (self._adapter or await self._loaded()).ask(question)

    async def aclose(self) -> None:
        """Close the connections, also those of engines that share them; the next question opens new ones."""
        await self._connections.aclose()

    async def _loaded(self) -> Adapter:
        async with self._loading:
            if self._adapter is None:
                # Importing takes a second or two: in a thread, so that answers of other engines go on arriving.
                adapter = await asyncio.to_thread(_named, self._spec.provider.adapter)
                self._adapter = cast(Adapter, adapter(self._spec, self._connections))
        return self._adapter


def build(spec: EngineSpec, connections: Connections | None = None) -> Engine:
    """The engine that `spec` describes; nothing is imported or connected before it is asked.

    Engines that get the same `connections` share the client of their provider and key.
    """
    return ProviderEngine(spec, connections or Connections())


def load_engine(path: str) -> Engine:
    """The engine that the factory at `path` ("package.module.name", called without arguments) makes.

    Raises LookupError that names the path when it leads to nothing.
    """
    return cast(Engine, _named(path)())


def _named(path: str) -> Any:
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise LookupError(f"No engine at {path!r}; give the dotted path of a class or function: {error}") from error
