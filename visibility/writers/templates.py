"""How buyers ask, by language, stage and intent. `{term}` is what they look for, `{rival}` a company that they know.

The wordings fit goods, services, places and software alike, and leave open whether a term is singular or plural: no
verb and no article agrees with it. None needs it in another case than the one in which topics are given. `{of_term}`
is the term behind a French "de". None names the brand: who asks by name is not looking.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from visibility.writers.tasks import Intent, Stage

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Template:
    """One way to ask."""

    stage: Stage
    intent: Intent
    text: str

    @property
    def names_rival(self) -> bool:
        """Whether it needs a company that the asker knows."""
        return "{rival}" in self.text


@dataclass(frozen=True, slots=True)
class Language:
    """The wordings of one language; `persona` frames a question of a certain asker."""

    persona: str
    wordings: dict[tuple[Stage, Intent], Sequence[str]]

    @property
    def templates(self) -> list[Template]:
        """All ways to ask, those of a stage together."""
        return [Template(*cell, text) for cell, texts in self.wordings.items() for text in texts]


LANGUAGES: dict[str, Language] = {
    "en": Language(
        persona="Asking as {persona}: {question}",
        wordings={
            ("awareness", "informational"): (
                "What should I know about {term} before I decide?",
                "What matters most when choosing {term}?",
                "What are common mistakes when choosing {term}?",
                "How do I tell good {term} from bad?",
                "How do I find out which {term} would suit me?",
            ),
            ("consideration", "comparison"): (
                "Which {term} should be on my shortlist, and why?",
                "Which names come up most often when people talk about {term}?",
                "What are good alternatives to {rival} for {term}?",
                "Is {rival} the best choice for {term}, or should I look elsewhere?",
            ),
            ("consideration", "informational"): (
                "What should I compare when looking for {term}?",
                "Which {term} do people recommend most?",
                "Which {term} do experts recommend, and why?",
            ),
            ("decision", "comparison"): (
                "Which {term} would you choose in my place, and why?",
                "Which {term} would give me the best value for money?",
                "Is {rival} worth its price for {term}, or is there something better?",
            ),
            ("decision", "transactional"): (
                "Where can I find good {term}?",
                "How much should I expect to pay for {term}?",
                "Which {term} should I choose right now?",
                "Where do I get the best deals on {term}?",
            ),
        },
    ),
    "de": Language(
        persona="Ich frage als {persona}: {question}",
        wordings={
            ("awareness", "informational"): (
                "Was sollte ich über {term} wissen, bevor ich mich entscheide?",
                "Worauf kommt es beim Thema {term} am meisten an?",
                "Welche Fehler passieren häufig beim Thema {term}?",
                "Wie finde ich heraus, was beim Thema {term} zu mir passt?",
            ),
            ("consideration", "comparison"): (
                "Welche Marken und Anbieter sind für {term} am bekanntesten?",
                "Welche Namen fallen am häufigsten, wenn es um {term} geht?",
                "Welche guten Alternativen zu {rival} gibt es für {term}?",
                "Ist {rival} für {term} die beste Wahl, oder gibt es Besseres?",
            ),
            ("consideration", "informational"): (
                "Welche Kriterien sollte ich beim Thema {term} vergleichen?",
                "Was empfehlen Fachleute, wenn es um {term} geht, und warum?",
            ),
            ("decision", "comparison"): (
                "Was gehört beim Thema {term} in die engere Wahl, und warum?",
                "Wer bietet das beste Preis-Leistungs-Verhältnis, wenn es um {term} geht?",
                "Ist {rival} für {term} seinen Preis wert, oder gibt es Besseres?",
            ),
            ("decision", "transactional"): (
                "Wo finde ich gute Angebote für {term}?",
                "Mit welchen Kosten muss ich für {term} rechnen?",
                "Wofür sollte ich mich jetzt entscheiden, wenn es um {term} geht?",
            ),
        },
    ),
    "fr": Language(
        persona="Je demande en tant que {persona} : {question}",
        wordings={
            ("awareness", "informational"): (
                "Que faut-il savoir en matière {of_term} avant de choisir ?",
                "Quels critères comptent le plus en matière {of_term} ?",
                "Quelles erreurs éviter en matière {of_term} ?",
            ),
            ("consideration", "comparison"): (
                "Quelles marques ou entreprises sont les plus connues en matière {of_term} ?",
                "Quels noms reviennent le plus souvent quand on parle {of_term} ?",
                "Quelles sont les bonnes alternatives à {rival} en matière {of_term} ?",
                "Faut-il choisir {rival} en matière {of_term}, ou chercher ailleurs ?",
            ),
            ("consideration", "informational"): (
                "Que comparer avant de se décider en matière {of_term} ?",
                "Que recommandent les spécialistes en matière {of_term}, et pour quelles raisons ?",
            ),
            ("decision", "comparison"): (
                "Que me conseilles-tu en matière {of_term}, et pour quelles raisons ?",
                "Qui offre le meilleur rapport qualité-prix en matière {of_term} ?",
            ),
            ("decision", "transactional"): (
                "Où trouver de bonnes offres en matière {of_term} ?",
                "Quel budget prévoir en matière {of_term} ?",
                "Que choisir maintenant en matière {of_term} ?",
            ),
        },
    ),
    "es": Language(
        persona="Pregunto como {persona}: {question}",
        wordings={
            ("awareness", "informational"): (
                "¿Qué debo saber sobre {term} antes de decidir?",
                "¿Qué es lo más importante al elegir {term}?",
                "¿Qué errores conviene evitar al elegir {term}?",
            ),
            ("consideration", "comparison"): (
                "¿Qué {term} me recomiendas y por qué?",
                "¿Qué nombres se mencionan más cuando se habla de {term}?",
                "¿Qué buenas alternativas a {rival} hay para {term}?",
                "¿Es {rival} la mejor opción para {term} o hay algo mejor?",
            ),
            ("consideration", "informational"): (
                "¿Qué criterios debo comparar al buscar {term}?",
                "¿Qué {term} recomiendan los expertos y por qué?",
            ),
            ("decision", "comparison"): (
                "¿Qué {term} elegirías en mi lugar y por qué?",
                "¿Con qué {term} tendría la mejor relación calidad-precio?",
            ),
            ("decision", "transactional"): (
                "¿Dónde puedo encontrar buenas ofertas de {term}?",
                "¿Qué presupuesto debería prever para {term}?",
                "¿Qué {term} debería elegir ahora?",
            ),
        },
    ),
}
_ELIDED = tuple("aàâeéèêiîoôuhyœ")
# French nouns whose h keeps the word before it whole.
_ASPIRATED = ("haut", "hand", "hauss", "housse", "hamac", "hamburger", "hard", "hi-fi", "hall", "harnais")


def of_term(term: str) -> str:
    """The term behind a French "de": "de casques", "d’assurances"."""
    folded = term.casefold()
    elided = folded.startswith(_ELIDED) and not folded.startswith(_ASPIRATED)
    return f"d’{term}" if elided else f"de {term}"


def language_of(locale: str) -> str:
    """The language of a BCP 47 locale; English where none is stated."""
    return locale.replace("_", "-").split("-")[0].casefold() or DEFAULT_LANGUAGE
