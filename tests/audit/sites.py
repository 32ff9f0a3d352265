"""A web site on loopback for audits: pages by path, what each answers, and a book of what was asked; and the audit of
it."""

import asyncio
import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from visibility.audit import Gathered, Order, SitePage, Verdict, gather, judge, site_of
from visibility.audit.facts import Site

HOST = "acme.example"
AGENT = "BrandVisibilityBot/1.0 (+https://visibility.example/bot)"


@dataclass
class Answer:
    """What an address answers."""

    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "text/html; charset=utf-8"
    drip: float = 0
    """Seconds before each thousand bytes of the body."""

    @property
    def data(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


@dataclass(frozen=True)
class Request:
    """What was asked for, by whom and when (`second` of a monotonic clock)."""

    method: str
    path: str
    agent: str
    headers: Mapping[str, str]
    second: float


@dataclass
class WebSite:
    """The site: `pages` by path, `otherwise` for paths that it does not have. Everything may change while it runs."""

    pages: dict[str, Answer] = field(default_factory=dict)
    otherwise: Callable[[str], Answer] = lambda path: Answer("not here", 404)
    edge: Callable[[Request], Answer | None] = lambda request: None
    """What is in front of the site and may answer in its place."""
    marked: bool = False
    """Whether pages have an ETag, and are not sent again to who has them."""
    requests: list[Request] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    host: str = HOST
    port: int = 0

    def page(self, path: str, *links: str, text: str = "", **more: Any) -> None:
        """Have a page with a title, some text, and links."""
        anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
        body = f"<!doctype html><html lang=en><head><title>Page {path}</title></head><body><nav>{anchors}</nav><main>"
        body += f"<h1>{path}</h1><p>{text or f'Words about {path}. ' * 20}</p></main></body></html>"
        self.pages[path] = Answer(body, **more)

    def robots(self, text: str, **more: Any) -> None:
        """Have this robots.txt."""
        self.pages["/robots.txt"] = Answer(text, content_type="text/plain", **more)

    def sitemap(self, *paths: str, path: str = "/sitemap.xml") -> None:
        """Have a sitemap of these paths."""
        entries = "".join(f"<url><loc>http://{self.host}{each}</loc></url>" for each in paths)
        xml = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        self.pages[path] = Answer(xml, content_type="application/xml")

    def times(self, agent: str = "BrandVisibilityBot/") -> Counter[str]:
        """How often each path was asked for under a name, by GET."""
        return Counter(
            each.path for each in list(self.requests) if each.agent.startswith(agent) and each.method == "GET"
        )


def _handler(site: WebSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, headers.get("user-agent", ""), headers, time.monotonic())
            with site.lock:
                site.requests.append(request)
                site.at_once += 1
                site.most_at_once = max(site.most_at_once, site.at_once)
            try:
                answer = site.edge(request) or site.pages.get(self.path) or site.otherwise(self.path)
                self._answer(_marked(request, answer) if site.marked else answer)
            finally:
                with site.lock:
                    site.at_once -= 1

        do_HEAD = do_GET

        def _answer(self, answer: Answer) -> None:
            self.send_response(answer.status)
            headers = {"Content-Type": answer.content_type, "Content-Length": str(len(answer.data)), **answer.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD" and not answer.drip:
                self.wfile.write(answer.data)
            elif self.command != "HEAD":
                for start in range(0, len(answer.data), 1_000):
                    time.sleep(answer.drip)
                    self.wfile.write(answer.data[start : start + 1_000])
                    self.wfile.flush()
            self.wfile.flush()

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


def _marked(request: Request, answer: Answer) -> Answer:
    mark = {"ETag": f'"{hashlib.sha256(answer.data).hexdigest()[:16]}"'}
    if answer.status == 200 and request.headers.get("if-none-match") == mark["ETag"]:
        return Answer("", 304, mark)
    return replace(answer, headers={**answer.headers, **mark})


@contextmanager
def serving(site: WebSite) -> Iterator[WebSite]:
    """Serve the site until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(site))
    server.daemon_threads = True
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Memory:
    """What an audit stored, as a noun would have it."""

    gathered: Gathered | None = None
    pages: list[SitePage] = field(default_factory=list)

    async def save_facts(self, gathered: Gathered) -> None:
        self.gathered = gathered

    async def save_page(self, page: SitePage) -> None:
        self.pages.append(page)


def order_of(site: WebSite, **more: Any) -> Order:
    """The order to audit a site that is served."""
    details = {"names": ("Acme",), "user_agent": AGENT, "unused_path": "9f86d081884c7d659a2feaa0"}
    # Its twin, too, so that no request leaves this machine.
    hosts = dict.fromkeys([site.host, f"www.{site.host}"], ("127.0.0.1", site.port))
    return Order(domain=site.host, local_hosts=hosts, **{**details, **more})


def gathered_of(site: WebSite, memory: Memory | None = None, **more: Any) -> Memory:
    """What is gathered of a site that is served, going on from a memory; `more` as in `gather`, and of the order."""
    memory = memory or Memory()
    known = {name: more.pop(name) for name in ("earlier", "is_halted") if name in more}
    stored = {"gathered": memory.gathered, "pages": tuple(memory.pages)}
    asyncio.run(gather(order_of(site, **more), memory, **stored, **known))
    return memory


def facts_of(site: WebSite, memory: Memory, **more: Any) -> Site:
    """All that the checks read."""
    assert memory.gathered
    return site_of(order_of(site), memory.gathered, memory.pages, audited_at=datetime.now(UTC), **more)


def audited(site: WebSite, **more: Any) -> Verdict:
    """Serve a site, audit it, and judge it."""
    with serving(site):
        return judge(facts_of(site, gathered_of(site, **more)))
