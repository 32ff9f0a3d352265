"""Figures of a selection by engine, of each competitor and by topic: their order, and what stands where nothing is
counted."""

from datetime import date

import pytest

from tests.counts.conftest import add, asked, measured
from visibility.counts.figures import duels_of, engines_of, figures_of, left_out_of, standings_of, topics_of
from visibility.counts.past import select_prompt
from visibility.counts.reader import select_between, select_now
from visibility.counts.sums import averaged_engines, rounded, without_pages
from visibility.models import Cell, Prompt, Topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    """Zentra is in more answers than Kryton on locks, in as many as Avola on bells, and nobody is on pumps."""
    return measured(
        asked("chatgpt", 1, "Kryton", "Zentra", "Zentra and Kryton", "Zentra"),
        asked("gemini", 2, "Kryton", "Kryton", "Kryton", "Zentra"),
        asked("gemini", 2, "Zentra", "Avola", "Kryton", "Kryton", topic="bells"),
        asked("chatgpt", 2, topic="pumps"),
        rivals=("Zentra", "Avola"),
    )


def test_topics_where_the_brand_is_furthest_behind_come_first(brand):
    duels = duels_of(select_now(brand))
    assert [(each.topic, each.own.mentioned, each.best, each.worst) for each in duels] == [
        ("pumps", 0, 0, 0.0),
        ("locks", 5, 4, -0.125),
        ("bells", 2, 1, -0.25),
    ]
    assert {row.subject for row in duels[1].theirs.values()} == {"Zentra", "Avola"}
    assert [each.prompts for each in duels] == [4, 4, 4]


def test_a_topic_names_who_leads_it_and_nobody_where_nobody_is_named(brand):
    results = [
        (each.topic, each.leader, each.leader_mentioned, each.answers) for each in topics_of(select_now(brand))
    ]
    assert results == [("bells", "Avola and 1 more", 1, 4), ("locks", "Zentra", 4, 8), ("pumps", None, 0, 4)]


def test_engines_and_standings_begin_with_the_highest_score(brand):
    now = select_now(brand)
    assert [(each.engine, each.first_day, each.as_of) for each in engines_of(now)] == [
        ("gemini", date(2026, 1, 2), date(2026, 1, 2)),
        ("chatgpt", date(2026, 1, 1), date(2026, 1, 2)),
    ]
    assert [each.name for each in standings_of(now)] == ["Kryton", "Zentra", "Avola"]


def test_figures_have_the_days_of_the_engines_that_make_them(brand):
    figures = figures_of(select_now(brand))
    assert (figures.first_day, figures.as_of) == (date(2026, 1, 1), date(2026, 1, 2))
    Cell.objects.filter(engine__name="chatgpt", day="2026-01-01").update(surface="app")
    Cell.objects.filter(engine__name="chatgpt", day="2026-01-02").delete()
    assert figures_of(select_now(brand)).as_of == date(2026, 1, 1)


def test_an_engine_that_is_left_out_says_why():
    brand = measured(asked("chatgpt", 20), asked("gemini", 20), asked("grok", 1))
    Cell.objects.filter(engine__name="gemini").update(answers=0, failed=1)
    reasons = {each.engine: (each.last_day, each.reason.split()[0]) for each in left_out_of(select_now(brand))}
    assert reasons == {"gemini": (date(2026, 1, 20), "fewer"), "grok": (date(2026, 1, 1), "not")}


def test_a_standing_says_what_its_relation_rests_on():
    brand = measured(*(asked("chatgpt", 1, *("Zentra",) * 4, topic=f"kind {n}", samples=2) for n in range(5)))
    zentra, kryton = standings_of(select_now(brand))
    assert (zentra.without_brand, zentra.only_brand, zentra.site_is) == (40, 0, "behind")
    assert zentra.chance == round(zentra.chance, 3) <= 0.05 and zentra.units in ("topics", "prompts", "answers")
    assert (kryton.without_brand, kryton.only_brand, kryton.chance, kryton.units) == (None,) * 4
    assert (kryton.relation, kryton.site_is) == (None, None)


def test_of_a_brand_without_answers_competitors_have_no_figures(brand):
    Cell.objects.all().delete()
    now = select_now(brand)
    assert [(each.name, each.score, each.of) for each in standings_of(now)] == [
        ("Avola", None, None),
        ("Zentra", None, None),
    ]
    assert (engines_of(now), topics_of(now), duels_of(now)) == ([], [], [])


def test_a_competitor_whose_every_prompt_names_it_is_not_measured():
    lines = [{**line, "prompt": f"{line['prompt']} Not Zentra"} for line in asked("chatgpt", 1, "Kryton")]
    standings = standings_of(select_now(measured(lines)))
    assert [(each.name, each.mentioned, each.of) for each in standings] == [("Kryton", 1, 4), ("Zentra", None, None)]


def test_rows_begin_with_the_largest_share_then_the_most_answers_then_the_brand(brand):
    add(brand, asked("grok", 2, topic="locks", of=2))
    now = select_now(brand)
    assert [row.subject for row in now.rows("subject")] == ["Kryton", "Zentra", "Avola"]
    assert [(row.topic, row.mentioned, row.of) for row in now.rows("topic")] == [
        ("locks", 5, 10),
        ("bells", 2, 4),
        ("pumps", 0, 4),
    ]
    assert [row.subject for row in now.rows("subject", subjects=[None])] == ["Kryton"]


def test_a_row_has_the_tallies_of_its_answers():
    texts = ["1. **Kryton**: best.\n2. **Zentra**: fine.", "Kryton.", "Zentra.", "Nobody."]
    lines = [{**line, "text": text} for line, text in zip(asked("chatgpt", 1), texts, strict=True)]
    lines[1]["citations"] = ["https://kryton.example/a"]
    brand = measured(lines)
    kryton, zentra = select_now(brand).rows("subject")
    assert (kryton.mentioned, kryton.first, kryton.alone, kryton.cited, kryton.without_brand) == (2, 2, 1, 1, 0)
    assert (zentra.mentioned, zentra.first, zentra.alone, zentra.cited, zentra.without_brand) == (2, 1, 1, 0, 1)
    Cell.objects.filter(competitor=None, cited=0).update(unsourced=1, failed=2)
    assert {(row.sourced, row.failed) for row in select_now(brand).rows()} == {(1, 6)}


def test_a_period_is_a_day_or_from_the_first_to_the_last(brand):
    assert {row.topic: row.period for row in select_now(brand).rows("topic")} == {
        "locks": "2026-01-01/2026-01-02",
        "bells": "2026-01-02",
        "pumps": "2026-01-02",
    }


def test_rows_are_of_the_same_answers_within_a_group_alone(brand):
    rows = select_now(brand).rows("subject", "topic")
    for one in rows:
        assert {other.topic for other in rows if one.is_of_same_answers(other)} == {one.topic}


def test_days_between_two_include_both():
    brand = measured(*(asked("chatgpt", day) for day in (1, 2, 3, 4)))
    found = select_between(brand, date(2026, 1, 2), date(2026, 1, 3))
    assert list(found.sums_of_days) == [date(2026, 1, 2), date(2026, 1, 3)]


def test_a_prompt_on_a_topic_that_is_not_own_has_its_own_answers():
    brand = measured(*(asked("chatgpt", day, "Kryton") for day in (1, 2)))
    Topic.objects.update(own=False)
    prompt = Prompt.objects.select_related("topic").order_by("text").first()
    assert [(row.mentioned, row.of) for row in select_prompt(prompt).rows("prompt")] == [(2, 2)]
    assert select_now(brand).rows() == []


def test_of_several_surfaces_the_first_in_order_makes_the_figure():
    keys = [("a", "pages"), ("b", "imported"), ("c", "app"), ("d", "app")]
    assert averaged_engines(keys) == {("c", "app"), ("d", "app")}
    assert averaged_engines(keys[:2]) == {("b", "imported")}
    assert averaged_engines([]) == set()


def test_stored_pages_stay_where_nothing_else_answered():
    brand = measured(asked("chatgpt", 1), asked("gemini", 1))
    Cell.objects.filter(engine__name="gemini").update(surface="pages")
    sums = select_between(brand).sums
    assert {each.engine for each in sums} == {"chatgpt"}
    Cell.objects.filter(engine__name="chatgpt").update(answers=0)
    cells = [each._replace(answers=0) for each in sums]
    assert without_pages(cells) == cells
    assert {each.engine for each in select_between(brand).sums} == {"gemini"}


@pytest.mark.parametrize(("value", "stored"), [(None, None), (1.005, 1.0), (33.336, 33.34), (-0.001, 0.0)])
def test_figures_have_two_decimals_and_no_minus_zero(value, stored):
    assert str(rounded(value)) == str(stored)
