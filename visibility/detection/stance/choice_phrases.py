"""Turns of phrase by which an answer decides between two names, in English, German, French and Spanish.

`{x}` stands for the name that is chosen, `{o}` for the other. All expect small letters without Markdown.
"""

import re

ONE, OTHER = "\x01", "\x02"
"""Stand for the two names; neither occurs in the text that is looked at."""

_NAMES = f"{ONE}{OTHER}"
_NEAR = rf"[^{_NAMES}.;:!?]{{0,50}}?"
_GAP = rf"[^\w{_NAMES}]"
_ARTICLES = r"(?:(?:the|a|an|either|something like|die|der|das|den|le|la|les|el|los|las)\s+)?[^\w\x01\x02]{0,3}"
_JOINED = rf"(?!\W*(?:or|and|&|/|,|oder|und|ou|et|o|y|e)\W*[{_NAMES}])"

_ADVISE = (
    r"(?:choose|pick|recommend|prefer|favou?r|suggest|go with|go for|opt for|opting for|choosing|picking|recommending"
    r"|lean towards?|leaning towards?|lean to|side with|vote for|take|give (?:it|this|the (?:edge|nod|win|point)) to"
    r"|(?:edge|win|nod|vote|crown|verdict|title) (?:still |narrowly |clearly )?goes to|(?:pick|choice|recommendation"
    r"|winner|answer|vote|favou?rite|preference)(?: here| overall| for most (?:people|users|buyers))? (?:is|would be"
    r"|goes to)"
    r"|ich (?:empfehle|w\u00e4hle|nehme|bevorzuge|rate zu|tendiere zu|w\u00fcrde(?: \w+){0,2} zu)"
    r"|w\u00fcrde(?: ich)?(?: mich)?(?: \w+){0,2} f\u00fcr|entscheide mich(?: \w+){0,2} f\u00fcr|meine? (?:wahl"
    r"|empfehlung"
    r"|favorit)(?: ist| w\u00e4re| f\u00e4llt auf)"
    r"|je (?:choisirais|choisis|recommande|recommanderais|prendrais|pr\u00e9f\u00e8re|pr\u00e9f\u00e9rerais|conseille"
    r"|conseillerais|opterais pour|pencherais pour|penche pour)|mon choix(?: est| serait| se porte(?:rait)? sur)"
    r"|(?:elegir\u00eda|escoger\u00eda|recomiendo|recomendar\u00eda|prefiero|preferir\u00eda|me quedo con"
    r"|me quedar\u00eda con"
    r"|optar\u00eda por|me inclino por|me inclinar\u00eda por)(?: a)?|mi (?:elecci\u00f3n|recomendaci\u00f3n)(?: es"
    r"| ser\u00eda))"
)
_SUPERIOR = (
    r"(?:(?:is|are|would be|remains|comes out|comes|seems|looks|stands out as|emerges as|gets|takes|has|holds|gives)"
    rf"\s+{_NEAR}(?:better|superior|stronger|preferable|ahead|on top|the best|winner|(?:the|an) edge|the upper hand"
    r"|the lead|the nod|(?:the|my|our) (?:overall |clear |obvious |safer |smarter |right |top |winning |personal )*"
    r"(?:pick|choice|recommendation|favou?rite))\b"
    r"|(?:wins|beats|outperforms|edges out|surpasses|outshines|trumps|gets my vote)\b"
    rf"|(?:ist|w\u00e4re|bleibt|liegt|hat)\s+{_NEAR}(?:besser\b|die bessere|die beste|der bessere|das bessere"
    rf"|\u00fcberlegen"
    r"|vorn\b|vorne\b|die nase vorn|meine wahl|der sieger|der gewinner)|gewinnt\b|\u00fcberzeugt mehr\b"
    rf"|(?:est|serait|reste)\s+{_NEAR}(?:meilleure?\b|sup\u00e9rieure?\b|pr\u00e9f\u00e9rable|mon choix|gagnante?\b)"
    r"|l['\u2019]emporte\b"
    rf"|(?:es|ser\u00eda|resulta)\s+{_NEAR}(?:mejor\b|superior\b|preferible|mi elecci\u00f3n|ganadora?\b)|gana\b)"
)
_INFERIOR = (
    r"(?:(?:is|are|would be|seems|looks)\s+(?:\w+\s+)?(?:worse|inferior|weaker|behind)(?:\s+(?:than|to))?"
    r"|falls short of"
    r"|loses to|lags behind|(?:ist|w\u00e4re)\s+(?:\w+\s+)?(?:schlechter als|unterlegen)"
    r"|est (?:moins bonne? que|inf\u00e9rieure? \u00e0)|es (?:peor que|inferior a))"
)
_LABEL = (
    r"(?:final verdict|verdict|winner|my pick|our pick|top pick|pick|my recommendation|recommendation|bottom line"
    r"|conclusion|final answer|answer|my choice|choice|fazit|empfehlung|meine wahl|sieger|urteil|conclusion|mon choix"
    r"|verdict|recommandation|veredicto|conclusi\u00f3n|mi elecci\u00f3n|recomendaci\u00f3n|ganador)"
)
_CHOSEN = (
    rf"\b{_ADVISE}\s+{_ARTICLES}{{x}}{_JOINED}",
    rf"{{x}}{_GAP}*(?:\w{{1,30}}{_GAP}+){{0,3}}?{_SUPERIOR}",
    rf"{{x}} (?:over|rather than|instead of|statt|plut\u00f4t que|en lugar de) {_ARTICLES}{{o}}",
    rf"{{o}}{_GAP}*(?:\w{{1,30}}{_GAP}+){{0,2}}?{_INFERIOR}\s*{_ARTICLES}{{x}}",
    rf"(?:\A|[\s\u2013\u2014-]){_LABEL}(?: is| would be| goes to| ist| est"
    rf"| es)?\s*[:\u2013\u2014-]{_GAP}{{0,6}}{{x}}{_JOINED}",
    rf"\bich w\u00fcrde {_NEAR}{{x}} (?:w\u00e4hlen|nehmen|empfehlen|bevorzugen|kaufen|vorziehen)",
)
_ALONE = rf"\A{_GAP}*{{x}}{_GAP}*\Z"


def _for_each(*patterns: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The pattern for the first name chosen, and for the second."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    sides = ((ONE, OTHER), (OTHER, ONE))
    one, other = (re.compile(joined.replace("{x}", x).replace("{o}", o)) for x, o in sides)
    return one, other


CHOSEN = _for_each(*_CHOSEN)
"""A clause decides for the name."""

ALONE = _for_each(_ALONE)
"""The line is the name and nothing else."""

FIRST_PLACE = _for_each(
    r"(?:\A|\s)(?:#\s?1\b|\U0001f947|1st(?: place)?\b|first place\b|no\. ?1\b|platz 1\b|1re place\b"
    r"|primer (?:lugar|puesto)\b)"
    rf"{_GAP}{{0,6}}{{x}}",
    rf"{{x}}{_GAP}{{0,4}}(?:\U0001f947|\(winner\)|\(sieger\)|\(ganador\)|\(gagnant\))",
)
"""The name has the first place of a ranking."""

HEDGED = re.compile(
    r"\b(?:if|unless|depends?|depending|whether|when(?:ever)? (?:you|your|it comes)|for (?:those|people|users|teams"
    r"|anyone|someone|small|large|buyers|businesses)|in terms of|(?:better|best|stronger|ideal|suited|great|good"
    r"|preferable) for|better at|best at|either way|both|wenn|falls (?:sie|du|man|ihr|es)|sofern|je nach\w*"
    r"|kommt (?:\w+ )?darauf an"
    r"|h\u00e4ngt"
    r"|f\u00fcr (?:alle|nutzer|teams|anf\u00e4nger|die|diejenigen)|besser f\u00fcr|in sachen|si (?:vous|tu|votre"
    r"|ton|l['\u2019]on|on"
    r"|usted|su|quieres|buscas|necesitas|quiere|busca|necesita|lo que)|s['\u2019]il|d\u00e9pend|selon|pour (?:ceux"
    r"|celles|les|un|une)|c\u00f4t\u00e9|depende|seg\u00fan|para (?:quienes|los|las|equipos|usuarios)|en cuanto a"
    r"|cuando)\b"
    rf"|[{_NAMES}] for (?!(?:its|their|the|my)\b)|[{_NAMES}] for [^{_NAMES}]*\band [{_NAMES}]"
    rf"|\b(?:wins|beats|outperforms|surpasses|ahead|edge|lead|better|superior"
    rf"|stronger)\W+(?:(?:than )?[{_NAMES}]\W+)?"
    r"(?:on|in|at|with|regarding)\s+(?!(?:all|almost|balance|every|general|most|my|nearly|our|overall|short|the end"
    r"|total)\b)\w"
)
"""The clause decides only under a condition, for some, or in one respect."""

UNHEDGED = re.compile(
    r"\bif (?:i|you|we)(?: really| absolutely)? (?:had to|have to|must|could only|can only|only)\b[^,]{0,60},"
    r"|\b(?:for|to) most\b(?: \w+)?|for the majority(?: of \w+)?|in most cases|for (?:everyone|everybody)"
    r"|f\u00fcr (?:die meisten|die mehrheit)(?: \w+)?|wenn ich (?:mich )?(?:w\u00e4hlen|entscheiden) m\u00fcsste,?"
    r"|pour la plupart(?: des \w+)?|si je devais (?:choisir|trancher)\b[^,]{0,40},"
    r"|para la mayor\u00eda(?: de (?:los|las)? ?\w+)?|si tuviera que elegir\b[^,]{0,40},"
)
"""Sounds like a condition and is none; it is left out before one is looked for."""

NEGATED = re.compile(
    r"(?:\bnot\b|n['\u2019]t\b|\bnever\b|\bneither\b|\bhardly\b|\bno longer\b|\bhard to\b|\bcannot\b|\bnicht\b"
    r"|\bkein\w*\b"
    r"|\bweder\b|\bne\b|\bn['\u2019]|\bpas\b|\bni\b|\bno\b)"
)
"""The clause says that something is not so: it decides nothing."""

CLAUSE_END = re.compile(
    r";|\s[\u2013\u2014]\s|,? (?:but|while|whereas|though|although|however)\b,?|,? (?:aber|w\u00e4hrend|doch"
    r"|jedoch)\b,?"
    r"|,? (?:because|since|as it|as they|given|due to|weil|denn|da es|car|parce que|puisque|porque|ya que)\b"
    r"|, (?:which|who)\b"
    r"|,? (?:mais|tandis que|alors que)\b,?|,? (?:pero|mientras que|aunque)\b,?"
)

VERDICT_LINE = re.compile(
    rf"\W*(?:{_LABEL}|overall|in short|in summary|to sum up|summary|tl;?dr|all in all|ultimately|in the end|so,"
    rf"|insgesamt"
    r"|alles in allem|unterm strich|kurz gesagt|zusammenfassung|en r\u00e9sum\u00e9|au final|en conclusion|en bref"
    r"|en resumen"
    r"|en conclusi\u00f3n|en definitiva|al final)\b"
)
"""How a line begins in which an answer sums up."""
