"""How buyers ask, by language, stage and intent. `{term}` is what they look for, `{rival}` a company that they know.

The wordings leave open whether a term is singular or plural, and none needs it in another case than the one in which
topics are given. None names the brand: who asks by name is not looking.
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
                "Which mistakes do people make with {term}?",
                "Who needs {term}, and who does not?",
                "How do I find out which {term} would suit me?",
            ),
            ("consideration", "comparison"): (
                "Which companies are the best known for {term}?",
                "How do the leading providers of {term} compare?",
                "What are good alternatives to {rival} for {term}?",
                "{rival} or someone else: whom do you recommend for {term}?",
            ),
            ("consideration", "informational"): (
                "Which criteria should I compare when looking at {term}?",
                "What do customers say about providers of {term}?",
                "Which {term} do experts recommend, and why?",
            ),
            ("decision", "comparison"): (
                "Name the three providers of {term} that you would shortlist, with reasons.",
                "Who gives the best value for money in {term}?",
                "Is {rival} worth its price for {term}, or is there something better?",
            ),
            ("decision", "transactional"): (
                "Where should I buy {term}?",
                "How much should I expect to pay for {term}?",
                "Which company should I choose for {term} right now?",
                "Who sells {term} with a trial or an easy return?",
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
                "Für wen lohnt sich das Thema {term}, und für wen nicht?",
            ),
            ("consideration", "comparison"): (
                "Welche Anbieter für {term} sind am bekanntesten?",
                "Wie unterscheiden sich die führenden Anbieter für {term}?",
                "Welche guten Alternativen zu {rival} gibt es für {term}?",
                "{rival} oder jemand anderes: Wen empfiehlst du für {term}?",
            ),
            ("consideration", "informational"): (
                "Nach welchen Kriterien sollte ich Anbieter für {term} vergleichen?",
                "Was sagen Kunden über Anbieter für {term}?",
            ),
            ("decision", "comparison"): (
                "Nenne die drei Anbieter für {term}, die in die engere Wahl gehören, mit Begründung.",
                "Welcher Anbieter für {term} hat das beste Preis-Leistungs-Verhältnis?",
                "Ist {rival} für {term} seinen Preis wert, oder gibt es Besseres?",
            ),
            ("decision", "transactional"): (
                "Wo kaufe ich {term} am besten?",
                "Mit welchen Kosten muss ich für {term} rechnen?",
                "Welchen Anbieter für {term} sollte ich jetzt wählen?",
            ),
        },
    ),
    "fr": Language(
        persona="Je demande en tant que {persona} : {question}",
        wordings={
            ("awareness", "informational"): (
                "Que faut-il savoir sur {term} avant de choisir ?",
                "Quels critères comptent le plus pour bien choisir, côté {term} ?",
                "Quelles erreurs éviter avec {term} ?",
            ),
            ("consideration", "comparison"): (
                "Quelles entreprises sont les plus connues pour {term} ?",
                "Comment se comparent les principaux fournisseurs pour {term} ?",
                "Quelles sont les bonnes alternatives à {rival} pour {term} ?",
            ),
            ("consideration", "informational"): (
                "Que comparer avant de choisir un fournisseur pour {term} ?",
                "Que disent les clients des fournisseurs spécialisés en {term} ?",
            ),
            ("decision", "comparison"): (
                "Quels sont les trois fournisseurs à retenir pour {term}, et pourquoi ?",
                "Qui offre le meilleur rapport qualité-prix pour {term} ?",
            ),
            ("decision", "transactional"): (
                "Où acheter {term} ?",
                "Quel budget prévoir pour {term} ?",
                "Quelle entreprise choisir maintenant pour {term} ?",
            ),
        },
    ),
    "es": Language(
        persona="Pregunto como {persona}: {question}",
        wordings={
            ("awareness", "informational"): (
                "¿Qué debo saber sobre {term} antes de decidir?",
                "¿Qué es lo más importante al elegir {term}?",
                "¿Qué errores conviene evitar con {term}?",
            ),
            ("consideration", "comparison"): (
                "¿Qué empresas son las más conocidas por {term}?",
                "¿En qué se diferencian los principales proveedores de {term}?",
                "¿Qué buenas alternativas a {rival} hay para {term}?",
            ),
            ("consideration", "informational"): (
                "¿Qué criterios debo comparar al buscar {term}?",
                "¿Qué opinan los clientes de los proveedores de {term}?",
            ),
            ("decision", "comparison"): (
                "Nombra los tres proveedores de {term} que pondrías en la lista final, con razones.",
                "¿Quién ofrece la mejor relación calidad-precio en {term}?",
            ),
            ("decision", "transactional"): (
                "¿Dónde conviene comprar {term}?",
                "¿Cuánto debo esperar pagar por {term}?",
                "¿Qué empresa debo elegir ahora para {term}?",
            ),
        },
    ),
}


def language_of(locale: str) -> str:
    """The language of a BCP 47 locale; English where none is stated."""
    return locale.replace("_", "-").split("-")[0].casefold() or DEFAULT_LANGUAGE
