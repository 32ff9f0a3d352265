"""The crawlers of AI systems: their vendors, purposes, and the pages on which vendors describe them.

`crawlers.json` is this project's own table, from the vendors' pages; its tokens were compared with the list
ai.robots.txt (MIT licence).
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Purpose = Literal["search", "user", "training"]
"""`search` builds the index that answers are searched in; `user` fetches a page because someone asked an assistant
for it; `training` collects text for models. A site that blocks training stays in AI search."""


@dataclass(frozen=True)
class Crawler:
    """A crawler: the token that robots.txt names it by, and the page where its vendor describes it (or empty)."""

    token: str
    vendor: str
    purpose: Purpose
    page: str = ""
    fetches: bool = True
    """False for a name that is used in robots.txt only, and makes no requests."""


CRAWLERS = tuple(Crawler(**row) for row in json.loads(Path(__file__).with_name("crawlers.json").read_bytes()))
SEARCH = ("OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Googlebot", "bingbot", "Applebot")
"""The crawlers of search whose access is checked."""
USER = ("ChatGPT-User", "Claude-User", "Perplexity-User")
"""The fetchers for users whose access is checked."""
