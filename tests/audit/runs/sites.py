"""A web site on loopback for audits: pages by path, what each answers, and a book of what was asked and when."""

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "acme.example"


@dataclass
class Answer:
    """What an address answers."""

    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Request:
    """What was asked for, by whom and when (`second` of a monotonic clock)."""

    method: str
    host: str
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
    """What stands before the site and may answer in its place."""
    marked: bool = False
    """Whether pages have an ETag, and are not sent to who has them."""
    seconds: float = 0.0
    requests: list[Request] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0

    def page(self, path: str, *links: str, text: str = "", **more) -> None:
        """Have a page with a title, some text, and links."""
        anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
        body = f"<!doctype html><html lang=en><head><title>Page {path}</title></head><body><nav>{anchors}</nav><main>"
        body += f"<h1>{path}</h1><p>{text or f'Words about {path}. ' * 20}</p></main></body></html>"
        self.pages[path] = Answer(body, **more)

    def robots(self, text: str, **more) -> None:
        """Have this robots.txt."""
        self.pages["/robots.txt"] = Answer(text, content_type="text/plain", **more)

    def sitemap(self, *paths: str, path: str = "/sitemap.xml") -> None:
        """Have a sitemap of these paths."""
        entries = "".join(f"<url><loc>http://{HOST}{each}</loc></url>" for each in paths)
        xml = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        self.pages[path] = Answer(xml, content_type="application/xml")

    def times(self, agent: str = "BrandVisibilityBot") -> Counter[str]:
        """How often each path was asked under a name."""
        return Counter(request.path for request in list(self.requests) if agent in request.agent)

    @property
    def local_hosts(self) -> str:
        """The setting that leads to this site."""
        return f"{HOST}=127.0.0.1:{self.port}"


def _handler(site: WebSite):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self):
            headers = {name.lower(): value for name, value in self.headers.items()}
            host, agent = headers.get("host", ""), headers.get("user-agent", "")
            request = Request(self.command, host, self.path, agent, headers, time.monotonic())
            with site.lock:
                site.requests.append(request)
                site.at_once += 1
                site.most_at_once = max(site.most_at_once, site.at_once)
            try:
                if site.seconds:
                    time.sleep(site.seconds)
                answer = site.edge(request) or site.pages.get(self.path) or site.otherwise(self.path)
                self._answer(_marked(request, answer) if site.marked else answer)
            finally:
                with site.lock:
                    site.at_once -= 1

        do_HEAD = do_GET

        def _answer(self, answer):
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            self.send_response(answer.status)
            headers = {"Content-Type": answer.content_type, "Content-Length": str(len(body)), **answer.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, *args):
            pass

    return Handler


def _marked(request: Request, answer: Answer) -> Answer:
    body = answer.body.encode() if isinstance(answer.body, str) else answer.body
    mark = {"ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"'}
    if answer.status == 200 and request.headers.get("if-none-match") == mark["ETag"]:
        return Answer("", 304, mark)
    return replace(answer, headers={**answer.headers, **mark})


@contextmanager
def serving(site: WebSite, port: int = 0) -> Iterator[WebSite]:
    """Serve the site until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(site))
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
