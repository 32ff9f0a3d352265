"""Words of pages: texts that end where they say something, large counts, dates, kinds and categories in words."""

import ast
import re
from datetime import date
from typing import get_args

import pytest
from django.conf import settings
from django.template.loader import get_template

from apikeys.language import day_words
from visibility.audit.judge import Category
from visibility.pages.audit import CATEGORIES
from visibility.pages.tags import day, opening

COUNTS = (
    *("mentioned", "answers", "of", "citing", "naming", "done", "total", "failed", "affected", "cited", "offered"),
    *("number", "citations", "all_pages", "repeated", "recommended", "cautioned", "topics_for_ten", "count"),
)
OWN = (
    *("answers", "answer_list", "argument", "audit", "competitors", "heat", "history", "page", "scans", "sources"),
    "suggestion",
)

MOST_ARGUMENTS = 8
SENTENCE = re.compile(r"\{% blocktranslate(.*?)%\}(.*?)\{% endblocktranslate %\}", re.DOTALL)


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("Short.", 99, "Short."),
        ("One sentence. Another one that is longer.", 20, "One sentence."),
        ("Google is the first pick in 24 of 24 answers, you in 0 (24 to 25 May)", 66, "…24 answers, you in 0…"),
        ("Apple is named in 17 of 24 answers and you are in 2 of them", 53, "Apple is named in 17 of 24 answers…"),
        ("What the answers of all engines say: On 1 topic nobody", 45, "What the answers of all engines say…"),
        ("x" * 50, 20, "x" * 19 + "…"),
    ],
)
def test_a_text_that_is_too_long_ends_with_a_word_that_says_something(text, most, shown):
    ending = shown.removeprefix("…")
    assert opening(text, most).endswith(ending) and len(opening(text, most)) <= most
    assert text.startswith(opening(text, most).removesuffix("…"))


def shown_values(source):
    """What a template shows, each as it is written in it; of a sentence to translate what its names stand for."""
    source = re.sub(r"<(?:progress|input)[^>]*>", "", source)
    values = []
    for head, body in re.findall(SENTENCE, source):
        bound = dict(re.findall(r"(\w+)=(\S+)", head))
        values += [bound.get(name, name) for name in re.findall(r"\{\{ (\w+) \}\}", body)]
    values += re.findall(r"\{\{ ?([^}]+?) ?\}\}", re.sub(SENTENCE, "", source))
    return [value for value in values if "|" not in value]


@pytest.mark.parametrize("name", OWN)
def test_large_counts_have_a_comma(name):
    source = get_template(f"pages/{name}.html").template.source
    assert not [each for each in shown_values(source) if each.split(".")[-1] in COUNTS]


@pytest.mark.parametrize("name", OWN)
def test_no_template_writes_dates_in_its_own_way(name):
    source = get_template(f"pages/{name}.html").template.source
    formats = re.findall(r"""\|date:['"]([^'"]+)""", re.sub(r"<input[^>]*>", "", source))
    assert set(formats) <= {"H:i"}


@pytest.mark.parametrize("value", [date(2020, 11, 3), date(2024, 2, 29)])
def test_a_day_of_another_year_is_written_with_it_in_texts_and_charts(value):
    assert day(value) == day_words(value) == f"{value.day} {value:%b} {value.year}"


def test_every_category_of_an_audit_has_words():
    assert set(CATEGORIES) == set(get_args(Category))
    assert all(words[0].isupper() and "-" not in words for words in CATEGORIES.values())


@pytest.mark.parametrize(
    "name", ["answers", "answer_list", "audit", "competitors", "history", "settings", "sources", "start"]
)
def test_a_view_gives_its_page_few_things_by_name(name):
    tree = ast.parse((settings.BASE_DIR / f"visibility/pages/{name}.py").read_text())
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and ast.unparse(each.func) == "visit.show"]
    assert calls and all(len(call.keywords) <= MOST_ARGUMENTS for call in calls)


def test_the_score_of_an_audit_is_written_in_one_way():
    for name in ("audit", "scans"):
        assert "of 100" not in get_template(f"pages/{name}.html").template.source, name
    assert "of 100" not in (settings.BASE_DIR / "visibility/pages/audit.py").read_text()
