"""What a question can be about, by the words in it: English, German, French and Spanish ones."""

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
    r"scor|visib|mention|share of voice|rank|prominen|citation rate|cited|how (?:are|do|well|is|often)|stand\b|"
    r"stands\b|top (?:\d|three|five|ten)\b|"
    r"standing|perform|named\b|presence|"
    r"sichtbar|erwähn|genannt|nennt|nennen|nennung|rang\b|platz|bekannt|anteil|wie (?:gut|oft|häufig|stehen|steht)|"
    r"part de voix|classement|cité|nommé|à quelle fréquence|comment (?:sommes|va|allons)|où en sommes|"
    r"menci|puntuaci|posici|cuota de voz|nombra|con qué frecuencia|c[óo]mo (?:vamos|estamos|está|va)",
)
CHANGE = Topic(
    "change",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    r"chang|trend|moved|improv|drop|fell|fall|rise|rising|rose|grow|grew|declin|up or down|"
    r"(?:went|gone|going) (?:up|down)|"
    r"better|worse|since|last (?:week|month|scan|time)|yesterday|over time|histor|evol|lost\b|gain|"
    r"veränder|änder|geändert|entwick|besser|schlechter|steig|gestiegen|gefallen|gesunken|sink|seit\b|letzte|verlauf|"
    r"verbesser|verschlechter|gestern|zugelegt|"
    r"évol|tendance|progressé|augment|baiss|depuis|mieux|pire|amélior|semaine dernière|mois dernier|"
    r"cambi|tendenc|mejor|peor|subi|bajado|bajó|desde\b|semana pasada|mes pasado|ayer\b",
)
ENGINES = Topic(
    "engines",
    Scope.READ_VISIBILITY,
    "get_visibility_scores",
    rf"engine|{ASSISTANTS}|local.search|which ais?\b|ai (?:system|tool)|model|llm|assistant|chatbot|"
    r"kis?\b|suchmaschine|sprachmodell|assistent|moteur|ia\b|motor|asistente",
)
COMPETITORS = Topic(
    "competitors",
    Scope.READ_COMPETITORS,
    "list_competitors",
    r"compet|compar|rival|versus|vs\b|ahead|behind|beat|against|lead(?:er|ing|s)\b|leaders|who else|wins?\b|winn|"
    r"outrank|outperform|"
    r"konkurren|wettbewerb|mitbewerb|vorne?\b|voraus|überhol|führt\b|führend|vergleich|gegenüber|hinter\b|"
    r"liegt .*\bvor\b|"
    r"marktführer|concurren|rivaux|devant|derrière|en tête|face à|dépass|delante|adelant|detrás|l[íi]der|"
    r"frente a|supera",
)
GAPS = Topic(
    "gaps",
    Scope.READ_COMPETITORS,
    "get_competitor_gaps",
    r"gap|missing|absent|not (?:\w+ )?(?:named|mentioned|cited|appear|show)|"
    r"\w+n['’]t (?:\w+ )?(?:named|mentioned|cited|appear|show)|lose\b|"
    r"losing|weak|where .*not|instead of|blind spot|left out|overlook|"
    r"lücke|fehlen|fehlt|nicht (?:genannt|erwähnt|zitiert)|schwäche|schwach|wo .*nicht|statt|verlier|"
    r"lacune|manqu|faible|pas (?:cité|mentionné|nommé)|à la place|perdons|"
    r"brecha|hueco|falta|ausent|d[ée]bil|no (?:nos )?(?:menciona|nombra|cita|aparec)|en lugar|en vez|perdemos|"
    r"d[óo]nde no",
)
RECOMMENDATIONS = Topic(
    "recommendations",
    Scope.READ_RECOMMENDATIONS,
    "get_recommendations",
    r"recommend(?!ed\b)|(?:what|which|anything).* recommended|should (?:i|we)|to ?do|what next|next step|"
    r"what can (?:i|we)|fix|priorit|action|advi[cs]e|"
    r"improv(?!ed|ement)|suggest|"
    r"work on|tackle|"
    r"empfehl|soll(?:en|te|ten)? (?:ich|wir)|als nächste|nächste[rn]? schritt|tun\b|können wir|maßnahm|massnahm|"
    r"verbessern|"
    r"aufgabe|beheben|angehen|"
    r"recommand|devri?ons|dev(?:ons|rais)|dois-je|que faire|quoi faire|faire ensuite|prochain|conseil|améliorer|"
    r"corriger|"
    r"recomend|debemos|deber[íi]a|qué hacer|hacer ahora|siguiente paso|próxim|consej|prioridad|acci[óo]n|"
    r"mejorar|corregir",
)
CONTENT = Topic(
    "content",
    Scope.READ_CONTENT,
    "get_content_opportunities",
    r"content|write|writing|article|page|blog|draft|faq|publi|landing|"
    r"inhalt|schreib|artikel|seiten?\b|beitr[aä]g|entw[uü]rf|veröffentlich|texte?n?\b|"
    r"contenu|écri|rédig|brouillon|contenido|escrib|redact|art[íi]culo|p[áa]gina|borrador",
)
PROMPTS = Topic(
    "prompts",
    Scope.READ_PROMPTS,
    "list_prompts",
    r"prompt|question|coverage|asked|ask about|quer(?:y|ies)|"
    r"fragen?\b|gefragt|abdeckung|anfrage|requête|couverture|pregunta|consulta|cobertura",
)
SOURCES = Topic(
    "sources",
    Scope.READ_PROMPTS,
    "get_prompt_detail",
    r"sources?\b|cit(?:e|ing|ation)|(?:which|what) (?:domain|site|website)s|referenc|"
    r"quellen\b|(?:welche|die|der|eine|als|beste) quelle\b|zitier|verlink|cité|référence|fuente|citan?\b|citad|"
    r"referencia",
)
RUNS = Topic(
    "runs",
    Scope.READ_VISIBILITY,
    "get_latest_scan",
    r"scan|run\b|runs\b|running|progress|fail|finish|when (?:was|did|is|will)|last measured|eta\b|error|"
    r"how long|schedule|"
    r"lauf\b|läufe|läuft|gemessen|messung|wann\b|fertig|fortschritt|fehler|fehlgeschlagen|dauert|"
    r"en cours|terminé|échou|échec|quand\b|mesuré|avancement|"
    r"esc[áa]ne|en curso|termin(?:ó|ado|ará)|fall(?:ó|ado)|cu[áa]ndo|medici|medido",
)
AUDIT = Topic(
    "audit",
    Scope.READ_AUDITS,
    "get_audit_scores",
    r"audit|technical|crawl|site health|defect|seo\b|technisch|mängel|technique|défaut|técnic",
)
QUOTAS = Topic(
    "quotas",
    Scope.READ_SITES,
    "get_portfolio_summary",
    r"quota|credit|limit|plan\b|left\b(?! out)|remain|afford|budget|how many more|allowance|usage|subscription|"
    r"cost|spen[dt]|"
    r"kontingent|guthaben|kredit|übrig|verbraucht|verbleib|tarif|abo\b|kosten|kostet|reicht|"
    r"crédit|restant|reste|forfait|abonnement|coût|solde|"
    r"cuota(?! de voz)|cr[ée]dito|quedan?\b|restante|l[íi]mite|presupuesto|saldo|suscripci|cuesta",
)
PORTFOLIO = Topic("portfolio", Scope.READ_SITES, "get_portfolio_summary", "")
"""What a question about several sites is answered with."""
NOTICE = Topic("notice", Scope.READ_SITES, "list_sites", "")
"""What is said of the answer itself."""
TOPICS = (ENGINES, SCORE, CHANGE, COMPETITORS, GAPS, RECOMMENDATIONS, CONTENT, PROMPTS, SOURCES, RUNS, AUDIT, QUOTAS)
OVERVIEW = (SCORE, CHANGE, RECOMMENDATIONS)
"""What an open question is answered with."""
TOLD_OF_SITES = frozenset({SCORE, CHANGE, RUNS})
"""What is told of several sites at once."""
_OPEN = re.compile(
    r"\b(?:overview|summar|status|tell me about|überblick|übersicht|zusammenfass|résum|aperçu|resum)", re.IGNORECASE
)


def topics_of(question: str) -> tuple[Topic, ...]:
    """What the question is about, in the order of the table; the overview for an open question, nothing where no
    word of it is known."""
    meant = tuple(topic for topic in TOPICS if topic.is_meant(question))
    return meant or (OVERVIEW if _OPEN.search(question) else ())
