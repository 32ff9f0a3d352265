"""What is added to questions that are worded anew, by language."""

from dataclasses import dataclass

from visibility.detection.words import word_set
from visibility.writers.templates import DEFAULT_LANGUAGE


@dataclass(frozen=True, slots=True)
class Additions:
    """`{matter}`, `{amount}` and `{wish}` are the instruction's own; `before_mark` stands before a closing mark."""

    prepositions: dict[str, str]
    doing: str
    about: str
    mentioning: str
    budget: str
    comparing: str
    wishing: str
    polite: str
    before_mark: str = ""


_ENGLISH = Additions(
    prepositions={"for": "for"},
    doing="for {matter}",
    about=", especially when it comes to {matter}",
    mentioning=", with {matter} in mind",
    budget="with a budget of {amount}",
    comparing="Please compare the leading options.",
    wishing="Please include {wish}.",
    polite="Could you please advise me:",
)
_BY_LANGUAGE = {
    DEFAULT_LANGUAGE: _ENGLISH,
    "de": Additions(
        prepositions={"for": "für", "under": "unter", "with": "mit", "from": "von", "near": "in der Nähe von"},
        doing=", vor allem wenn es um {matter} geht",
        about=", vor allem wenn es um {matter} geht",
        mentioning=", auch im Hinblick auf {matter}",
        budget="mit einem Budget von {amount}",
        comparing="Bitte vergleiche die führenden Angebote.",
        wishing="Bitte nenne auch {wish}.",
        polite="Könnten Sie mir bitte sagen:",
    ),
    "fr": Additions(
        prepositions={"for": "pour", "in": "en", "under": "à moins de", "with": "avec", "near": "près de"},
        doing=", surtout pour {matter}",
        about=", surtout en ce qui concerne {matter}",
        mentioning=", en tenant compte de {matter}",
        budget="avec un budget de {amount}",
        comparing="Compare les principales options.",
        wishing="Indique aussi {wish}.",
        polite="Pourriez-vous me dire, s’il vous plaît :",
        before_mark=" ",
    ),
    "es": Additions(
        prepositions={"for": "para", "in": "en", "under": "por menos de", "with": "con", "near": "cerca de"},
        doing=", sobre todo para {matter}",
        about=", sobre todo en cuanto a {matter}",
        mentioning=", teniendo en cuenta {matter}",
        budget="con un presupuesto de {amount}",
        comparing="Compara las principales opciones.",
        wishing="Incluye también {wish}.",
        polite="¿Podría decirme, por favor,",
    ),
}
RECOMMENDING = "Could you please recommend"
LANGUAGE_NAMES = word_set(
    """
    arabic chinese czech danish deutsch dutch english español finnish français french german greek hindi italian
    japanese korean norwegian polish portuguese russian spanish swedish turkish ukrainian
    """
)
SPELLED_OUT = (
    ("what['’]s", "what is"), ("which['’]s", "which is"), ("who['’]s", "who is"), ("where['’]s", "where is"),
    ("how['’]s", "how is"), ("it['’]s", "it is"), ("that['’]s", "that is"), ("there['’]s", "there is"),
    ("i['’]m", "I am"), ("i['’]ve", "I have"), ("i['’]d", "I would"), ("can['’]t", "cannot"),
    ("won['’]t", "will not"), ("don['’]t", "do not"), ("doesn['’]t", "does not"), ("isn['’]t", "is not"),
    ("aren['’]t", "are not"), ("shouldn['’]t", "should not"),
)  # fmt: skip
INFORMAL = (
    ("du mir empfehlen", "Sie mir empfehlen"), ("empfiehlst du", "empfehlen Sie"), ("würdest du", "würden Sie"),
    ("kannst du", "können Sie"), ("conseilles-tu", "conseillez-vous"), ("recommandes-tu", "recommandez-vous"),
    ("me recomiendas", "me recomienda"), ("elegirías", "elegiría"), ("pondrías", "pondría"), ("tu lista", "su lista"),
)  # fmt: skip


def additions_for(language: str) -> Additions:
    """The additions of a language; English where there are none."""
    return _BY_LANGUAGE.get(language, _ENGLISH)
