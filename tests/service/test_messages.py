"""The catalogues have every sentence that people read on pages, each translated with its places."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from config.messages import (
    catalogue_path,
    forms,
    marked_sentences,
    mo_bytes,
    read_catalogue,
    untranslated,
    updated,
)

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
PLACE = re.compile(r"%\(\w+\)s|\{\w+(?::[^}]*)?\}")
TEMPLATES = Path(settings.BASE_DIR) / "templates"
PAGES = sorted(each for each in TEMPLATES.rglob("*.html") if "admin" not in each.parts)
MARKED = re.compile(
    r"\{%\s*blocktranslate.*?endblocktranslate\s*%\}|\{%\s*comment.*?endcomment\s*%\}|<script.*?</script>", re.DOTALL
)
TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
SPOKEN = re.compile(r'\b(?:aria-label|placeholder|title|alt)="([^"]*)"')
NAMES = {"Brand Visibility", "REST API", "API", "CSV", "PNG"}
"""The same in every language."""


def unmarked(source):
    """The words of a template that nothing marks."""
    plain = TAGS.sub("", MARKED.sub("", source))
    spoken = SPOKEN.findall(plain)
    texts = re.split(r"<[^<>]*>|·", re.sub(r"<!doctype html>", "", plain))
    return [
        words for text in [*texts, *spoken] if re.search(r"[^\W\d_]{2}", words := text.strip()) and words not in NAMES
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_every_word_of_a_template_is_marked(path):
    assert unmarked(path.read_text()) == []


def test_words_outside_of_a_mark_are_seen():
    source = '<p aria-label="Menu">{% translate "Save" %} now {{ name }}</p>'
    assert unmarked(source) == ["now", "Menu"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_the_sentences_of_the_sources_and_no_others(language):
    stored, sources = read_catalogue(language), {message for message, _ in marked_sentences()}
    assert {tuple(each.id) if isinstance(each.id, list | tuple) else each.id for each in stored if each.id} == sources


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language):
    assert untranslated(updated(language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_a_guess(language):
    assert [each.id for each in read_catalogue(language) if each.id and each.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_has_the_places_of_its_sentence(language):
    wrong = []
    for each in read_catalogue(language):
        for sentence, words in zip(forms(each.id), forms(each.string), strict=False):
            if each.id and set(PLACE.findall(sentence)) != set(PLACE.findall(words)):
                wrong.append((sentence, words))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_the_translators(language):
    path = catalogue_path(language)
    assert path.with_suffix(".mo").read_bytes() == mo_bytes(read_catalogue(language))
