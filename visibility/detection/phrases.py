"""Turns of phrase that show what a sentence says of a name in it, in several languages.

Nothing is weighed and no mood is read from single words: each pattern is one way of knowing nothing, advising
against, warning, advising or comparing. NUL stands for the name in `UNKNOWN`; patterns for what stands before the
name end at it, those for what stands behind it begin there or in a sentence that follows. All expect small letters.
"""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_NOT = r"(?:\bnot|\bcannot|n['\u2019]t)"
_THE_NAME = r"(?=(?:\W+\w+){0,4}\W*\0)"
_KNOWLEDGE = (
    r"(?:information|info|data|details?|records?|results?|hits|mentions?|evidence|references?|reviews?|traces?)"
)
_USE = r"(?:buy|use|get|choose|take|pick|order|book|trust|touch|bother with|go with|sign up (?:for|with)|recommend)"
_ARTICLES = r"(?:\s(?:the|a|an|your|my|our|both|either|something like|products? (?:from|by)))*\s?\Z"

UNKNOWN = _any(
    rf"{_NOT}(?: \w+){{0,3}} (?:find|locate|see)(?: any| much| a)?(?:thing)?(?: \w+){{0,4}} (?:about|on|named"
    rf"|called){_THE_NAME}",
    rf"(?:\bno|{_NOT}(?: have| find| any| see| much)+)(?: \w+){{0,3}} {_KNOWLEDGE}(?: \w+){{0,4}}"
    rf" (?:about|on|for|of|regarding|under|called|named){_THE_NAME}",
    rf"{_NOT}(?: \w+)? (?:find|locate|identify)\W*\0",
    rf"{_NOT}(?: \w+){{0,2}} (?:aware of|familiar with|know of|heard of|recogni[sz]e|know (?:what|who|of)"
    rf"|come across)\b",
    r"\bnever (?:heard|come across)\b|\bunknown to me\b",
    rf"\bnothing (?:about|on|for|called|named){_THE_NAME}",
    r"\0(?:\W+\w+){0,4}\W+(?:yields?|returns?|gives?|turn(?:s|ed) up|comes? up with|brings? up) (?:no|nothing"
    r"|zero)\b",
    rf"\0.{{0,40}}{_NOT} (?:appear|seem) (?:to (?:exist|be)|in (?:my|any))",
    rf"\0.{{0,40}}{_NOT} (?:\w+ )?(?:something|a \w+|one) i(?:['\u2019]m| am)? (?:know|recogni[sz]e|aware of"
    rf"|familiar with)",
    r"\bkeine?n? (?:\w+ )?(?:angaben|informationen|daten|treffer|ergebnisse|hinweise)\b"
    r"|\bnichts (?:\w+ )*(?:gefunden|finden)\b",
    r"\b(?:ist|sind) mir (?:\w+ )?(?:nicht bekannt|unbekannt)\b|\bkenne ich (?:leider )?nicht\b|\bsagt mir nichts\b",
    r"\b(?:aucune?|pas d['\u2019]) ?(?:information|donn\u00e9e|r\u00e9sultat|trace)s?\b|\bne connais pas\b"
    r"|\brien trouv\u00e9\b",
    r"\bno (?:he )?(?:encontr\u00e9|encontrado|encuentro|tengo|hay) (?:\w+ )*(?:informaci\u00f3n|nada|datos)\b"
    r"|\bno conozco\b",
    r"\bnon (?:ho trovato|conosco|trovo)\b|\bnessuna informazione\b|\bn\u00e3o (?:encontrei|conhe\u00e7o)\b"
    r"|\bgeen informatie\b",
    r"\u898b\u3064\u304b(?:\u308a\u307e\u305b\u3093|\u3089\u306a)|\u898b\u3064\u3051\u3089\u308c\u307e\u305b\u3093",
    r"\u60c5\u5831(?:\u306f|\u304c)(?:\u3042\u308a\u307e\u305b\u3093|\u306a)|\u5b58\u3058(?:\u307e\u305b\u3093"
    r"|\u4e0a\u3052)",
    r"(?:\u6ca1\u6709?|\u672a|\u65e0\u6cd5)(?:\u80fd)?(?:\u627e\u5230|\u67e5\u5230|\u542c\u8bf4)"
    r"|\u4e0d\u4e86\u89e3|\u4e0d\u719f\u6089",
    r"\ucc3e\uc744 \uc218 \uc5c6|\ucc3e\uc9c0 \ubabb|\uc54c\uc9c0 \ubabb|\uc815\ubcf4(?:\uac00|\ub97c) (?:\uc5c6"
    r"|\ucc3e)",
)
"""The answer knows nothing of the name."""

AGAINST_BEFORE = _any(
    rf"\b(?:avoid|skip|stay away from|steer clear of|keep away from|keep clear of|pass on|forget|ditch){_ARTICLES}",
    rf"{_NOT}(?: \w+)? {_USE}{_ARTICLES}",
    rf"\b(?:advise|recommend|warn|argue|decide)(?:d|s)? (?:you )?against(?: \w+ing)?{_ARTICLES}",
    r"\b(?:rate|raten|r\u00e4t) (?:ich )?(?:\w+ )?(?:ab )?von\s?\Z|\bfinger weg von\s?\Z|\bmeiden? (?:sie )?\s?\Z",
    r"\b(?:d\u00e9conseille|\u00e9vite[zr]?|evit[ae]r?|no recomiendo|sconsiglio|non consiglio)(?: \w+)?\s?\Z",
    r"(?:\u907f\u514d|\u522b\u4e70|\u4e0d(?:\u63a8\u8350|\u5efa\u8bae)(?:\u4f7f\u7528|\u8d2d\u4e70)?)\Z",
)
AGAINST_AFTER = _any(
    r"\b(?:is|are|was|would be|seems?)(?: \w+){0,2} (?:the wrong|a (?:poor|bad|terrible|risky)|no longer"
    r"|out of the question)\b",
    rf"\b(?:is|are|was|would){_NOT}(?: \w+){{0,3}} (?:the right|right for|the best|good|suitable|recommend\w*"
    rf"|worth|an option|for you)\b",
    r"\b(?:is|are|was) not(?: \w+){0,3} (?:the right|right for|the best|good|suitable|recommended|worth|an option"
    r"|for you)\b",
    r"\b(?:was|were|has been|have been|is being|is) (?:shut down|discontinued|recalled|withdrawn|closed down"
    r"|defunct)\b",
    rf"\b(?:best|better|to be|should be|be) avoided\b|{_NOT} {_USE} (?:it|them|one)\b|\b(?:skip|avoid) (?:it|them"
    rf"|this)\b",
    r"\b(?:nicht|keine?)(?: \w+){0,2} (?:empfehl\w+|geeignet|gute wahl|richtig\w*|wert)\b|\babzuraten\b",
    r"\b\u00e0 \u00e9viter\b|\bne (?:convient|vaut) pas\b|\bno (?:vale la pena|es recomendable)\b|\bda evitare\b",
    r"\u304a\u3059\u3059\u3081(?:\u3067\u304d|\u3057)\u307e\u305b\u3093|\u907f\u3051|\u4e0d\u63a8\u8350"
    r"|\u4e0d\u503c\u5f97",
    r"\ucd94\ucc9c\ud558\uc9c0 \uc54a|\ud53c\ud558",
)
AGAINST_TITLE = _any(
    r"\b(?:avoid(?:ed)?|skip|not recommended|worst|don['\u2019]t buy|stay away|steer clear|meiden|nicht empfohlen"
    r"|evitar)\b",
    r"\u00e0 \u00e9viter|\u907f\u3051",
)
"""In the cell of a table or the title of a list."""

WARNING = _any(
    r"\b(?:watch out|beware|tread carefully|be (?:careful|wary|aware|cautious)|a caution|with caution|caveats?"
    r"|warn(?:s|ed|ing)?)\b",
    r"\b(?:keep an eye on|mind the|read the (?:\w+ )?(?:contract|print|terms|reviews)|think twice|make sure"
    r"|check (?:the|its|that))\b",
    r"\b(?:downsides?|drawbacks?|pitfalls?|red flags?|(?:hidden|surprise|unexpected) (?:fees|costs|charges|bills))\b",
    r"\b(?:complain(?:s|ts|ed)?|complaints?|reports? of|at your own risk|lawsuits?|scams?|breach(?:es|ed)?|leaked"
    r"|phishing)\b",
    r"\b(?:vorsicht|achtung|aufpassen|beschwer\w+)\b|\b(?:m\u00e9fiez|prudence|gare aux?)\b|\b(?:cuidado"
    r"|ojo) con\b|\battenzione\b",
    r"\u6ce8\u610f|\u5c0f\u5fc3|\u8b66\u6212|\uc8fc\uc758|\uc870\uc2ec",
)

ADVICE_BEFORE = _any(
    rf"\b(?:go|goes|going|went|begin|start|stick|stay|best served|better off|happy) (?:with|for){_ARTICLES}",
    rf"(?:\A|[.;:,!?\u2014\u2013]\s*|\b(?:then|just|so|and|please|instead|to|would|i['\u2019]d|we['\u2019]d"
    rf"|should|can|also|better|must)\s)"
    rf"{_USE}(?: \w+){{0,3}}{_ARTICLES}",
    r"(?:\A|[.;:,!?\u2014\u2013]\s*|\b(?:to|would|i['\u2019]d|should|can)\s)"
    rf"(?:try|consider|shortlist|switch to|look at|prefer|opt for|suggest|move to|turn to)(?: \w+){{0,2}}{_ARTICLES}",
    r"\b(?:recommend(?:ed|s|ing)?|my (?:pick|choice|favou?rite|recommendation|vote)(?: is| would be| goes to|:)?"
    r"|would be"
    rf"|moved to|chose|prefers?|picked|settled on|swear by|look no further than){_ARTICLES}",
    rf"\b(?:best|top|safest|ideal|easiest|simplest|fastest|winner)(?: \w+){{0,4}}(?: is| are|:| would be"
    rf"| comes from){_ARTICLES}",
    r"\b(?:empfehle|empfehlen|nehmen sie|nimm|lieber|w\u00e4hle|besten?(?: \S+){0,2} (?:hat|ist)"
    r"|wunsch w\u00e4re)(?: \w+)?\s?\Z",
    r"\b(?:prenez|choisissez|recommande|plut\u00f4t|conseille|pr\u00e9f\u00e8re|optez pour)(?: \w+)?\s?\Z",
    r"\b(?:recomiendo|elige|usa|prueba|consiglio|scegli|kies)(?: \w+)?\s?\Z"
    r"|\u05dc\u05d4\u05e9\u05ea\u05de\u05e9 \u05d1-?\Z",
    r"(?:\u304a\u3059\u3059\u3081\u306f|\u306a\u3089|\u63a8\u8350|\u5efa\u8bae(?:\u4f7f\u7528|\u9009)?|\u9009"
    r"|\u8003\u8651)\Z",
)
ADVICE_AFTER = _any(
    r"\b(?:better|best|easier|easiest|great|excellent|ideal|perfect|superb|unbeatable|unmatched|favou?rite|winner"
    r"|top pick|hard to beat)\b",
    r"\b(?:is|are|remains?|would be|seems?|['\u2019]s|feels|stays)(?: \w+){0,4} (?:good|fine|safe|right|solid"
    r"|strong|reliable|generous"
    r"|usual choice|(?!lat|oth|ov|und|aft|num|memb|own|us|mak|off)\w{3,}(?:er|est)|the one|one to (?:get|buy)"
    r"|way to go|worth)\b",
    r"\A\W*(?:\w+ ){0,3}(?:beats|wins|excels|shines|outperforms|suits|leads|deserves|stands out|is made for)\b",
    r"\b(?:worth (?:it|buying|the|a look)|recommended|money well spent|buy it|get (?:it|one)|try (?:it|both"
    r"|either))\b",
    rf"\bi(?: would|['\u2019]d| will|['\u2019]ll) {_USE}\b|\bi(?: would|['\u2019]d) shortlist\b",
    r"\b(?:besser|beste\w*|ideal|empfehlenswert|erste wahl)\b|\b(?:meilleure?s?|mieux|parfaite?|id\u00e9ale?)\b"
    r"|\b(?:mejor|m\u00e1s \w+)\b",
    r"\u4e00\u756a|\u6700\u3082|\u304a\u3059\u3059\u3081|\u3092\u4f7f\u3048\u3070|\u6700\u597d|\u66f4\u597d"
    r"|\u4e0d\u9519|\u503c\u5f97",
    r"\u0e07\u0e48\u0e32\u0e22\u0e01\u0e27\u0e48\u0e32|\u0e14\u0e35\u0e17\u0e35\u0e48\u0e2a\u0e38\u0e14"
    r"|\uac00\uc7a5|\ucd94\ucc9c|\u043b\u0443\u0447\u0448\u0435",
)
ADVICE_TITLE = _any(
    r"\b(?:best|top|great|excellent|ideal|perfect|fastest|simplest|easiest|safest|strong(?:est)?|favou?rite"
    r"|most (?!expens)\w+)\b",
    r"\b(?:worth|recommended|winner|pick|buy|sehr gut|testsieger|empfehlung|meilleur|mejor)\b"
    r"|\u304a\u3059\u3059\u3081",
)
"""In the title of a list, the cell of a table, or the rest of an item's line."""

BESIDE = _any(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|unlike|like|as|instead of|over|from|similar to|such as"
    r"|according to|with|to|by|of"
    r"|for|no|and not|than with|what|which|replac\w+|als|wie|von|que|de|avec|con)(?:\s(?:a|an|the|its"
    r"|those))*(?: of)?\s?\Z",
    r"\u3088\u308a\Z|\u6bd4\Z",
)
"""The name is compared with, connected to, quoted or excluded; it is not what the sentence is about."""

TOLD_OF = _any(
    r"\A\W*(?:\w+ ){0,2}(?:was|were) (?:founded|launched|acquired|established|created|started|bought|renamed"
    r"|owned)\b",
    r"\A\W*(?:\w+ ){0,2}(?:is|are) (?:based|headquartered|owned|made|part|a (?:company|brand|firm|provider"
    r"|subsidiary|maker|publicly))\b",
    r"\A\W*(?:belongs|owns|employs|operates|exists|dates|lists|announced|acquired|launched)\b",
)
"""Facts about the subject that neither advise nor warn."""
