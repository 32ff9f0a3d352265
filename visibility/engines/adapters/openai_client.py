"""What the two adapters that speak OpenAI's protocols share: the way of a question, over OpenAI's own client."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx2
import openai

from visibility.engines.connection import Connections, keep_quiet
from visibility.engines.failures import received, transport_failure
from visibility.engines.protocol import Bill, EngineAnswer, Question
from visibility.engines.spec import EngineSpec
from visibility.engines.transport import http_client

keep_quiet("openai", "httpx2")

NO_KEY = "none"
"""What is sent where a server wants no key: the client insists on one."""


class OpenAIAdapter(ABC):
    """Sends one question as one request to its `path` and reads the answer from the body.

    The client is shared by engines with the same key. It never retries and follows no redirect, which would carry the
    key elsewhere.
    """

    path: str

    def __init__(self, spec: EngineSpec, connections: Connections) -> None:
        self._spec = spec
        self._connections = connections

    async def ask(self, question: Question) -> EngineAnswer:
        """Ask once. Raises EngineError."""
        raw, body = await self._fetch(self.parameters(question))
        return self.read(body, raw)

    @abstractmethod
    def parameters(self, question: Question) -> dict[str, Any]:
        """The body of the request."""

    @abstractmethod
    def bill(self, body: dict[str, Any]) -> Bill:
        """What the provider charges for a call with this body, which may be no answer."""

    @abstractmethod
    def read(self, body: dict[str, Any], raw: bytes) -> EngineAnswer:
        """The answer that a body holds. Raises EngineError where it holds none."""

    async def _fetch(self, parameters: Mapping[str, Any]) -> tuple[bytes, dict[str, Any]]:
        """The body of the answer, as received and as JSON, neither with the key in it.

        The client's own methods for a path convert the parameters by its types first, which takes a fifth of what a
        call costs here, and know one provider's parameters only.
        """
        try:
            raw = (await self._connected().post(self.path, cast_to=httpx2.Response, body=parameters)).content
        except openai.APIConnectionError as error:
            raise transport_failure(error) from None
        return received(raw, self._spec.api_key, self.bill)

    def _connected(self) -> openai.AsyncOpenAI:
        return self._connections.client("openai", self._spec, self._client)

    def _client(self) -> tuple[openai.AsyncOpenAI, Callable[[], Awaitable[None]]]:
        client = openai.AsyncOpenAI(
            api_key=self._spec.api_key or NO_KEY,
            base_url=self._spec.address,
            max_retries=0,
            timeout=None,
            http_client=http_client(self._spec),
        )
        return client, client.close
