"""Every kind has all its parts, and the document about them is made of them."""

from pathlib import Path

import pytest
from django.template.loader import get_template

from tests.factories import BrandFactory, RecommendationFactory
from tests.recommendations.kinds_table import table
from visibility.recommendations.cards import show
from visibility.recommendations.facts import gather
from visibility.recommendations.kinds import CHORES, KINDS

OWNERS = {"product", "content", "PR", "commerce", "community", "tech"}
METHOD = Path(__file__).parents[2] / "docs/method.md"
EXAMPLES = {
    "name": {"name": "Google Nest", "is_blocking": True, "k": 9, "of": 24, "days": "1 Jan 2026"},
    "blocked": {
        "check": "ACC-06",
        "title": "All pages are barred",
        "seen": "x",
        "fix": "y",
        "gain": 40,
        "prompt": "z",
    },
    "hygiene": {"check": "STR-06", "title": "No dates", "seen": "x", "fix": "y", "gain": 1, "prompt": "z"},
    "fall": {"day": "2026-01-03", "before": 75, "after": 25},
    "wrong_fact": {
        "heading": "Plus plan",
        "is_price": True,
        "values": [{"value": "$24", "answers": 4}, {"value": "$49", "answers": 2}],
        "k": 4,
        "of": 6,
    },
    "limit": {"heading": "loud", "k": 7, "of": 12, "engines": [{"engine": "chatgpt", "k": 5, "n": 12}]},
    "gap": {
        "measure": "mentions",
        "rival": "Zentra",
        "topic": "bikes",
        "other_k": 20,
        "other_of": 24,
        "k": 1,
        "of": 24,
    },
    "sources": {
        "own": [
            {
                "url": "https://kryton.example",
                "domain": "kryton.example",
                "owner": "content",
                "cited": 4,
                "missing": 3,
            }
        ]
    },
    "defend": {"topics": [], "number": 3, "k": 70, "of": 72, "days": "1 Jan 2026"},
    "track": {"names": [{"name": "Rookwood", "topic": "bikes", "mentioned": 9, "offered": 8, "of": 9, "first": 2}]},
}


@pytest.fixture
def card(db):
    return lambda kind: show(RecommendationFactory(kind=kind, facts=EXAMPLES[kind]), RecommendationFactory().brand)


def test_ten_kinds_two_of_them_chores():
    assert KINDS.keys() == EXAMPLES.keys() and len(KINDS) == 10
    assert {"hygiene", "track"} == CHORES


@pytest.mark.parametrize("kind", KINDS)
def test_a_card_has_a_fact_a_goal_an_owner_and_a_prompt_with_all_of_it(card, kind):
    shown = card(kind)
    assert shown.title and shown.fact and shown.goal and shown.tasks
    assert len(shown.tasks) <= 3 and {owner for owner, _ in shown.tasks} <= OWNERS
    assert all(text.marked in shown.fix_prompt for _, text in shown.tasks)


@pytest.mark.parametrize("kind", KINDS)
def test_a_title_has_ten_words_at_most(card, kind):
    assert len(card(kind).title.split()) <= 10


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_of_a_kind_are_marked_for_translation(kind):
    source = Path(get_template(f"advice/{kind}.md").origin.name).read_text()
    assert "{% translate" in source or "{% blocktranslate" in source


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_a_kind_finds_nothing_where_nothing_is_known(db, kind):
    assert list(kind.find(gather(BrandFactory()))) == []


def test_the_document_has_the_table_of_kinds():
    assert table() in METHOD.read_text()
