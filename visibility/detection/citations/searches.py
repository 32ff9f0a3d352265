"""Links to the results of a web search: suggestions to search, not sources."""

import re
from urllib.parse import parse_qs, urlsplit

from visibility.detection.text.addresses import registrable_domain

# Sites that search the web, by the name before their public suffix: the paths of their result pages and the
# parameters that hold the question.
_SEARCHES: dict[str, tuple[re.Pattern[str], frozenset[str]]] = {
    "chatgpt": (re.compile(r"/"), frozenset({"q", "hints"})),
    "google": (re.compile(r"/search"), frozenset({"q"})),
    "bing": (re.compile(r"/(?:\w+/)?search"), frozenset({"q"})),
    "duckduckgo": (re.compile(r"/(?:html/?)?"), frozenset({"q"})),
    "yahoo": (re.compile(r"/search(?:;.*)?"), frozenset({"p"})),
    "yandex": (re.compile(r"/search/?"), frozenset({"text"})),
    "baidu": (re.compile(r"/s"), frozenset({"wd", "word"})),
    "ecosia": (re.compile(r"/search"), frozenset({"q"})),
    "brave": (re.compile(r"/search"), frozenset({"q"})),
    "startpage": (re.compile(r"/(?:do|sp)/.*"), frozenset({"query", "q"})),
    "perplexity": (re.compile(r"/search(?:/.*)?"), frozenset({"q"})),
}


def is_search(url: str) -> bool:
    """Whether a canonical URL leads to the results of a search."""
    parts = urlsplit(url)
    site = registrable_domain(parts.hostname or "").split(".")[0]
    if site not in _SEARCHES:
        return False
    path, parameters = _SEARCHES[site]
    return bool(path.fullmatch(parts.path)) and not parameters.isdisjoint(parse_qs(parts.query))
