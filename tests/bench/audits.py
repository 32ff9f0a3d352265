"""What an audit costs in time: `make bench`. A site of 50 pages of 30 KB, each answered after 50 ms.

The manners of every audit are two requests at once and five in a second: N requests take at least N / 5 seconds. The
ratio is to that, from the first request until all is gathered and judged. Exits with 1 when the limit is missed; a
machine that is busy with other work misses it.
"""

import sys
import time
from itertools import count

from tests.audit.sites import HOST, Request, WebSite, facts_of, gathered_of, serving
from visibility.audit import judge
from visibility.audit.crawl.client import PER_SECOND

PAGES, PAGE_BYTES, DELAY = 50, 30_000, 0.05
LIMIT = 1.5
"""What an audit may take, in times of the ideal."""


def make_site() -> WebSite:
    """The site. Hosts of this machine are asked without a pause, so its robots.txt asks for that of all others."""
    site = WebSite(edge=_delay)
    paths = ["/", *(f"/section-{number % 7}/{number}" for number in range(1, PAGES))]
    for path in paths:
        text, numbers = "", count(1)
        while len(text) < PAGE_BYTES:
            text += f"<p>Sentence {next(numbers)} of {path} says what a kettle does, and for whom it was made.</p>"
        site.page(path, *paths, text=text)
    site.sitemap(*paths)
    site.robots(f"User-agent: *\nCrawl-delay: {1 / PER_SECOND}\nSitemap: http://{HOST}/sitemap.xml\n")
    return site


def _delay(request: Request) -> None:
    time.sleep(DELAY)


def main() -> int:
    """Audit, print; 1 when the limit is missed."""
    with serving(make_site()) as site:
        begun = time.monotonic()
        memory = gathered_of(site)
        verdict = judge(facts_of(site, memory))
        seconds = time.monotonic() - begun
    read = sum(page.parsed is not None for page in memory.pages)
    ideal = len(site.requests) / PER_SECOND
    print(
        f"An audit of {read} pages, {len(site.requests)} requests: {seconds:.1f} s, {seconds / ideal:.2f} × the "
        f"ideal; score {verdict.score or 0:.0f}. Limit: {LIMIT} × the ideal."
    )
    return 1 if seconds / ideal > LIMIT or read < PAGES else 0


if __name__ == "__main__":
    sys.exit(main())
