"""How a sentence is written down: text with places for values, and choices between parts. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from visibility.services.ask.types import Value

_TOKEN = re.compile(r"\{(?P<name>\w+)(?::(?P<form>\w+)(?: (?P<of>\w+))?)?\}|(?P<sign>[\[\]|])|(?P<text>[^\[\]{}|]+)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands, in which form, and of what: `{named}`, `{answers:count answer}`, `{rivals:list}`."""

    name: str
    form: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What stands in square brackets: the first of these whose own places all have a value, or nothing."""

    templates: Sequence["Template"]


@dataclass(frozen=True, slots=True)
class Template:
    """Text, places, and choices."""

    parts: Sequence[str | Place | Choice]

    def places(self) -> Iterator[Place]:
        """All places, those of choices as well."""
        for part in self.parts:
            if isinstance(part, Choice):
                for template in part.templates:
                    yield from template.places()
            elif isinstance(part, Place):
                yield part

    def filled(self, values: Mapping[str, Value], say: Callable[[Place, Value], str]) -> str:
        """The sentence of these values, each put in words by `say`. Raises KeyError for a value that is not there
        where it may not be left out."""
        words = []
        for part in self.parts:
            if isinstance(part, str):
                words.append(part)
            elif isinstance(part, Place):
                words.append(say(part, values[part.name]))
            elif chosen := next((template for template in part.templates if template.has_all(values)), None):
                words.append(chosen.filled(values, say))
        return "".join(words)

    def has_all(self, values: Mapping[str, Value]) -> bool:
        """Whether its own places, those of choices apart, have a value."""
        own = [part.name for part in self.parts if isinstance(part, Place)]
        return all(values.get(name) not in (None, "", (), []) for name in own)


def read_template(text: str) -> Template:
    """The template of a text. Raises ValueError for brackets and braces that do not match."""
    tokens = list(_TOKEN.finditer(text))
    if "".join(token[0] for token in tokens) != text:
        raise ValueError(f"has a brace that does not match: {text}")
    template, end = _template(tokens, 0, text)
    if end != len(tokens):
        raise ValueError(f"has a bracket or a bar outside of one: {text}")
    return template


def _template(tokens: Sequence[re.Match[str]], start: int, text: str) -> tuple[Template, int]:
    """The template that begins at this token, and where it ends: at a bar, a closing bracket, or the end."""
    parts: list[str | Place | Choice] = []
    number = start
    while number < len(tokens) and tokens[number]["sign"] not in ("]", "|"):
        token = tokens[number]
        if token["sign"]:
            choice, number = _choice(tokens, number + 1, text)
            parts.append(choice)
        else:
            parts.append(token["text"] or Place(token["name"], token["form"] or "", token["of"] or ""))
            number += 1
    return Template(tuple(parts)), number


def _choice(tokens: Sequence[re.Match[str]], start: int, text: str) -> tuple[Choice, int]:
    """The choice whose first template begins at this token, and the token behind its closing bracket."""
    templates: list[Template] = []
    number = start
    while True:
        template, number = _template(tokens, number, text)
        templates.append(template)
        if number >= len(tokens):
            raise ValueError(f"has a bracket that is not closed: {text}")
        number += 1
        if tokens[number - 1]["sign"] == "]":
            return Choice(tuple(templates)), number
