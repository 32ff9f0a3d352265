"""Saved sites of the reference data as the own pages of a brand."""

import tomllib
from functools import cache
from pathlib import Path

from tests.audit.parse import saved
from visibility.audit.page import ParsedPage
from visibility.measured.own_pages import NO_ANSWER, OwnPages, as_own_page

QUESTIONS = tomllib.loads(Path(__file__).with_name("questions.toml").read_text(encoding="utf-8"))


@cache
def parsed_pages(data: Path, site: str) -> list[ParsedPage]:
    """What the parser says of the pages of a whole site; of `saved` the articles and products of many."""
    every = [*saved.articles(data), *saved.products(data)] if site == "saved" else saved.sites(data)
    pages = [saved.said(page) for page in every if site in ("saved", page.group)]
    return [page for page in pages if isinstance(page, ParsedPage) and page.kind not in NO_ANSWER]


@cache
def own_pages(data: Path, site: str) -> OwnPages:
    """The same as they are compared with questions."""
    return OwnPages([as_own_page(page) for page in parsed_pages(data, site)])
