"""What the tests of writing share: callers, and a provider on loopback that writes what a test tells it to."""

import json

import pytest
from werkzeug import Response

from apikeys.operators import system_caller
from tests.engines.bodies import chat
from visibility.services.engines.configuring import add_engine


class Provider:
    """A provider that speaks OpenAI's chat protocol on loopback; `asked` holds what it was sent."""

    def __init__(self, httpserver):
        self._server = httpserver
        self._replies = []
        self.asked = []
        self.before_first = None
        httpserver.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._answer)

    def replies(self, *replies):
        """What to answer, one after the other: an object is sent as JSON text, a number as a failure's status; a
        function makes an object of what was asked."""
        self._replies = list(replies)

    def _answer(self, request):
        if self.before_first is not None:
            act, self.before_first = self.before_first, None
            act()
        self.asked.append(request.get_json()["messages"][-1]["content"])
        reply = self._replies.pop(0)
        if callable(reply):
            reply = reply(self.asked[-1])
        if isinstance(reply, int):
            return Response(json.dumps({"error": {"message": "no"}}), reply, content_type="application/json")
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return Response(json.dumps(chat(text)), content_type="application/json")


@pytest.fixture
def provider(httpserver, db):
    """An engine that writes, at a provider of ours."""
    add_engine(
        system_caller("test"),
        name="quill",
        provider="vllm",
        model="model-1",
        base_url=httpserver.url_for("/v1"),
        writes=True,
    )
    return Provider(httpserver)
