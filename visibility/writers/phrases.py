"""The words of drafts that readers see, by language. Gaps stay English: they are for the author and are replaced."""

from dataclasses import dataclass

from visibility.writers.templates import DEFAULT_LANGUAGE, language_of


@dataclass(frozen=True, slots=True)
class Phrases:
    """What stands around quotes. `{name}` is the brand, `{question}` and `{words}` are what is quoted."""

    says: str
    offers: str
    glance: str
    rows: tuple[str, str, str]
    customers: str
    next_step: str
    notes: str
    disclaimer: str
    cited: str
    sources: str
    faq: str


_ENGLISH = Phrases(
    says="{name} says about “{question}”: “{words}”",
    offers="What {name} offers",
    glance="At a glance",
    rows=("For whom it is", "Price", "What it does differently"),
    customers="What customers say",
    next_step="Next step",
    notes="Notes for the author (remove before publishing)",
    disclaimer="What answers say today; {name} did not write it, and it may be wrong.",
    cited="Pages that answers cite:",
    sources="Sources",
    faq="{topic}: questions and answers",
)
_BY_LANGUAGE = {
    DEFAULT_LANGUAGE: _ENGLISH,
    "de": Phrases(
        says="{name} sagt zu „{question}“: “{words}”",
        offers="Was {name} bietet",
        glance="Auf einen Blick",
        rows=("Für wen", "Preis", "Was daran anders ist"),
        customers="Was Kunden sagen",
        next_step="Der nächste Schritt",
        notes="Notizen für die Redaktion (vor dem Veröffentlichen löschen)",
        disclaimer="Was Antworten heute sagen; es stammt nicht von {name} und kann falsch sein.",
        cited="Seiten, die in Antworten zitiert werden:",
        sources="Quellen",
        faq="{topic}: Fragen und Antworten",
    ),
    "fr": Phrases(
        says="{name} dit à propos de « {question} » : “{words}”",
        offers="Ce que propose {name}",
        glance="En un coup d’œil",
        rows=("Pour qui", "Prix", "Ce qui est différent"),
        customers="Ce que disent les clients",
        next_step="La prochaine étape",
        notes="Notes pour la rédaction (à supprimer avant publication)",
        disclaimer="Ce que disent les réponses aujourd’hui ; cela ne vient pas de {name} et peut être faux.",
        cited="Pages citées dans les réponses :",
        sources="Sources",
        faq="{topic} : questions et réponses",
    ),
    "es": Phrases(
        says="{name} dice sobre «{question}»: “{words}”",
        offers="Qué ofrece {name}",
        glance="De un vistazo",
        rows=("Para quién es", "Precio", "Qué lo hace diferente"),
        customers="Qué dicen los clientes",
        next_step="El siguiente paso",
        notes="Notas para la redacción (eliminar antes de publicar)",
        disclaimer="Lo que dicen hoy las respuestas; no es de {name} y puede ser incorrecto.",
        cited="Páginas que citan las respuestas:",
        sources="Fuentes",
        faq="{topic}: preguntas y respuestas",
    ),
}


def phrases_for(locale: str) -> Phrases:
    """The phrases of the locale's language; English where there are none."""
    return _BY_LANGUAGE.get(language_of(locale), _ENGLISH)
