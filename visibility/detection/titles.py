"""What a label or title in an answer is: above things to choose, above something else, or one point of one thing."""

import re

_OFFERS = re.compile(
    r"""\b(?:picks?|options?|choices?|contenders?|recommend\w*|mentions?|alternatives?|favou?rites?|runners?[- ]up
      |performers?|best|top|winners?|value|budget|premium|mid-range|high-end|entry-level|most|rated|notable|popular|worth
      |beste[nrs]?|empfehlung(?:en)?|favoriten?|testsieger|günstig\w*|preis-leistung\w*|anbieter|meilleure?s?
      |recommandations?|favoris?|mejor(?:es)?|recomendaci(?:ón|ones)|favorit[oa]s?|opci(?:ón|ones)|migliori?|melhor(?:es)?
      )\b
    | \A(?:for|great|good|other|also|another|short\ answer)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_INTRODUCES = re.compile(
    r"""\b(?:picks|options|choices|contenders|recommendations|alternatives|favou?rites|winners|runners?[- ]up
      |(?:top|highly)[- ]rated|(?:often|commonly|frequently|widely|highly|most)[- ]recommended
      |die\ besten|empfehlungen|testsieger|favoriten|les\ meilleure?s|recommandations
      |nos\ choix|l[oa]s\ mejores|recomendaciones|i\ migliori|le\ migliori|os\ melhores)\b
    | \b(?:best|top|popular|good|great|excellent|solid|recommended|leading|well-known)\s(?:\S{1,40}\s){0,6}?
      (?:brands|models|services|tools|apps|products|ones|providers|companies|platforms|stores|places)\b
    | \bsome\ of\ the\ (?:best|top)\b | \Abest\ (?!buy\b) | \btop\b
    | (?<!factors\ )(?<!things\ )(?<!features\ )\bto\ consider\b
    | \bhere\ are\ (?:some|a\ few|several|the|my|three|four|five)\b
    | \A(?:hier\ sind|voici|aquí\ (?:tienes|están))\b""",
    re.VERBOSE | re.IGNORECASE,
)
_ENDS = re.compile(
    r"""\A(?:(?:an?|the|key|other|important|main|some|quick|additional|final|general)\s)*
      (?:factors?|considerations?|considering|things|tips?|criteria|notes?|advice)\b
    | \A(?:where|how|what|why|who|which|key\ features|features\ to|choosing|buying|sources?
      |references|conclusion|faqs?|questions?|methodology|benefits|security|checklist|next\ steps?|use\ cases?|deals
      |retailers?|stores|shops|important|remember|disclaimer
      |worauf|wo|wie|was|warum|wann|tipps|kriterien|fazit|quellen|hinweise?|kaufberatung
      |comment|où|pourquoi|quand|conseils?|critères|à\ savoir|cómo|dónde|por\ qué|cuándo|consejos?|criterios|fuentes
      |conclusión|factores)\b
    | \b(?:factors\ to|things\ to|tips\ for|features\ to\ look|considerations?|to\ keep\ in\ mind|to\ look\ for
      |where\ to|how\ to|guide|avoid|not\ recommended|worst|caution\w*|cautious|skip|steer\ clear|disappoint\w*)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_WHEN = re.compile(r"\A(?:when|before|if|whether|wenn|bevor|si|avant|antes|se|als)\b", re.IGNORECASE)
_ADVICE = re.compile(r"\b(?:factors|considerations|criteria|tips|things to)\b", re.IGNORECASE)
"""Words of a whole sentence that introduces advice."""
_GOES_ON = re.compile(r"\bthat(?:['’]s|\s(?:is|are|has|have|can))?\W*\Z", re.IGNORECASE)
"""The end of a relative clause that the items below complete: "Look for products that are"."""
VERB = re.compile(
    r"""\s(?:is|are|was|were|has|have|had|can|will|would|does|did|may|comes?|costs?|offers?|gives?|makes?|lets?|keeps?
      |works?|remains?|stays|ships|runs|uses|wins|leads|lacks|needs|supports|takes|looks|feels|seems|charges|sells
      |provides?|ist|sind|hat|haben|bietet|kostet|gilt|passt|kann|est|sont|offre|propose|coûte|es|son|tiene|ofrece|cuesta
      )\s""",
    re.VERBOSE,
)
"""A verb: before it comes the name, behind it the description."""

_MAX_WORDS = 10


def is_offer(label: str) -> bool:
    """Whether things to choose may follow it: "Best overall", "For gaming"."""
    return _OFFERS.search(label) is not None


def introduces(label: str) -> bool:
    """Whether things to choose surely follow it: "Here are some top contenders"."""
    return _INTRODUCES.search(label) is not None


def ends(label: str) -> bool:
    """Whether something else than things to choose follows it: "Factors to consider"."""
    if len(label.split()) > _MAX_WORDS:
        return _ADVICE.search(label) is not None and not introduces(label)
    if _WHEN.match(label) and not is_offer(label):
        return True
    found = _ENDS.search(label)
    return found is not None and (found.start() == 0 or not (introduces(label) and is_offer(label)))


def goes_on(label: str) -> bool:
    """Whether the items below only say what things have to be: "Look for products that are"."""
    return _GOES_ON.search(label) is not None
