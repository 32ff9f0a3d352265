"""What a question can be about, by the words in it, of any language that there is a vocabulary of."""

import re
from dataclasses import dataclass

from apikeys.scopes import Scope
from visibility.services.ask.assistants import WORDS as ASSISTANTS
from visibility.services.ask.vocabulary import any_of


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing to ask about: the scope that reads it, the tool that tells more, the words that mean it."""

    name: str
    scope: Scope
    tool: str
    words: str

    def is_meant(self, question: str) -> bool:
        """Whether the question holds one of the words, or a word that begins with one."""
        return re.search(rf"\b(?:{self.words})", question, re.IGNORECASE) is not None


SCORE = Topic(
    "score",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    any_of(lambda words: words.topics.score),
)
CHANGE = Topic(
    "change",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    any_of(lambda words: words.topics.change),
)
ENGINES = Topic(
    "engines",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    rf"{any_of(lambda words: words.topics.engines)}|{ASSISTANTS}",
)
COMPETITORS = Topic(
    "competitors",
    Scope.READ_COMPETITORS,
    "list_competitors",
    any_of(lambda words: words.topics.competitors),
)
GAPS = Topic(
    "gaps",
    Scope.READ_COMPETITORS,
    "get_competitor_gaps",
    any_of(lambda words: words.topics.gaps),
)
RECOMMENDATIONS = Topic(
    "recommendations",
    Scope.READ_RECOMMENDATIONS,
    "get_recommendations",
    any_of(lambda words: words.topics.recommendations),
)
CONTENT = Topic(
    "content",
    Scope.READ_CONTENT,
    "get_content_opportunities",
    any_of(lambda words: words.topics.content),
)
PROMPTS = Topic(
    "prompts",
    Scope.READ_PROMPTS,
    "list_prompts",
    any_of(lambda words: words.topics.prompts),
)
SOURCES = Topic(
    "sources",
    Scope.READ_PROMPTS,
    "get_prompt_detail",
    any_of(lambda words: words.topics.sources),
)
RUNS = Topic(
    "runs",
    Scope.READ_VISIBILITY,
    "get_latest_scan",
    any_of(lambda words: words.topics.runs),
)
AUDIT = Topic(
    "audit",
    Scope.READ_AUDITS,
    "get_audit_scores",
    any_of(lambda words: words.topics.audit),
)
QUOTAS = Topic(
    "quotas",
    Scope.READ_SITES,
    "get_portfolio_summary",
    any_of(lambda words: words.topics.quotas),
)
OTHER_TOOLS = Topic(
    "definitions",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    any_of(lambda words: words.topics.other_tools),
)
PORTFOLIO = Topic("portfolio", Scope.READ_SITES, "get_portfolio_summary", "")
"""What a question about several sites is answered with."""
NOTICE = Topic("notice", Scope.READ_SITES, "list_sites", "")
"""What is said of the answer itself."""
TOPICS = (
    *(ENGINES, SCORE, CHANGE, COMPETITORS, GAPS, RECOMMENDATIONS, CONTENT, PROMPTS, SOURCES, RUNS, AUDIT, QUOTAS),
    OTHER_TOOLS,
)
OVERVIEW = (SCORE, CHANGE, RECOMMENDATIONS)
"""What an open question is answered with."""
TOLD_OF_SITES = frozenset({SCORE, CHANGE, RUNS})
"""What is told of several sites at once."""
_OPEN = re.compile(rf"\b(?:{any_of(lambda words: words.topics.open)})", re.IGNORECASE)


def topics_of(question: str) -> tuple[Topic, ...]:
    """What the question is about, in the order of the table; the overview for an open question, nothing where no
    word of it is known."""
    meant = tuple(topic for topic in TOPICS if topic.is_meant(question))
    return meant or (OVERVIEW if _OPEN.search(question) else ())
