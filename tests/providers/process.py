"""Starts the provider on loopback, tells where it answers, and reads what it was asked."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tests.live import DIRECT, ROOT
from tests.providers.book import Book, Request

BASE_PATHS = {"responses": "/v1", "chat": "/v1", "messages": "", "gemini": ""}
"""What each protocol's client puts before the paths that it calls."""


@dataclass(frozen=True)
class ProviderProcess:
    """A running provider."""

    url: str
    pid: int

    def base_url(self, protocol: str) -> str:
        """What an engine that speaks this protocol has to be told."""
        return self.url + BASE_PATHS[protocol]

    def book(self) -> Book:
        """What it was asked since it was started or forgot."""
        with DIRECT.open(f"{self.url}/book", timeout=30) as response:
            told = json.load(response)
        return Book([Request(**each) for each in told["requests"]], told["most"])

    def forget(self) -> None:
        """Begin a new book."""
        DIRECT.open(urllib.request.Request(f"{self.url}/book", method="DELETE"), timeout=30).close()


@contextmanager
def provider_process(
    latency: float = 0.0, paragraphs: int = 10, files: Mapping[str, Sequence[str]] | None = None
) -> Iterator[ProviderProcess]:
    """A provider as a process of its own until the block ends; answers come after `latency` seconds.

    They have so many paragraphs, or are the bodies in `files`, in turn, for the protocols that it names.
    """
    options = {"--latency": str(latency), "--paragraphs": str(paragraphs), "--files": json.dumps(files or {})}
    command = [sys.executable, "-m", "tests.providers.server", *(word for pair in options.items() for word in pair)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield ProviderProcess(f"http://127.0.0.1:{int(process.stdout.readline())}", process.pid)
        finally:
            process.kill()
