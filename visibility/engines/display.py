"""What people call an engine: “Google AI Mode” for `google_ai_mode`. The one place that knows it, for pages, charts
and sentences; the values of REST, tools and files stay the names under which engines are stored. Pure."""

import re
from collections.abc import Iterable, Mapping

from visibility.engines.adapters.local_search import NAME, PREFIX

_CALLED: Mapping[str, str] = {
    "ai_mode": "Google AI Mode",
    "ai_overview": "Google AI Overviews",
    "ai_overviews": "Google AI Overviews",
    "bing_copilot": "Microsoft Copilot",
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "copilot": "Microsoft Copilot",
    "deepseek": "DeepSeek",
    "gemini": "Gemini",
    "google_ai_mode": "Google AI Mode",
    "google_ai_overview": "Google AI Overviews",
    "google_ai_overviews": "Google AI Overviews",
    "google_gemini": "Gemini",
    "grok": "Grok",
    "le_chat": "Le Chat",
    "lechat": "Le Chat",
    "meta_ai": "Meta AI",
    "microsoft_copilot": "Microsoft Copilot",
    "mistral": "Mistral",
    "openai": "OpenAI",
    "perplexity": "Perplexity",
}
"""By the name in lower case, words joined by an underscore: what the makers call these systems themselves."""
_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_SURFACE = re.compile(r"(.*?)( \((?:(?:app|api), )?imported\))", re.DOTALL)
_LOCAL = "Local search"
_IN_SENTENCES = re.compile(rf"(?<![\w.@/-])(?:{'|'.join(_CALLED)}|{PREFIX}[a-z0-9]+|{NAME})(?![\w@/-]|\.\w)")


def display_name(engine: str) -> str:
    """The name that people know the engine by, with its surface; one that nobody but its operator knows stays as it
    is."""
    surface = _SURFACE.fullmatch(engine)
    name, where = surface.groups() if surface else (engine, "")
    if name == NAME:
        return _LOCAL + where
    if name.startswith(PREFIX):
        return f"{_LOCAL} ({_BETWEEN_WORDS.sub(' ', name.removeprefix(PREFIX))}){where}"
    return _CALLED.get(_BETWEEN_WORDS.sub("_", name.casefold()), name) + where


def display_names(engines: Iterable[str]) -> list[str]:
    """Those of several, in their order."""
    return [display_name(engine) for engine in engines]


def with_display_names(sentence: str) -> str:
    """A sentence of our own that names engines as they are stored, as it was once written and kept. Nothing that
    others wrote: there the same letters may be another thing."""
    return _IN_SENTENCES.sub(lambda name: display_name(name[0]), sentence)
