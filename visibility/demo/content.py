"""What the demonstration is about. All companies, products and figures are invented."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from visibility.models import Intent, Stage
from visibility.services.corpus import PageDraft
from visibility.services.prompts import PromptDraft

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
        (_AWARENESS, "What should I look for in an e-bike for a daily commute?"),
        (_CONSIDERATION, "What is the best e-bike for commuting to work?"),
        (_DECISION, "Which commuter e-bike with belt drive and mudguards should I buy?"),
    ],
    "children": [
        (_AWARENESS, "How can I carry two children to school by bike?"),
        (_CONSIDERATION, "What is the best electric cargo bike for two kids?"),
        (_DECISION, "Which cargo bike with rain cover and belts should I buy?"),
    ],
    "train": [
        (_AWARENESS, "Can I take an e-bike on the train as a commuter?"),
        (_CONSIDERATION, "What is the best folding e-bike for the train?"),
        (_DECISION, "Which light folding bike fits under a desk?"),
    ],
    "winter": [
        (_AWARENESS, "Does an e-bike battery lose range in winter?"),
        (_CONSIDERATION, "What is the best e-bike for snow and ice?"),
        (_DECISION, "Which studded tyres do I need for winter on an e-bike?"),
    ],
    "theft": [
        (_AWARENESS, "How do I keep my e-bike from being stolen?"),
        (_CONSIDERATION, "Which e-bikes have a GPS tracker and an alarm built in?"),
        (_DECISION, "What does theft insurance for an e-bike cost?"),
    ],
    "leasing": [
        (_AWARENESS, "How does leasing an e-bike through an employer work?"),
        (_CONSIDERATION, "Is leasing an e-bike cheaper than buying it?"),
        (_DECISION, "Which e-bike brands does my employer offer to lease?"),
    ],
    "maintenance": [
        (_AWARENESS, "How often does an e-bike need a service?"),
        (_CONSIDERATION, "What does e-bike maintenance cost a year?"),
        (_DECISION, "Which e-bike brand sends mobile mechanics to my home?"),
    ],
    "range": [
        (_AWARENESS, "How many full charges does an e-bike battery last?"),
        (_CONSIDERATION, "Which e-bike has the longest range?"),
        (_DECISION, "Which e-bike with a removable battery should I buy?"),
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


def pages() -> list[PageDraft]:
    """The bundled pages: a head with url and title between lines of three dashes, then the text."""
    return [_page(path) for path in sorted(PAGES.glob("*.md"))]


def _page(path: Path) -> PageDraft:
    _, head, text = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return PageDraft(url=fields["url"], title=fields["title"], text=text.strip())
