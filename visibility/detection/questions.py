"""What a question is after."""

import re

_TOPIC = re.compile(
    r"""\b(?:which|best|top|recommend\w*|suggest\w*|alternatives?|instead|compar\w+|versus|vs|worth|cheap\w*|buy|order
      |book|rent|hire|choose|pick|subscribe|should\ (?:i|we)|brands?|good|prices?|cost|raised|deals?|reviews?|take
      |welche\w*|beste\w*|g\u00fcnstig\w*|empf\w+|lohnt|taugt|kaufe\w*|bestelle\w*|quel\w*|meilleur\w*|acheter|prendre
      |mejor\w*|cu\u00e1l|comprar|env\u00edo|migliore|quale|comprare)\b
      | \u304a\u3059\u3059\u3081|\u3069\u308c|\u3069\u3053|\u3069\u3061\u3089|\u6bd4\u8f03|\u54ea|\u63a8\u8350
      | \u63a8\u85a6|\u597d\u7528|\uc5b4\ub5a4|\ucd94\ucc9c|\uc88b""",
    re.VERBOSE | re.IGNORECASE,
)
_EXPLAINING = re.compile(
    r"""\W*(?:how\b|what(?:'s|\u2019s|\ is|\ are|\ was|\ do|\ does|\ did|\ happen\w*)|whats\b
      |(?:who|whose|why|when|where|explain|define|describe|tell\ me\ about|summari[sz]e|outline|name|list|tips?|can
        |could|does|do|did|is|are|was|were|will|show|write|translate|plan|draft|compose|make|create|calculate|solve|convert
        |teach|rewrite|proofread|give|turn|sort|wie|warum|wer)\b)""",
    re.VERBOSE | re.IGNORECASE,
)


def asks_for_products(prompt: str) -> bool:
    """Whether a question asks for things to buy, to use or to choose between; one that is not known may."""
    return _TOPIC.search(prompt) is not None or not _EXPLAINING.match(prompt)
