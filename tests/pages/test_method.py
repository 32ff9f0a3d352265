"""The method page: open to anyone, and every figure's link leads to its definition."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from visibility.pages.method import anchor, method_html
from visibility.pages.present.figure_rows import figure_rows
from visibility.resources.figures import Figures, SubjectFigures

TEMPLATES = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))
LINKED = re.compile(r"""url 'method' %}#([\w-]+)|(?<![-\w])anchor="([\w-]+)""")


def test_every_link_to_the_method_leads_to_a_heading():
    linked = {a or b for template in TEMPLATES for a, b in LINKED.findall(template.read_text())}
    assert {"score", "share-of-voice", "prominence", "citation-rate", "the-intervals"} <= linked
    assert linked <= set(re.findall(r'<h[1-6] id="([^"]+)"', method_html()))


def test_every_figure_of_the_table_links_to_its_definition():
    standing = SubjectFigures(competitor=None, name="Acme", overall=Figures(), engines=[])
    anchors = {row.anchor for row in figure_rows(standing, alone=True)}
    assert len(anchors) == 10
    assert anchors <= set(re.findall(r'<h3 id="([^"]+)"', method_html()))


def test_an_anchor_is_made_of_the_words_of_its_heading():
    assert anchor("Share of voice (95 %)") == "share-of-voice-95"


@pytest.mark.django_db
def test_anyone_may_read_how_it_is_measured(client):
    page = client.get(reverse("method"))
    assert page.status_code == 200
    assert b'<h3 id="share-of-voice">Share of voice</h3>' in page.content


def test_links_to_other_files_of_the_documentation_are_plain_text():
    assert not re.findall(r'href="(?!https?://|#)', method_html())
