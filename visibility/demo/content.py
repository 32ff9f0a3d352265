"""What the demonstration is about. All companies, products and figures are invented."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from visibility.models import Intent, Stage
from visibility.services.engines.corpus import PageDraft
from visibility.services.prompts.editing import PromptDraft

PAGES = Path(__file__).parent / "pages"


@dataclass(frozen=True, slots=True)
class Rival:
    """A competitor of the demo brand."""

    name: str
    domain: str
    aliases: Sequence[str] = ()


NAME = "Norrvik Cycles"
DOMAIN = "norrvik.example"
ALIASES = ("Norrvik",)
DESCRIPTION = "An invented maker of electric bikes for commuters. Its data are for demonstration."
VIEWER = "viewer@example.com"
"""Somebody whom the owner lets look."""
DRAFTS = ("range", "winter")
"""The topics that the owner has pages written on."""
RIVALS = (
    Rival("Velmora", "velmora.example"),
    Rival("Tindel", "tindel.example"),
    Rival("Rookwood Cycles", "rookwood.example", ("Rookwood",)),
)

_AWARENESS = (Stage.AWARENESS, Intent.INFORMATIONAL)
_CONSIDERATION = (Stage.CONSIDERATION, Intent.COMPARISON)
_DECISION = (Stage.DECISION, Intent.TRANSACTIONAL)
_QUESTIONS = {
    "daily commute": [
        (_CONSIDERATION, "What is the best e-bike for commuting to work?"),
        (_DECISION, "Which commuter e-bike with belt drive and mudguards should I buy?"),
    ],
    "children": [
        (_AWARENESS, "How can I carry two children to school by bike?"),
        (_CONSIDERATION, "What is the best electric cargo bike for two kids?"),
    ],
    "train": [
        (_CONSIDERATION, "What is the best folding e-bike for the train?"),
        (_DECISION, "Which light folding bike fits under a desk?"),
    ],
    "winter": [
        (_AWARENESS, "Does an e-bike battery lose range in winter?"),
        (_CONSIDERATION, "What is the best e-bike for snow and ice?"),
    ],
    "theft": [
        (_AWARENESS, "How do I keep my e-bike from being stolen?"),
        (_CONSIDERATION, "Which e-bikes have a GPS tracker and an alarm built in?"),
    ],
    "leasing": [
        (_AWARENESS, "How does leasing an e-bike through an employer work?"),
        (_CONSIDERATION, "Is leasing an e-bike cheaper than buying it?"),
    ],
    "maintenance": [
        (_CONSIDERATION, "What does e-bike maintenance cost a year?"),
        (_DECISION, "Which e-bike brand sends mobile mechanics to my home?"),
    ],
    "range": [
        (_AWARENESS, "How many full charges does an e-bike battery last?"),
        (_CONSIDERATION, "Which e-bike has the longest range?"),
    ],
    "hills": [
        (_AWARENESS, "What does an e-bike need for steep hills?"),
        (_CONSIDERATION, "Which e-bike climbs steep hills best?"),
    ],
    "charging": [
        (_AWARENESS, "Is it safe to charge an e-bike battery at home overnight?"),
        (_DECISION, "What does it cost to charge an e-bike at home?"),
    ],
    "comfort": [
        (_AWARENESS, "How do I ride an e-bike with a bad back?"),
        (_CONSIDERATION, "What is the most comfortable e-bike for long rides?"),
    ],
    "price": [
        (_AWARENESS, "How much should I spend on an e-bike?"),
        (_CONSIDERATION, "Is a cheap e-bike under 2,000 euros any good?"),
    ],
    "buying": [
        (_AWARENESS, "Should I test ride an e-bike before I buy one?"),
        (_DECISION, "Which e-bike brands lend bikes for a test ride?"),
    ],
    "app": [
        (_CONSIDERATION, "Which e-bike has the best app without a subscription?"),
        (_DECISION, "Which e-bike brands update the motor software by app?"),
    ],
    "reputation": [
        (_CONSIDERATION, "Is Norrvik a good e-bike brand?"),
    ],
}


def prompts() -> list[PromptDraft]:
    """The questions by topic, each in several wordings; the last one names the brand."""
    return [
        PromptDraft(text=text, topic=topic, stage=stage, intent=intent, locale="en")
        for topic, questions in _QUESTIONS.items()
        for (stage, intent), text in questions
    ]


@dataclass(frozen=True, slots=True)
class BundledPage:
    """One version of a bundled page, there from the day `published` until the day before `removed` (None: for good).

    Days are numbered: 1 is the first day of the history, 0 and below lie before it.
    """

    url: str
    title: str
    text: str
    published: int
    removed: int | None

    def there_on(self, number: int) -> bool:
        """Whether the page could be found on that day."""
        return self.published <= number and (self.removed is None or number < self.removed)


def corpus_on(number: int, first_day: date) -> Mapping[str, PageDraft]:
    """The pages by address as they stood on a day of the history, which begins on `first_day`."""
    return {
        page.url: PageDraft(page.url, page.title, page.text, first_day + timedelta(days=page.published - 1))
        for page in bundled_pages()
        if page.there_on(number)
    }


@dataclass(frozen=True, slots=True)
class Upheaval:
    """How many pages of one domain were removed or rewritten on one day."""

    day: date
    domain: str
    pages: int


def upheaval(first_day: date) -> Upheaval:
    """The day of the history, which begins on `first_day`, that took most pages of one domain."""
    removals = Counter((page.removed, urlsplit(page.url).netloc) for page in bundled_pages() if page.removed)
    [((number, domain), pages)] = removals.most_common(1)
    return Upheaval(first_day + timedelta(days=number - 1), domain, pages)


@cache
def bundled_pages() -> tuple[BundledPage, ...]:
    """All versions of all pages: a head with address, title and days between lines of three dashes, then the text."""
    return tuple(_page(path) for path in sorted(PAGES.glob("*.md")))


def _page(path: Path) -> BundledPage:
    _, head, text = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    removed = int(fields["removed"]) if "removed" in fields else None
    return BundledPage(fields["url"], fields["title"], text.strip(), int(fields["published"]), removed)
