"""The AI systems that people speak of, and which engine each means: exactly one, or none. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_VERSION = (
    r"(?P<version>(?:[\s-]?(?:v?\d[\w.]*(?<!\.)|(?:mini|nano|pro|flash|ultra|turbo|opus|sonnet|haiku|lite|large|"
    r"small|"
    r"reasoning)\b))*)"
)
_ON = "|".join(rf"(?<=\b{word} )" for word in ("on", "by", "bei", "auf", "sur", "par", "por", "von"))
_ASSISTANTS: dict[str, tuple[str, str]] = {
    "Google AI Mode": (r"(?:google(?:['’]?s)?[ _-])?ai[ _-]mode", ""),
    "Google AI Overviews": (r"(?:google(?:['’]?s)?[ _-])?ai[ _-]overviews?", ""),
    "Gemini": ("gemini", _VERSION),
    "Google": (rf"google(?:['’]?s)? ai|(?:{_ON})google", ""),
    "ChatGPT": (r"chat[ -]?gpt|gpt(?!-oss)|openai", _VERSION),
    "Claude": ("claude|anthropic", _VERSION),
    "Perplexity": ("perplexity|sonar", _VERSION),
    "Grok": (r"grok|x\.?ai", _VERSION),
    "Copilot": ("(?:microsoft )?copilot|bing", ""),
    "DeepSeek": ("deepseek", _VERSION),
    "Mistral": ("mistral|le chat", _VERSION),
    "Llama": (r"llama(?!\.?cpp)|meta ai", _VERSION),
}
_PATTERNS = {
    name: re.compile(rf"\b(?:{words}){version}(?:['’]?s)?(?!\w)", re.IGNORECASE)
    for name, (words, version) in _ASSISTANTS.items()
}
_SEPARATORS = re.compile(r"[\W_]+")
WORDS = "|".join(words for name, (words, _) in _ASSISTANTS.items() if name != "Google")
"""The words for all of them, as a pattern."""


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
        told = (each for text in (*self.names, plain(self.provider)) for _, each in assistants_in(text))
        return next(told, "")


def plain(name: str) -> str:
    """A name in one spelling: in lower case, its words apart by single spaces."""
    return _SEPARATORS.sub(" ", name.casefold()).strip()


def assistants_in(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Where a text speaks of an AI system, and of which; no place twice."""
    taken: list[re.Match[str]] = []
    for name, pattern in _PATTERNS.items():
        for found in pattern.finditer(text):
            if all(found.end() <= other.start() or other.end() <= found.start() for other in taken):
                taken.append(found)
                yield found, name


def meant_by(found: re.Match[str], assistant: str, engines: Iterable[KnownEngine]) -> Sequence[str]:
    """The names of the engines that the words can mean: one is certain, several are ambiguous, none is unknown.

    An engine that is called so comes before all others. A version ("GPT-4o") must stand in the engine's own names,
    and a maker of several systems ("Google") means none of them.
    """
    known, key = list(engines), plain(re.sub(r"['’]?s$", "", found[0]))
    for called in (_is_called, _is_modelled):
        if exact := [engine.name for engine in known if called(engine, key)]:
            return exact
    if found.groupdict().get("version"):
        return [engine.name for engine in known if any(f" {key} " in f" {name} " for name in engine.names)]
    return [engine.name for engine in known if engine.assistant == assistant and assistant != "Google"]


def _is_called(engine: KnownEngine, key: str) -> bool:
    return key in (plain(engine.name), plain(engine.label))


def _is_modelled(engine: KnownEngine, key: str) -> bool:
    return key == plain(engine.model)
