"""Whether a question asks for things to choose."""

import re

_CHOICE = re.compile(
    r"""\b(?:best|top|good|great|recommend\w*|suggest\w*|which|looking\ for|shopping\ for|need\ an?|buy|cheap\w*
      |affordable|budget|alternatives?|(?:under|below|less\ than)\ \W?\d|vs|versus|compar\w+|better|worth|options
      |should\ (?:i|we)|are\ there\ any|trustworthy|reliable|legit
      |find\ me|help\ me\ (?:find|choose)|reviews?|choose|pick
      |welche\w*|beste\w*|günstig\w*|empf\w+|quel\w*|meilleur\w*|acheter|mejor\w*|cuál|comprar|recomiend\w*|migliore\w*
      |quale|comprare|melhor\w*|qual|welk\w*|bäst\w*|najleps\w*)\b
      | おすすめ|どれ|どこ|比較|哪|推荐|推薦|好用|어떤|추천|좋 | \u043b\u0443\u0447\u0448""",
    re.VERBOSE | re.IGNORECASE,
)


def asks_for_choice(prompt: str) -> bool:
    """Whether a question asks for things to buy, to use or to choose between."""
    return _CHOICE.search(prompt) is not None
