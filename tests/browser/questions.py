"""Ten questions that people ask when they open a brand's page, and where on its first screen each is answered."""

from collections.abc import Iterator
from dataclasses import dataclass

PAGE = "docs/questions.md"
FOLDER = "docs/images/questions"
_HEAD = """# Ten first questions

What people ask when they open the page of a brand, and where its first screen answers them, without scrolling at
1280 × 900. The answering part is framed in the pictures only; they show the demo. `make picture` writes this
page and takes them anew; `tests/browser/test_questions.py` holds the page to it.
"""


@dataclass(frozen=True)
class Question:
    """What somebody asks, where on the page the answer stands (`place`, CSS), and where its words come from."""

    name: str
    who: str
    asks: str
    place: str
    comes_from: str


QUESTIONS = (
    Question(
        "good",
        "owner",
        "Is it good?",
        ".verdict",
        "The brand beside each rival in the same answers, paired by prompt (`visibility/metrics/rivalry.py`)",
    ),
    Question(
        "ahead",
        "owner",
        "Who is ahead?",
        "figure.intervals svg.wide",
        "The scores of now with their 95 % intervals, as `get_visibility_scores` gives them",
    ),
    Question(
        "changed",
        "analyst",
        "Did it change, and is that real?",
        "figure.trend svg.wide",
        "The trend by day; what is called a change is confirmed, or was raised by the monitor",
    ),
    Question(
        "why",
        "marketer",
        "Why did it fall?",
        "#trend ~ .answer-line a",
        "The day that moved: its page lists the prompts beside those of the day before, and leads to the answers",
    ),
    Question(
        "first",
        "marketer",
        "What do I do first?",
        "section:has(#first) .todo",
        "The three most urgent recommendations, as `get_recommendations` gives them",
    ),
    Question(
        "trust",
        "analyst",
        "Can I trust it?",
        "section:has(#sure) .points",
        "The interval, the answers, prompts and topics behind it, the engines with their days",
    ),
    Question(
        "engine",
        "marketer",
        "Which engine names us least?",
        "section:has(#by-engine)",
        "The score of each engine of now with its interval, and its trend on one axis",
    ),
    Question(
        "topic",
        "marketer",
        "On which topic are we weakest, on which strongest?",
        "section:has(#by-topic)",
        "k of n answers by topic, as `get_visibility_scores` gives them, beside the best rival",
    ),
    Question(
        "source",
        "marketer",
        "Who is cited, and who of them names us least?",
        "section:has(#by-source)",
        "The sites that most answers cite, counted as the sources of `get_site_brief` are",
    ),
    Question(
        "running",
        "operator",
        "When was it measured, when is the next scan, is anything broken?",
        "#pulse",
        "The latest measured day, the schedule of the brand, its latest scan",
    ),
)


def described() -> str:
    """The page of the documentation: each question, its picture, and where the answer comes from."""
    return "\n".join([_HEAD, *_parts()])


def _parts() -> Iterator[str]:
    for number, question in enumerate(QUESTIONS, 1):
        picture = f"images/questions/{question.name}.webp"
        yield f"## {number}. {question.asks}\n"
        yield f"Asked by the {question.who}. {question.comes_from}.\n"
        yield f"![{question.asks}]({picture})\n"
