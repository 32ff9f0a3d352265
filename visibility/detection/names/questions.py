"""What a question is after."""

import re
from dataclasses import dataclass
from functools import cached_property

from visibility.detection.names.trade import speaks_of_trade

_TOPIC = re.compile(
    r"""\b(?:which|best|top|recommend\w*|suggest\w*|alternatives?|instead|compar\w+|versus|vs|better|worth
      |cheap\w*|safe|legit|reliable|trustworthy|buy|order
      |book|rent|hire|choose|pick|subscribe|should\ (?:i|we)|brands?|good|prices?|cost|raised|deals?|reviews?|take
      |welche\w*|beste\w*|g\u00fcnstig\w*|empf\w+|lohnt|taugt|kaufe\w*|bestelle\w*|quel\w*|meilleur\w*|acheter|prendre
      |mejor\w*|cu\u00e1l|comprar|env\u00edo|migliore|quale|comprare)\b
      | \u304a\u3059\u3059\u3081|\u3069\u308c|\u3069\u3053|\u3069\u3061\u3089|\u6bd4\u8f03|\u54ea|\u63a8\u8350
      | \u63a8\u85a6|\u597d\u7528|\uc5b4\ub5a4|\ucd94\ucc9c|\uc88b""",
    re.VERBOSE | re.IGNORECASE,
)
_EXPLAINING = re.compile(
    r"""\W*(?:how\b|what(?:'s|\u2019s)?\b|whats\b
      |(?:who|whose|why|when|where|explain|define|describe|tell\ me\ about|summari[sz]e|outline|name|list|tips?|can
        |could|does|do|did|is|are|was|were|will|show|write|translate|plan|draft|compose|make|create|calculate
        |solve|convert
        |teach|ideas?\ for|steps?\ to|ways?\ to|guide|instructions|finish|fix|check|correct|continue|complete
      |count|pretend
        |imagine|act|let(?:'s|\u2019s)|on\ wh\w+|in\ wh\w+|at\ wh\w+|under\ wh\w+|help\ me\ (?:write|plan
      |understand)|rewrite|proofread|give|turn|sort|wie|warum|wer)\b|\u5982\u4f55|\u600e\u4e48
      |\u4ec0\u4e48\u662f|\u4e3a\u4ec0\u4e48|\u306a\u305c|\uc65c\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_FACTS = re.compile(
    r"""\b(?:history|meaning|definition|etymology|biography|lyrics|plot|recipes?|facts?|capital|population
      |synonyms?|myth
      |mythology|lifespan|symptoms?|grammar|translation|theorem|formula|poem|essay|homework|weather)\b""",
    re.VERBOSE | re.IGNORECASE,
)


_NAME = r"(?P<article>\b(?:a|an|the|my|your|some|any)\s)?(?<![^\W_])(?P<name>{})(?P<plural>s)?(?![^\W_])"


_COMPARED_BEFORE = re.compile(r"\b(?:vs\.?|versus|alternatives? to|compared (?:to|with)|better than|switch from)\s\Z")
_COMPARED_AFTER = re.compile(r"\s(?:vs\.?|versus|alternatives?|reviews?|pricing|login)\b")
_NEAR = 20


@dataclass(frozen=True)
class Question:
    """The question of an answer. `alone`: there is no answer, the question itself is what is read."""

    text: str
    alone: bool = False

    @cached_property
    def chooses(self) -> bool:
        """Whether it asks in so many words for things to buy, to use or to choose between; one without words may."""
        return not self.text.strip() or _TOPIC.search(self.text) is not None

    @cached_property
    def asks(self) -> bool:
        """Whether it may ask for such things: it does, or it is none of the questions that ask for something else."""
        return self.chooses or not (_EXPLAINING.match(self.text) or _FACTS.search(self.text))

    @property
    def offers(self) -> bool | None:
        """Whether its answers list things to choose: they do, they may (None), or they tell something else."""
        return True if self.chooses else None if self.asks else False

    @cached_property
    def trades(self) -> bool:
        """Whether it speaks of buying, selling or using."""
        return speaks_of_trade(self.text)

    def uses(self, name: str) -> tuple[bool, bool]:
        """Whether it names the subject with its capital, and whether it uses the plain word."""
        if self.alone or self.text.islower() or name.casefold() not in self.text.casefold():
            return False, False
        found = [*re.finditer(_NAME.format(re.escape(name)), self.text, re.IGNORECASE)]
        named = any(word["name"][0].isupper() for word in found)
        # People write names small, too; a plural, an article or a question about no product shows the word.
        common = any(
            word["name"][0].islower() and (word["plural"] or word["article"] or not self.asks) for word in found
        )
        return named, common


def is_compared(prompt: str, start: int, end: int) -> bool:
    """Whether a question in small letters compares what stands at this place, or asks for its reviews."""
    before = _COMPARED_BEFORE.search(prompt, max(0, start - _NEAR), start)
    return before is not None or (not start and _COMPARED_AFTER.match(prompt, end) is not None)
