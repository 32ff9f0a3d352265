"""One address for each page: what leads to it unwrapped, and without what makes the same page look like another."""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import idna

from visibility.detection.addresses import SITES
from visibility.detection.redirects import target_of

MOST_REDIRECTS = 5
_TRACKING = re.compile(r"utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|srsltid|_gl|igshid|ref_src|rdt|_x_tr_\w+|amp_\w+")
_AMP_PARAMETERS = re.compile(r"amp=(?:1|true|yes)?|output(?:type)?=amp", re.IGNORECASE)
_OTHER_DEVICES = frozenset(("m", "mobile", "amp"))
"""Labels of hosts where a site has the same pages for telephones."""
_START_PAGE = re.compile(r"/(?:index\.html?|(?P<script>(?:index\.php|default\.aspx?)))$", re.IGNORECASE)
# Behind a plain word ("/shop/amp") it may be a product. "/en-us/amp" is a plain word, too.
_AMP_PATH = re.compile(r"(?<=/)(?![a-z]{3,}/|[a-z]{2}-[a-z]{2}/)([^/]+)/amp$", re.IGNORECASE)
_VIDEO = re.compile(r"/(?:embed|shorts|live|v|e)/(?!videoseries|live_stream)([\w-]+)")
_OF_REDDIT = re.compile(r"/(?:r|u|user|comments)/")
_SAFE = "/%:@!$&'()*+,;=~"
_PLAIN_IN_PATHS = re.compile(r"[\w.~!'()*,:@-]", re.ASCII)


@lru_cache(maxsize=16_384)
def canonical_url(url: str) -> str:
    """One form for the address of a page: https, ASCII host without "www.", no default port, fragment, tracking or
    trailing slash; the page itself for a redirect, its AMP form or that for telephones. Empty for what is no web
    address."""
    for _ in range(MOST_REDIRECTS):
        page = _one_form(target_of(url.strip()))
        if page == url:
            break
        url = page
    return url


def _one_form(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port and parts.port not in (80, 443) else ""
        host = idna.encode(parts.hostname or "", uts46=True).decode("ascii").removeprefix("www.")
    except ValueError:  # idna's errors are among them
        return ""
    if parts.scheme not in ("http", "https") or "." not in host:
        return ""
    items = parse_qsl(parts.query, keep_blank_values=True)
    items = [(name, value) for name, value in items if not _is_of_the_visit(name, value)]
    path = re.sub(r"[\s/]+$", "", _encoded(parts.path))
    if (start := _START_PAGE.search(path)) and not (start["script"] and items):
        path = path[: start.start()].rstrip("/")
    path = _AMP_PATH.sub(r"\1", path)
    host, path, items = _of_site(_desktop(host), path, items)
    return f"https://{host}{port}{path}{'?' + urlencode(items) if items else ''}"


def _is_of_the_visit(name: str, value: str) -> bool:
    """Whether a parameter says how somebody came, or for which device, rather than which page it is."""
    return bool(_TRACKING.fullmatch(name) or _AMP_PARAMETERS.fullmatch(f"{name}={value}"))


def _encoded(path: str) -> str:
    """A path in which a character is percent-encoded where it has to be, and only there."""

    def shortest(match: re.Match[str]) -> str:
        character = chr(int(match[1], 16))
        return character if _PLAIN_IN_PATHS.fullmatch(character) else match[0].upper()

    whole = re.sub(r"%(?![0-9a-fA-F]{2})", "%25", path)
    return quote(re.sub(r"%([0-9a-fA-F]{2})", shortest, whole), safe=_SAFE, errors="replace")


def _desktop(host: str) -> str:
    """The host without the labels that say "for telephones": "en.wikipedia.org" of "en.m.wikipedia.org"."""
    labels = SITES(host).subdomain.split(".")
    if _OTHER_DEVICES.isdisjoint(labels):
        return host
    own = host.split(".")[len(labels) :]
    shorter = ".".join([*(label for label in labels if label not in _OTHER_DEVICES), *own])
    return shorter.removeprefix("www.") if "." in shorter else host


def _of_site(host: str, path: str, items: list[tuple[str, str]]) -> tuple[str, str, list[tuple[str, str]]]:
    """The same where two great sites show one page under several addresses: a video, a thread."""
    if host == "youtu.be":
        video = path.strip("/")
    elif host in ("youtube.com", "youtube-nocookie.com"):
        embedded = _VIDEO.fullmatch(path)
        video = embedded[1] if embedded else dict(items).get("v", "") if path == "/watch" else ""
    elif host.endswith(".reddit.com") and _OF_REDDIT.match(path):
        return "reddit.com", path, items
    else:
        return host, path, items
    return ("youtube.com", "/watch", [("v", video)]) if re.fullmatch(r"[\w-]+", video) else (host, path, items)
