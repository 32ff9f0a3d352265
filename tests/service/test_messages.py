"""The catalogues have every sentence that people read on pages, each translated with its places."""

import ast
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
    stored_templates,
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
REFUSALS = {
    **{"conflict": 0, "conflict_if_taken": 0, "upstream_unavailable": 0, "quota_exceeded": 0},
    **{"invalid": 1, "ServiceError": 1},
}
"""What makes a refusal, and the place of its sentence."""
ENGLISH = (
    "apikeys/edge",
    "apikeys/connect",
    "apikeys/accounts",
    "visibility/admin",
    "visibility/api",
    "visibility/ask",
)
"""Doors of programs and of the operator."""
ENGLISH_MODULES = {
    *("brands/admin.py", "visibility/audits/reads.py", "visibility/runs/schedule.py", "visibility/runs/what_if.py"),
    *("visibility/scores/engines.py", "visibility/topics/reads.py"),
}
SERVICES = [
    path
    for room in ("apikeys", "brands", "visibility")
    for path in sorted((settings.BASE_DIR / room).rglob("*.py"))
    if any(f"{name}(" in path.read_text() for name in REFUSALS)
    and not any(path.is_relative_to(settings.BASE_DIR / room) for room in ENGLISH)
    and str(path.relative_to(settings.BASE_DIR)) not in ENGLISH_MODULES
]


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
    stored, sources = read_catalogue(language), {(message, context) for message, context, _ in marked_sentences()}
    ids = {(tuple(each.id) if isinstance(each.id, list | tuple) else each.id, each.context) for each in stored}
    assert ids - {("", None)} == sources


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


def unmarked_refusals(source):
    """The sentences that a module refuses something with, and that nothing marks."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in REFUSALS:
            yield from (
                ast.unparse(each)
                for each in call.args[REFUSALS[call.func.id] :][:1]
                if isinstance(each, ast.JoinedStr | ast.Constant)
            )


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: str(path.relative_to(settings.BASE_DIR)))
def test_every_refusal_that_pages_can_show_is_marked(path):
    assert list(unmarked_refusals(path.read_text())) == []


def test_a_refusal_outside_of_a_mark_is_seen():
    assert list(unmarked_refusals('raise invalid("text", f"Write {most} words.")')) == ["f'Write {most} words.'"]


def test_a_template_that_is_no_literal_is_refused():
    with pytest.raises(ValueError, match="malformed"):
        list(stored_templates(ast.parse("say(f'{number} of {pages} are wrong')")))
