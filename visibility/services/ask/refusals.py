"""What cannot be answered from what is stored, by the words of the question, and which tool could help. Pure."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """One kind of question that is not answered: `words` mean it, unless `unless` stands there as well.

    `sentence` says so; names of tools stand in braces there.
    """

    name: str
    words: str
    unless: str
    tool: str
    sentence: str

    def is_meant(self, question: str) -> bool:
        """Whether the question is of this kind."""
        asked = re.search(self.words, question, re.IGNORECASE)
        return bool(asked) and not (self.unless and re.search(self.unless, question, re.IGNORECASE))


_PLEASE = (
    r"^\W*(?:(?:please|bitte|s['’]il (?:vous|te) pla[iî]t|por favor|can you|could you|would you|kannst du|können sie|"
    r"peux-tu|pouvez-vous|puedes|podr[ií]as|i want you to|i need you to|now|hey|hi|hello)\W+)*"
)
_WRITE = (
    r"(?:write|draft|compose|rewrite|translate|generate|create|schreibe?n?|verfasse|übersetze?|formuliere?|erstelle|"
    r"écri[st]|écrivez|écrire|rédigez?|rédiger|traduis|escrib[ea]|escribir|redact[ae]|traduce)"
)
_START = r"(?:run|start|launch|begin|starte|lance|lancez|inicia|ejecuta)"
_CHANGE = (
    r"(?:add|remove|delete|change|edit|rename|dismiss|archive|füge|lösche|entferne|ändere|ajoute[rz]?|supprime[rz]?|"
    r"añade|agrega|elimina|borra)"
)
_MODEL = (
    r"(?:the|this|that|these|an?|die|das|dieses?|le|la|les|l['’]|el|los?|las)?\s*"
    r"(?:engines?|models?|ais?|llms?|assistants?|chatbots?|answers|modelle?n?|kis?|ki-\w+|antworten|moteurs?|"
    r"modèles?|ias?|"
    r"réponses|motor(?:es)?|modelos?|respuestas)\b"
)

REFUSALS = (
    Refusal(
        "other accounts",
        r"\b(?:(?:other|another|any(?:one|body)|some(?:one|body)|every(?:one|body)) (?:else['’]?s? |users?['’]? |"
        r"people['’]?s )?"
        r"(?:accounts?|users?|customers?|clients?|tenants?|keys?|passwords?)\b|(?:anyone|someone) else['’]s|"
        r"(?:colleague|friend|neighbou?r|boss)(?:['’]s|s['’]) |(?:all|your) (?:other )?(?:customers|users|clients|"
        r"accounts)\b|"
        r"andere[nrs]? (?:konto|konten|kunden?|nutzer\w*|benutzer\w*)|konto (?:meine[rs]|eines) |kollegen|"
        r"autres? (?:comptes?|clients?|utilisateurs?)|compte d['’]un|mon collègue|"
        r"otr[oa]s? (?:cuentas?|clientes?|usuarios?)|cuenta de mi|mi colega|api[- ]keys?\b|passwords?\b|passwort|"
        r"mot de passe|"
        r"contraseña)",
        "",
        "list_sites",
        "Other accounts are not told of: an answer rests on the sites that this key may read alone, which "
        "{list_sites} lists.",
    ),
    Refusal(
        "changes",
        rf"{_PLEASE}(?:{_START}\b.*\b(?:scans?|audits?|run|lauf|analyse|escaneo|auditor[ií]a)|{_CHANGE}\b\s)",
        "",
        "run_visibility_scan",
        "Nothing is started or changed by a question: {run_visibility_scan} starts a scan, and the tools of each "
        "thing change it.",
    ),
    Refusal(
        "writing of prompts",
        rf"{_PLEASE}{_WRITE}\b.*\b(?:prompts?|questions|fragen|requêtes|preguntas)\b",
        "",
        "generate_prompts",
        "Nothing is written here: {generate_prompts} writes new prompts and adds them.",
    ),
    Refusal(
        "writing",
        rf"{_PLEASE}{_WRITE}\b",
        r"\b(?:report|overview|summary|übersicht|zusammenfassung|résumé|aperçu|resumen)\b",
        "generate_content_draft",
        "Nothing is written here: {generate_content_draft} drafts a page, best for one of the opportunities that "
        "{get_content_opportunities} "
        "lists.",
    ),
    Refusal(
        "prices",
        r"\bpric(?:e|es|ed|ing|ey)\b|\bcosts?\b|\bhow much (?:is|are|does|do|for)\b|\bcheap(?:er|est)?\b|"
        r"\bpreise?n?\b|"
        r"\bkoste[tn]?\b|\bteuer\w*|\bwie viel kostet|\bprix\b|\bcoûte(?:nt)?\b|\bcombien (?:coûte|vaut)|"
        r"\bprecios?\b|"
        r"\bcuestan?\b|\bcuánto (?:vale|cuesta)",
        r"\b(?:scans?|credits?|plans?|quotas?|months?|drafts?|prompts?|answers?|monat|kredite?|tarif|guthaben|"
        r"läufe|lauf|"
        r"crédits?|forfait|abonnement|mois|créditos?|mes|suscripción|escaneos?|calls?|audits?|us|service)\b",
        "get_prompt_detail",
        "Prices of products are not measured, only who is named and cited: what answers say of a price stands in "
        "their "
        "texts, which {get_prompt_detail} shows.",
    ),
    Refusal(
        "predictions",
        r"\b(?:will|['’]ll|shall|going to|gonna)\b|\bpredict|\bforecast|\bproject(?:ed|ion)|\bnext (?:week|month|"
        r"quarter|year)\b|"
        r"\btomorrow\b|\bprognose|\bvorhersag|\bnächste[nrs]? (?:woche|monat|jahr|quartal)|\bmorgen\b|"
        r"\bwird .*(?:steigen|sinken|"
        r"fallen|wachsen|verbessern)|\bprévi|\bprédi|\b(?:sera|serons|seront|va-t-on|allons-nous)\b|\b(?:mois|"
        r"semaine|année) "
        r"prochaine?\b|\bdemain\b|\bpredic|\bpron[óo]stic|\b(?:será|seremos|subirá|bajará|subiremos)\b|\b(?:mes|"
        r"semana|año) "
        r"(?:próxim[oa]|que viene)|\bmañana\b|\bif we (?:publish|write|add|change|stop)",
        r"\b(?:scans?|runs?|finish\w*|end|credits?|quota|lauf|läuft|fertig|guthaben|crédits?|terminé\w*|créditos?|"
        r"termin\w+|"
        r"reset|renew\w*)\b",
        "get_visibility_scores",
        "What will come is not predicted: only what was measured is told, and {get_visibility_scores} shows its "
        "trend.",
    ),
    Refusal(
        "words of answers",
        r"\bwhat (?:do|does|did|are|is) .*\b(?:say|says|saying|think|claim)\b|\bwas (?:sagen?|sagt|denkt|denken)\b|"
        r"\bque (?:dit|disent|pense)|\bqu['’]est-ce que .* (?:dit|disent)|\bqué (?:dice|dicen|piensa)",
        r"\b(?:audits?|scans?|runs?|recommendations?)\b",
        "get_positioning_claims",
        "The words of answers are not repeated here: {get_positioning_claims} tells what they say of a site, and "
        "{get_prompt_detail} shows their texts.",
    ),
    Refusal(
        "reasons of a model",
        rf"\b(?:why|how come|for what reason|warum|wieso|weshalb|pourquoi|por qué|porqué)\b[^?]*?(?:\x00|\b{_MODEL})|"
        r"\bhow (?:does|do|did) (?:\x00|chatgpt|the (?:engine|model|ai)s?)['’]?s? (?:decide|choose|rank|pick|work|"
        r"think)\b",
        "",
        "get_prompt_detail",
        "Why a model answers as it does is not known: only what its answers say and cite is stored, and "
        "{get_prompt_detail} shows it.",
    ),
)
"""In the order in which they are looked for. An engine's name stands as \\x00 in what they are shown."""
WHY = re.compile(r"\b(?:why|how come|for what reason|warum|wieso|weshalb|pourquoi|por qué|porqué)\b", re.IGNORECASE)
"""Asks for reasons."""


def refusal_of(question: str) -> Refusal | None:
    """Why the question is not answered; None where nothing in it says so."""
    return next((refusal for refusal in REFUSALS if refusal.is_meant(question)), None)
