"""The AI systems that people speak of, and which engine each means: exactly one, or none. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Patterns, load_file
from visibility.services.ask.reading.products import english_words
from visibility.services.ask.vocabulary import behind_any_of


@dataclass(frozen=True, slots=True, config=STRICT)
class Assistant:
    """An AI system by the words for it; `words_behind_preposition` mean it behind an "on" or "by" only,
    `words_beside_others` where the question speaks of another one, too. `maker`: the name of the maker it is of."""

    name: str
    words: Patterns
    words_behind_preposition: Patterns = ()
    words_beside_others: Patterns = ()
    versioned: bool = False
    maker: str = ""
    is_maker: bool = False

    @property
    def pattern(self) -> str:
        """The words for it."""
        behind = (f"(?:{_ON}){word}" for word in self.words_behind_preposition)
        return "|".join([*self.words, *behind])


@dataclass(frozen=True, slots=True, config=STRICT)
class Assistants:
    """What assistants.toml holds; `versions` are words that stand for one."""

    versions: Patterns
    assistant: tuple[Assistant, ...]


_ON = behind_any_of(lambda words: words.names.before_assistants)
_KNOWN = load_file(Path(__file__).with_name("assistants.toml"), Assistants)
_VERSION = rf"(?P<version>(?:[\s-]?(?:v?\d[\w.]*(?<!\.)|(?:{'|'.join(_KNOWN.versions)})\b))*)"
_PATTERNS = {
    system.name: re.compile(
        rf"\b(?:{system.pattern}){_VERSION if system.versioned else ''}(?:['’]?s)?(?!\w)", re.IGNORECASE
    )
    for system in _KNOWN.assistant
}
_MAKERS = frozenset(system.name for system in _KNOWN.assistant if system.is_maker)
_MADE_BY = {maker: {system.name for system in _KNOWN.assistant if system.maker == maker} for maker in _MAKERS}
_BESIDE_OTHERS = {
    system.name: re.compile(rf"\b(?:{'|'.join(system.words_beside_others)})(?:['’]s)?(?![\w-])", re.IGNORECASE)
    for system in _KNOWN.assistant
    if system.words_beside_others
}
_SEPARATORS = re.compile(r"[\W_]+")
WORDS = "|".join(system.pattern for system in _KNOWN.assistant if not system.is_maker)
"""The words for all of them but makers of several, as a pattern."""


@dataclass(frozen=True, slots=True)
class KnownEngine:
    """An engine by all that it is called; what an imported one is not configured with is empty."""

    name: str
    label: str = ""
    provider: str = ""
    model: str = ""

    @property
    def names(self) -> list[str]:
        """What it is called, plainly: its own name first."""
        return [key for key in map(plain, (self.name, self.label, self.model)) if key]

    @property
    def assistant(self) -> str:
        """The AI system that it is: told by its name, else by its label, model or provider; empty where none "
        "tells."""
        assistants = (
            assistant for text in (*self.names, plain(self.provider)) for _, assistant in assistants_in(text)
        )
        return next(assistants, "")


@dataclass(frozen=True, slots=True)
class UnknownEngine:
    """Words for an AI system that are no engine's here, or could be one of several."""

    words: str
    candidates: Sequence[str] = ()


def plain(name: str) -> str:
    """A name in one spelling: in lower case, its words apart by single spaces.

    Not the key of a tracked name nor of a suggested one: dots and dashes of versions become spaces here ("gpt-4.1",
    "GPT 4.1"), so that words stay apart and a version is found as words within a name.
    """
    return _SEPARATORS.sub(" ", name.casefold()).strip()


def assistants_in(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Where a text speaks of an AI system, and of which; no place twice."""
    matches: list[re.Match[str]] = []
    for name, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            if all(match.end() <= other.start() or other.end() <= match.start() for other in matches):
                matches.append(match)
                yield match, name


def is_part_of_a_system(text: str, name: re.Match[str]) -> bool:
    """Whether a name of the text only belongs to the longer one of an AI system: "Google" in "Google AI Mode". A
    version makes no other name of it."""
    return any(
        match.start() <= name.start() and name.end() <= match.end() and plain(match[0]) != plain(name[0])
        for match, _ in assistants_in(text)
        if not match.groupdict().get("version")
    )


def makers_in(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Where a text that speaks of AI systems names the maker of some, and no product of its: a word with a capital,
    or one for a product, behind the name makes it the product's."""
    for name, pattern in _BESIDE_OTHERS.items():
        for match in pattern.finditer(text):
            following = re.match(r"\s+([^\W\d_]+)", text[match.end() :])
            if following is None or not (following[1][0].isupper() or english_words(following[1])):
                yield match, name


def meant_by(match: re.Match[str], assistant: str, engines: Iterable[KnownEngine]) -> Sequence[str]:
    """The names of the engines that the words can mean: one is certain, several are ambiguous, none is unknown.

    An engine that is called so comes before all others. A version ("GPT-4o") must stand in the engine's own names,
    and a maker of several systems ("Google") means each that is its own.
    """
    known, key = list(engines), plain(re.sub(r"['’]?s$", "", match[0]))
    for called in (_is_called, _is_modelled):
        if exact := [engine.name for engine in known if called(engine, key)]:
            return exact
    if match.groupdict().get("version"):
        return [engine.name for engine in known if any(f" {key} " in f" {name} " for name in engine.names)]
    meant = _MADE_BY[assistant] if assistant in _MAKERS else {assistant}
    return [engine.name for engine in known if engine.assistant in meant]


def _is_called(engine: KnownEngine, key: str) -> bool:
    return key in (plain(engine.name), plain(engine.label))


def _is_modelled(engine: KnownEngine, key: str) -> bool:
    return key == plain(engine.model)
