"""Links to the results of a web search: suggestions to search, not sources."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Words, load_file
from visibility.detection.text.addresses import registrable_domain


@dataclass(frozen=True, slots=True, config=STRICT)
class _Search:
    """A site that searches the web: the path of its result pages, and the parameters that hold the question."""

    path: re.Pattern[str]
    parameters: Words


_SEARCHES = load_file(Path(__file__).with_suffix(".toml"), dict[str, _Search])


def is_search(url: str) -> bool:
    """Whether a canonical URL leads to the results of a search."""
    parts = urlsplit(url)
    search = _SEARCHES.get(registrable_domain(parts.hostname or "").split(".")[0])
    if search is None:
        return False
    return bool(search.path.fullmatch(parts.path)) and not search.parameters.isdisjoint(parse_qs(parts.query))
