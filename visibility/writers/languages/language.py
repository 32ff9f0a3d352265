"""How the embedded writer writes in each language, and the words that it reads by: what each file beside this holds.

A new language is a new file. What holds for the grammar of one language alone (an English plural) is a rule, and
stands beside the code that needs it.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic.dataclasses import dataclass

from apikeys.text.language_files import (
    DEFAULT_LANGUAGE,
    STRICT,
    Languages,
    Pattern,
    Patterns,
    Words,
    holding,
)
from visibility.writers.tasks import Intent, Stage

Comparison = Annotated[str, holding("first", "second")]


@dataclass(frozen=True, slots=True)
class Template:
    """One way to ask: `{term}` is what is looked for, `{rival}` a company that the asker knows, `{criterion}` what
    matters to the asker."""

    stage: Stage
    intent: Intent
    text: str

    @property
    def names_rival(self) -> bool:
        """Whether it needs a company that the asker knows."""
        return "{rival}" in self.text

    @property
    def names_criterion(self) -> bool:
        """Whether it needs something to judge by."""
        return "{criterion}" in self.text


@dataclass(frozen=True, slots=True, config=STRICT)
class Of:
    """A term behind an "of" that is written in another way before some beginnings, such as the French "de"."""

    plain: Annotated[str, holding("term")]
    elided: Annotated[str, holding("term")]
    elided_before: tuple[str, ...]
    kept_before: tuple[str, ...]

    def put(self, term: str) -> str:
        """The term behind it: "de casques", "d’assurances"."""
        folded = term.casefold()
        is_elided = folded.startswith(self.elided_before) and not folded.startswith(self.kept_before)
        return (self.elided if is_elided else self.plain).format(term=term)


@dataclass(frozen=True, slots=True, config=STRICT)
class Questions:
    """The wordings of one cell of stage and intent. `{of_term}` is the term behind the language's "of"."""

    stage: Stage
    intent: Intent
    texts: tuple[Annotated[str, holding(maybe=("term", "of_term", "rival", "criterion"))], ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class Prompts:
    """How buyers ask, by stage and intent. `persona` frames the question of a certain asker who is named with one of
    `persona_articles`, `persona_plain` that of any other; `articles` and
    `elided_articles` are left out before a topic. `comparisons` put two names side by side: each is asked in both
    orders, because engines favour the name that comes first."""

    persona: Annotated[str, holding("persona", "question")]
    persona_plain: Annotated[str, holding("persona", "question")]
    persona_articles: Patterns
    articles: Patterns
    elided_articles: Patterns
    comparisons: tuple[Comparison, Comparison]
    questions: tuple[Questions, ...]
    of: Of | None = None

    @field_validator("questions")
    @classmethod
    def _hold_the_term(cls, questions: tuple[Questions, ...]) -> tuple[Questions, ...]:
        for text in (text for cell in questions for text in cell.texts):
            if "{term}" not in text and "{of_term}" not in text:
                raise ValueError(f"“{text}” holds neither {{term}} nor {{of_term}}")
        return questions


@dataclass(frozen=True, slots=True, config=STRICT)
class Phrases:
    """What stands around quotes: `{name}` is the brand, `{words}` are the words of `{source}`, of the brand or of
    anything. `about` asks for a criterion, in lower case or (`{Criterion}`) as a noun."""

    offers: Annotated[str, holding("name")]
    customers: str
    next_step: str
    customer: str
    of_brand: Annotated[str, holding("source", "name", "words")]
    advice: Annotated[str, holding("source", "words")]
    about: Annotated[str, holding(maybe=("criterion", "Criterion"))]
    needed: str
    sources: str
    faq: Annotated[str, holding("topic")]


@dataclass(frozen=True, slots=True, config=STRICT)
class Search:
    """A mere search, told by how it `begins`, and the `formal` question for it. What begins with `opening` is formal
    already."""

    begins: Patterns
    opening: str
    formal: Annotated[str, holding("search")]


@dataclass(frozen=True, slots=True, config=STRICT)
class Refining:
    """What is added to questions that are worded anew: `{matter}`, `{amount}` and `{wish}` are the instruction's own,
    `before_mark` stands before a closing mark, `prepositions` are by the English ones of instructions.

    `limits` and `currencies` tell what a thing may cost; `formal` are pairs of how things are said and are said
    formally; a question can do without `openings`, `fillers` and `closings`. Instructions name languages by
    `language_names` and place a question by `placed_by`.
    """

    prepositions: Annotated[dict[str, str], Field(min_length=1)]
    doing: Annotated[str, holding("matter")]
    about: Annotated[str, holding("matter")]
    mentioning: Annotated[str, holding("matter")]
    budget: Annotated[str, holding("amount")]
    comparing: str
    wishing: Annotated[str, holding("wish")]
    polite: str
    before_mark: str
    limits: Patterns
    currencies: Patterns
    formal: tuple[tuple[Pattern, str], ...]
    openings: Patterns
    fillers: Patterns
    closings: Patterns
    language_names: Words
    placed_by: Patterns
    search: Search | None = None

    @field_validator("prepositions")
    @classmethod
    def _has_for(cls, prepositions: dict[str, str]) -> dict[str, str]:
        if "for" not in prepositions:
            raise ValueError("has no word for “for”")
        return prepositions


@dataclass(frozen=True, slots=True, config=STRICT)
class WordLists:
    """Words that say nothing of a trade: function words, how something is asked, what every company says of itself.

    `audience` stands before those whom a thing is for. Behind the words of `clause` a company says what its customers
    do, until one of `clause_end`. `superlatives` need a source. `searching` words say how people search, and
    `endings` are cut off words where what is asked is compared with what pages say. Questions that differ in words of
    `wanting` alone are one. `chatter` begins what assistants say to whom they answer, `orders` tell a writer what to
    do: neither is a fact. Advice to buyers holds something of `advising`. `comparing` puts two
    things side by side.
    """

    function: Words
    asking: Words
    company: Words
    searching: Words
    endings: Words
    comparing: Patterns
    audience: Words
    clause: Words
    clause_end: Words
    superlatives: Patterns
    wanting: Words
    chatter: Patterns
    advising: Patterns
    orders: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class Language:
    """One language."""

    prompts: Prompts
    draft: Phrases
    refining: Refining
    words: WordLists

    @property
    def templates(self) -> list[Template]:
        """All ways to ask, those of a stage together."""
        return [Template(cell.stage, cell.intent, text) for cell in self.prompts.questions for text in cell.texts]

    def of_term(self, term: str) -> str:
        """The term behind the language's "of"; the term alone where it has no rule for that."""
        return self.prompts.of.put(term) if self.prompts.of else term


LANGUAGES = Languages(Path(__file__).parent, Language)


def language_of(locale: str) -> str:
    """The language of a BCP 47 locale; English where none is stated."""
    return locale.replace("_", "-").split("-")[0].casefold() or DEFAULT_LANGUAGE


def language_for(locale: str) -> Language:
    """How to write in the locale's language; English where it has no file."""
    return LANGUAGES.get(language_of(locale), LANGUAGES[DEFAULT_LANGUAGE])
