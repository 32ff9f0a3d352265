"""Sentences of ours: English that remembers its template and values, so that it can be read in other languages.

They quote the site between “ and ” only, and quotes contain neither, so that prompts can replace them by other marks.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

Value = str | float | Sequence["Value"]
"""What is at a place of a template: a number, a sentence, days, words of others (any other text), or a list."""
_QUOTES = str.maketrans("“”", "''")


class Sentence(str):
    """A template in English, filled with its values. A text that is cut or joined is a plain one again."""

    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, values: Mapping[str, Value]) -> "Sentence":
        sentence = super().__new__(cls, template.format(**{name: _english(each) for name, each in values.items()}))
        sentence.template, sentence.values = template, values
        return sentence

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.template, self.values


class Days(str):
    """Days as English writes them, from the first to the last."""

    first: date
    last: date

    def __new__(cls, text: str, first: date, last: date) -> "Days":
        days = super().__new__(cls, text)
        days.first, days.last = first, last
        return days

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.first, self.last


def iso_day(day: date) -> Days:
    """A day as `2025-05-24`."""
    return Days(day.isoformat(), day, day)


def say(template: str, /, **values: Value) -> Sentence:
    """A sentence by its template, a literal that catalogues of other languages have."""
    return Sentence(template, values)


def counted(number: int, one: str, many: str = "") -> Sentence:
    """A number with its noun, a literal, too: `1 page`, `2 pages`."""
    return Sentence(f"{{number}} {one if number == 1 else many or f'{one}s'}", {"number": number})


def also(number: int, more: str) -> str:
    """The sentence that follows one about the first of so many: it is so for the rest (`more page`, a literal)."""
    others = Sentence(f"{{number}} {more}{'s' * (number != 2)}", {"number": number - 1})
    return say(" The same is so for {counted}.", counted=others) if number > 1 else ""


def of_this_kind(number: int) -> str:
    """The sentence that follows one about the first of so many pages whose faults differ."""
    more = counted(number - 1, "more page")
    return say("{more_page} with a fault of this kind.", more_page=more) if number > 1 else ""


def in_a_row(*sentences: str, sign: str = " ") -> Sentence:
    """Sentences one after another, without the empty ones, with a sign between them."""
    values = {f"part{place}": each for place, each in enumerate(filter(None, sentences))}
    return Sentence(sign.join(f"{{{name}}}" for name in values), values)


def listed(texts: Sequence[str], last: str = "and") -> str:
    """Texts as a sentence lists them: `a, b and c`."""
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}" if len(texts) > 1 else "".join(texts)


def theirs(text: str, most: int = 200) -> str:
    """Words of the site, or a sentence about them, as a quote in a sentence of ours."""
    if isinstance(text, Sentence):
        return say("“{text}”", text=text)
    return f"“{shortened(text, most).translate(_QUOTES)}”"


def shortened(text: str, most: int) -> str:
    """The text in one line, at most so long; an ellipsis in place of the rest."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def to_stored(value: Value) -> Any:
    """A sentence, or any value of one, for JSON."""
    match value:
        case Sentence():
            return {
                "template": value.template,
                "values": {name: to_stored(each) for name, each in value.values.items()},
            }
        case Days():
            return {"days": str(value), "first": value.first.isoformat(), "last": value.last.isoformat()}
        case str() | int() | float():
            return value
    return [to_stored(each) for each in value]


def from_stored(value: Any) -> Any:
    """What was stored as JSON; a text without a template, as rows of earlier editions have it, as it is."""
    match value:
        case {"template": template, "values": values}:
            return Sentence(template, {name: from_stored(each) for name, each in values.items()})
        case {"days": days, "first": first, "last": last}:
            return Days(days, date.fromisoformat(first), date.fromisoformat(last))
        case list():
            return [from_stored(each) for each in value]
    return value


def _english(value: Value) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int | float) else listed([_english(each) for each in value])
