"""The page of the checks says what the catalogue says."""

from markdown_it import MarkdownIt

from tests.audit.reference import FILE, NAMES, cell, reference, source
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.score import CATEGORIES


def test_the_page_is_that_of_the_catalogue():
    assert FILE.read_text() == reference(), "Run python -m tests.audit.reference --write"


def test_every_category_has_a_name():
    assert tuple(NAMES) == CATEGORIES


def test_every_check_has_a_section_and_a_row():
    text = FILE.read_text()
    for name, entry in CATALOGUE.items():
        assert text.count(f"### {name} ") == 1 and f"| {name} | {cell(entry.title)} |" in text


def test_what_the_catalogue_says_is_text_and_no_markup():
    html = MarkdownIt("commonmark").render(FILE.read_text())
    for entry in CATALOGUE.values():
        assert "<main>" not in html and "<h1>The checks" in html
        assert "<html>" not in html, entry.id


def test_a_repository_and_an_address_are_linked():
    assert source("a/b@be64a530 docs/x.md") == "[a/b](https://github.com/a/b/tree/be64a530) docs/x.md"
    assert source("https://ogp.me/") == "<https://ogp.me/>"
    assert source("none known") == "none known"
