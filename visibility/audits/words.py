"""Sentences that jobs store in English, with their templates and values, and that pages show in other languages."""

from datetime import date
from typing import Annotated, Any

from django.conf import settings
from django.utils.translation import get_language, gettext, pgettext
from pydantic import PlainSerializer, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import to_jsonable_python

from apikeys.language import number_words, span_words
from apikeys.resources import Resource, for_reader
from visibility.audit import Days, Sentence, Value, from_stored, listed, to_stored

CONTEXT = "stored"
"""What catalogues have templates of sentences under."""
SENTENCES = "sentences"
"""The key of template and values of the sentences of an object, by their fields."""


def in_words(text: str) -> str:
    """A sentence in the language of the reader; any other text as it is."""
    if (get_language() or settings.LANGUAGE_CODE) == settings.LANGUAGE_CODE:
        return text
    if isinstance(text, Days):
        return span_words(text.first, text.last)
    if not isinstance(text, Sentence):
        return text
    values = {name: _written(each) for name, each in text.values.items()}
    return pgettext(CONTEXT, text.template).format(**values)


def _written(value: Value) -> str:
    match value:
        case str():
            return in_words(value)
        case int() | float():
            return number_words(value)
    return listed([_written(each) for each in value], gettext("and"))


SentenceText = Annotated[str, PlainValidator(in_words), WithJsonSchema({"type": "string"})]
"""A sentence of ours, or days, in the language of the reader."""
UntrustedSentence = Annotated[SentenceText, PlainSerializer(for_reader, return_type=str, when_used="json")]
"""Words of others, or of ours about them: agents get them between marks."""


class WithSentences(Resource):
    """What has sentences among its fields, as it is stored or new."""

    @model_validator(mode="before")
    @classmethod
    def _with_sentences(cls, given: Any) -> Any:
        if not isinstance(given, dict) or SENTENCES not in given:
            return given
        return given | {name: from_stored(each) for name, each in given[SENTENCES].items()}


def to_store(data: Any) -> Any:
    """Resources and other objects as JSON, each with template and values of its sentences."""
    if isinstance(data, dict):
        words = {name: to_stored(each) for name, each in data.items() if _has_sentence(each)}
        return {name: to_store(each) for name, each in data.items()} | ({SENTENCES: words} if words else {})
    return [to_store(each) for each in data] if isinstance(data, list | tuple) else to_jsonable_python(data)


def days_between(first: date, last: date) -> Days:
    """Days as people write them, "20 to 24 May 2025"."""
    return Days(span_words(first, last), first, last)


def _has_sentence(value: Any) -> bool:
    return isinstance(value, Sentence | Days) or (
        isinstance(value, list | tuple) and any(isinstance(each, Sentence | Days) for each in value)
    )
