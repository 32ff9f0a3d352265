"""Says statements in a language: the templates of each file in this folder, and the language's numbers and dates."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Self

from django.utils import translation
from django.utils.formats import date_format, number_format
from pydantic import BeforeValidator, Field, model_validator
from pydantic.dataclasses import dataclass

from apikeys.text.language_files import DEFAULT_LANGUAGE, STRICT, Languages
from apikeys.text.sentences import one_line, shortened
from visibility.metrics.shown import shown
from visibility.services.ask.types import Statement, Value
from visibility.services.ask.wording.keys import CODES, FORMS, NOUNS, ROWS, SENTENCES
from visibility.services.ask.wording.templates import Place, Template, read_template

LONGEST = 120
"""Characters of one text of others in a sentence."""


@dataclass(frozen=True, slots=True, config=STRICT)
class Noun:
    """A noun, or a noun and its verb, behind one and behind several."""

    one: str
    many: str


def _read(value: object) -> object:
    return read_template(value) if isinstance(value, str) else value


Sentence = Annotated[Template, BeforeValidator(_read)]


@dataclass(frozen=True, slots=True, config=STRICT | {"arbitrary_types_allowed": True})
class Wording:
    """One language. `zero_is_one`: nothing is counted as one is. `words` are those for codes, by kind of code."""

    and_: Annotated[str, Field(alias="and")]
    quotes: tuple[str, str]
    zero_is_one: bool
    nouns: Mapping[str, Noun]
    words: Mapping[str, Mapping[str, str]]
    rows: Mapping[str, Sentence]
    sentences: Mapping[str, Sentence]

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        """Each sentence, row, noun and word is there, and is made of what it has."""
        _same("noun", self.nouns, NOUNS)
        _same("kind of words", self.words, CODES)
        for kind, codes in CODES.items():
            _same(f"word of {kind}", self.words[kind], codes)
        for kind, templates, known in (("row", self.rows, ROWS), ("sentence", self.sentences, SENTENCES)):
            _same(kind, templates, known)
            for key, template in templates.items():
                for place in template.places():
                    _check(f"The {kind} {key}", place, known[key])
        return self


def _same(what: str, entries: Mapping[str, object], known: Mapping[str, object] | frozenset[str]) -> None:
    if missing := set(known) - set(entries):
        raise ValueError(f"has no {what} {min(missing)}")
    if unknown := set(entries) - set(known):
        raise ValueError(f"has a {what} {min(unknown)}, which nothing says")


def _check(whose: str, place: Place, values: frozenset[str]) -> None:
    if place.name not in values:
        raise ValueError(f"{whose} has a place for {place.name}, which it has no value of")
    if place.form not in FORMS or (place.of and place.of not in FORMS[place.form]):
        raise ValueError(f"{whose} puts {place.name} in the form {place.form} {place.of}, which there is not")


WORDINGS = Languages(Path(__file__).parent, Wording)


def said(statements: Sequence[Statement], language: str) -> list[str]:
    """The statements as sentences of the language; English where there are none of it."""
    name = language if language in WORDINGS else DEFAULT_LANGUAGE
    wording = WORDINGS[name]
    with translation.override(name):
        return [_sentence(wording, wording.sentences[statement.key], statement.values) for statement in statements]


def _sentence(wording: Wording, template: Template, values: Mapping[str, Value]) -> str:
    words = one_line(template.filled(values, lambda place, value: _said(wording, place, value)))
    return words[:1].upper() + words[1:] if words.endswith(".") and not _is_name_first(template) else words


def _is_name_first(template: Template) -> bool:
    """Whether a name begins the sentence, which is written as it is."""
    return bool(template.parts) and isinstance(template.parts[0], Place)


def _said(wording: Wording, place: Place, value: Value) -> str:
    if place.form == "rows" and isinstance(value, Sequence):
        template = wording.rows[place.of]
        rows = [_sentence(wording, template, row) for row in value if isinstance(row, Mapping)]
        return _joined(wording, rows)
    if place.form in ("list", "quoted"):
        names = [value] if isinstance(value, str) else list(value) if isinstance(value, Sequence) else []
        first, last = wording.quotes if place.form == "quoted" else ("", "")
        return _joined(wording, [f"{first}{_text(name)}{last}" for name in names])
    if place.form == "word":
        return wording.words[place.of][str(value)]
    if place.form == "words" and isinstance(value, Sequence):
        return _joined(wording, [wording.words[place.of][str(code)] for code in value])
    if place.form == "count" and isinstance(value, (int, float)):
        noun = wording.nouns[place.of]
        is_one = value == 1 or (value == 0 and wording.zero_is_one)
        return f"{_number(value, 0 if value == round(value) else 1)} {noun.one if is_one else noun.many}"
    return _plain(place, value)


def _plain(place: Place, value: Value) -> str:
    if isinstance(value, datetime):
        return date_format(value, "DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value)
    if isinstance(value, (int, float)):
        digits = {"whole": 0, "money": 2}.get(place.form, 0 if isinstance(value, int) else 1)
        number = _number(abs(value) if place.form == "size" else value, digits)
        sign = "+" if place.form == "signed" and value > 0 else ""
        return f"{sign}{number}{' %' if place.form == 'percent' else ''}"
    return _text(value)


def _number(value: float, digits: int) -> str:
    return number_format(Decimal(shown(value, digits)), digits, force_grouping=True)


def _text(value: Value) -> str:
    return shortened(one_line(str(value)), LONGEST)


def _joined(wording: Wording, names: Sequence[str]) -> str:
    """At least one of these as the language lists them."""
    return f" {wording.and_} ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""
