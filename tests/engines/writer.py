"""An engine that writes, with scripted replies: a server that speaks OpenAI's Chat Completions protocol."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.engines.provider import chat_body
from visibility.models import Engine


@contextmanager
def scripted_writer(monkeypatch, replies: Sequence[object]) -> Iterator[list[str]]:
    """What it was asked, while it answers with these replies, one after the other: texts, or objects as JSON.

    An engine that writes is set up to ask it. Behind the last reply every call is refused.
    """
    asked: list[str] = []
    left = list(replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append(request["messages"][-1]["content"])
            reply = left.pop(0) if left else None
            text = reply if isinstance(reply, str) else json.dumps(reply)
            body = json.dumps(
                chat_body(request["model"], text) if reply is not None else {"error": {"message": "no"}}
            )
            self.send_response(200 if reply is not None else 400)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    Engine.objects.create(name="scribe", preset="openai-chat", model="scribe-1", base_url=url, writes=True)
    try:
        yield asked
    finally:
        server.shutdown()
        server.server_close()
