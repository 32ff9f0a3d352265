"""What reading a page costs, and how well its main text is told: `python -m tests.bench.pages`.

CPU a page by size of its HTML, over the saved pages of the reference data; and F1 of the main text in each set. All
times are processor time of this process, the best of several rounds. Without the
reference data it says so and measures nothing.
"""

import logging
import os
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

from tests.audit.parse.saved import Saved, articles, everything, products
from tests.audit.parse.test_main_text import f1, marked_text
from visibility.audit.page import ParsedPage
from visibility.audit.parse.parsing import parse_page

DATA = Path(os.environ.get("REFERENCE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
ROUNDS = 3
CLASSES = {"100 KB": (70_000, 140_000, 45), "300 KB": (200_000, 420_000, 110), "1 MB": (800_000, 1_600_000, 400)}
"""Smallest and biggest page of the class, and the aim in milliseconds for one."""
MIN_F1, MIN_F1_OF_SET = 0.955, 0.94


def milliseconds(page: Saved) -> float:
    """Processor time of one reading of a page, the best of several."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        parse_page(page.body, url=page.url, content_type="text/html")
        best = min(best, time.process_time() - start)
    return best * 1_000


def costs() -> bool:
    """Print what pages of each class cost; whether the median is within its aim."""
    pages, within = list(everything(DATA)), True
    for name, (smallest, biggest, aim) in CLASSES.items():
        taken = sorted(milliseconds(page) for page in pages if smallest <= len(page.body) <= biggest)
        median = statistics.median(taken)
        within = within and median <= aim
        print(
            f"{name:>7}: {median:6.0f} ms (aim {aim}), {len(taken)} pages,"
            f" mean {statistics.mean(taken):.0f}, highest {taken[-1]:.0f} ms"
        )
    return within


def qualities() -> bool:
    """Print F1 of the main text by set; whether it is within the aims."""
    scores = defaultdict(list)
    for page in articles(DATA):
        said = parse_page(page.body, url=page.url, content_type="text/html")
        assert isinstance(said, ParsedPage)
        scores[page.group].append(f1(marked_text(page.gold), said.main_text))
    overall = statistics.mean(score for group in scores.values() for score in group)
    for group, found in scores.items():
        print(f"main text, {group}: F1 {statistics.mean(found):.3f} over {len(found)} pages, lowest {min(found):.3f}")
    print(f"main text, all: F1 {overall:.3f} (aim {MIN_F1})")
    return overall >= MIN_F1 and min(map(statistics.mean, scores.values())) >= MIN_F1_OF_SET


def main() -> int:
    """Exit code 1 where an aim is missed."""
    logging.disable(logging.WARNING)
    if not (DATA / "site-audit").exists():
        print(f"No saved pages at {DATA}: nothing measured.")
        return 0
    for page in list(products(DATA))[:3]:  # what libraries load at first use is no cost of a page
        parse_page(page.body, url=page.url, content_type="text/html")
    met = [costs(), qualities()]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
