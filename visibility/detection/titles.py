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
_THINGS = re.compile(
    r"\b(?:picks|options|choices|contenders|recommendations|alternatives|mentions|performers|favou?rites|brands|services)\b",
    re.IGNORECASE,
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
_REPEATS = re.compile(
    r"""\A(?:(?:in\ )?summary|(?:in\ )?conclusion|verdict|bottom\ line|comparison|overview|quick\ \w+|breakdown
      |at\ a\ glance|introduction|background|contents?|honou?rable\ mentions?|others?|also|bonus|extras?|notes?
      |überblick|übersicht|vergleich|zusammenfassung|résumé|comparatif|en\ bref|resumen|comparativa)\b
    | \b(?:table|comparison|summary|overview|chart)\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""pros?|cons?|pros\ (?:and|&)\ cons|strengths?|weakness(?:es)?|drawbacks?|downsides?|limitations?
      |(?:dis)?advantages?|prices?(?:\ range)?|pricing|costs?|specs?|specifications?|highlights?
      |(?:key\ |main\ |top\ |notable\ )?features?
      |(?:best|great|good|ideal|perfect|not\ (?:ideal|great|best)|best\ suited|suitable)
      \ (?:for|if|use)
      |why\ (?:it|we|you|choose|this|buy|i|they)\b.{0,40}|what\ (?:it|we|you|i|they|users|people)\b.{0,40}
      |notes?|tips?|weight|drop|power|capacity|battery(?:\ life)?|display|processor|camera|storage|memory
      |screen(?:\ size)?|size|ratings?|reviews?|design|comfort|sound(?:\ quality)?|performance|warranty|locations?
      |address|phone|hours|website|links?|availability|verdict|caveats?|warnings?|description|types?|materials?|fit
      |connectivity|use\ cases?|track\ record|audits?|bonus|the\ catch|support|compatibility|integrations?|browsers?
      |operating\ systems?|os|devices?|(?:works|compatible)\ with|supported\ \w+|supports|available\ on|formats?
      |languages?|networks?|owner|maker|brands?|made\ by|examples?|ease\ of\ use|platforms?|coverage|fees?|plans?
      |free\ (?:tier|plan|trial)|trial|returns?|where\ to\ buy|overview|perks|durability
      |vorteile?|nachteile?|preise?|kosten|vor-\ und\ nachteile|geeignet\ für|ideal\ für|merkmale|bewertung|gewicht
      |akku|leistung|ausstattung|avantages?|inconvénients?|prix|points?\ (?:forts?|faibles?)|idéale?\ pour|poids
      |autonomie|ventajas?|desventajas?|inconvenientes?|precio|ideal\ para|peso|batería""",
    re.VERBOSE | re.IGNORECASE,
)
_ADVISES = re.compile(
    r"""\W*(?:consider|look\ for|choose|check|decide|determine|think|ensure|make\ sure|opt\ for|prioriti[sz]e|set\ a
      |compare|read|be\ aware|keep|do\ you|are\ you|if\ you|how\ |some\ |most\ |many\ )\b""",
    re.VERBOSE | re.IGNORECASE,
)
VERB = re.compile(
    r"""\s(?:is|are|was|were|has|have|had|can|will|would|does|did|may|comes?|costs?|offers?|gives?|makes?|lets?|keeps?
      |works?|remains?|stays|ships|runs|uses|wins|leads|lacks|needs|supports|takes|looks|feels|seems|charges|sells
      |provides?|ist|sind|hat|haben|bietet|kostet|gilt|passt|kann|est|sont|offre|propose|coûte|es|son|tiene|ofrece|cuesta
      )\s""",
    re.VERBOSE,
)
"""A verb: before it comes the name, behind it the description."""

_MAX_WORDS = 10


def is_attribute(label: str) -> bool:
    """Whether it is a point of one thing: "Price", "Best for"."""
    return _ATTRIBUTE.fullmatch(label) is not None


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


def promises_things(label: str) -> bool:
    """Whether a title announces things with names, even of plain words: "Other great options"."""
    return _THINGS.search(label) is not None and not ends(label)


def repeats(label: str) -> bool:
    """Whether it is the title of a repetition: "Comparison table"."""
    return _REPEATS.search(label) is not None


def advises(words: str) -> bool:
    """Whether the words behind a label are advice: "Consider how often you travel"."""
    return _ADVISES.match(words) is not None
