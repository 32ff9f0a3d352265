"""What a question can be about, by the words in it."""

import re
from dataclasses import dataclass

from apikeys.scopes import Scope
from visibility.services.ask.assistants import WORDS as ASSISTANTS


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
    "scor|visib|mention|share of voice|rank|prominen|citation rate|cited|how (?:are|do|well|is)|stand|sichtbar",
)
CHANGE = Topic(
    "change",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    "chang|trend|moved|improv|drop|fell|fall|rise|rose|grow|grew|declin|up or down|better|worse|since|last week|"
    "last month|veränder",
)
ENGINES = Topic(
    "engines",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    f"engine|{ASSISTANTS}|local.search|which ai|model",
)
COMPETITORS = Topic(
    "competitors",
    Scope.READ_COMPETITORS,
    "list_competitors",
    "compet|compar|rival|versus|vs\\b|ahead|behind|beat|against|leader|konkurren|wettbewerb",
)
GAPS = Topic(
    "gaps",
    Scope.READ_COMPETITORS,
    "get_competitor_gaps",
    "gap|missing|absent|not (?:named|mentioned|cited)|lose|losing|weak|where .*not|instead of",
)
RECOMMENDATIONS = Topic(
    "recommendations",
    Scope.READ_RECOMMENDATIONS,
    "get_recommendations",
    "recommend|should (?:i|we)|to ?do|what next|next step|fix|priorit|action|advice|improv|empfehl",
)
CONTENT = Topic(
    "content",
    Scope.READ_CONTENT,
    "get_content_opportunities",
    "content|write|article|page|blog|draft|faq|publish|inhalt",
)
PROMPTS = Topic(
    "prompts",
    Scope.READ_PROMPTS,
    "list_prompts",
    "prompt|question|coverage|asked|ask about|fragen",
)
RUNS = Topic(
    "runs",
    Scope.READ_VISIBILITY,
    "get_latest_scan",
    "scan|run\\b|runs\\b|running|progress|fail|finish|when was|last measured|eta",
)
AUDIT = Topic("audit", Scope.READ_AUDITS, "get_audit_scores", "audit|technical|crawl|site health|defect")
QUOTAS = Topic(
    "quotas",
    Scope.READ_SITES,
    "get_portfolio_summary",
    "quota|credit|limit|plan\\b|left|remaining|afford|budget|how many more|kontingent",
)
PORTFOLIO = Topic("portfolio", Scope.READ_SITES, "get_portfolio_summary", "")
"""What a question about several sites is answered with."""
NOTICE = Topic("notice", Scope.READ_SITES, "list_sites", "")
"""What is said of the answer itself."""
TOPICS = (SCORE, CHANGE, ENGINES, COMPETITORS, GAPS, RECOMMENDATIONS, CONTENT, PROMPTS, RUNS, AUDIT, QUOTAS)
OVERVIEW = (SCORE, CHANGE, RECOMMENDATIONS)
"""What an open question is answered with."""
TOLD_OF_SITES = frozenset({SCORE, CHANGE, RUNS})
"""What is told of several sites at once."""
_OPEN = re.compile(
    r"\b(?:overview|summar|status|about (?:us|our)|tell me about|überblick|résumé|resumen)", re.IGNORECASE
)


def topics_of(question: str) -> tuple[Topic, ...]:
    """What the question is about, in the order of the table; the overview for an open question, nothing where no
    word of it is known."""
    meant = tuple(topic for topic in TOPICS if topic.is_meant(question))
    return meant or (OVERVIEW if _OPEN.search(question) else ())
