"""Rows by any axes: the sums are those of the answers, and a figure has one base."""

import itertools

import pytest

from tests.counts.conftest import add, asked, measured
from tests.once import made_once
from visibility.counts.figures import duels_of, engines_of, figures_of, standings_of, topics_of
from visibility.counts.reader import select_between, select_now
from visibility.counts.untracked import sums_naming, untracked_sums
from visibility.counts.words import base_words, place_words, score_words, shown_interval, standing_words
from visibility.models import Cell, Topic

pytestmark = pytest.mark.django_db
AXES = ("topic", "engine", "prompt", "day")


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    """Two engines, two topics, two days: who is named by which prompt is in the lines."""
    with made_once(django_db_blocker):
        yield measured(
            asked("chatgpt", 1, "Kryton", "Kryton and Zentra", "Zentra"),
            asked("gemini", 1, "Zentra"),
            asked("chatgpt", 2, "Kryton", topic="bells"),
            asked("gemini", 2, "Zentra", "Zentra", topic="bells"),
        ).pk


def counts(rows, *names):
    return {tuple(getattr(row, name) for name in names): (row.mentioned, row.of) for row in rows}


def test_rows_are_by_any_axes(brand):
    now = select_now(brand)
    assert counts(now.rows()) == {(): (3, 16)}
    assert counts(now.rows("subject"), "subject") == {("Zentra",): (5, 16), ("Kryton",): (3, 16)}
    assert counts(now.rows("topic"), "topic") == {("bells",): (1, 8), ("locks",): (2, 8)}
    assert counts(now.rows("engine"), "engine") == {("chatgpt",): (3, 8), ("gemini",): (0, 8)}
    assert counts(now.rows("day"), "period") == {("2026-01-01",): (2, 8), ("2026-01-02",): (1, 8)}
    of_prompts = {str(row.prompt): (row.mentioned, row.of) for row in now.rows("prompt") if row.mentioned}
    assert of_prompts == {
        "Which locks for wish 0?": (1, 2),
        "Which locks for wish 1?": (1, 2),
        "Which bells for wish 0?": (1, 2),
    }


@pytest.mark.parametrize(
    "axes",
    [axes for size in range(1, 5) for axes in itertools.combinations(("topic", "engine", "prompt", "day"), size)],
)
def test_rows_by_all_axes_sum_to_the_whole(brand, axes):
    whole = {row.subject: row for row in select_now(brand).rows("subject")}
    for subject, row in whole.items():
        parts = [part for part in select_now(brand).rows("subject", *axes) if part.subject == subject]
        for name in ("mentioned", "of", "first", "recommended", "cautioned", "cited", "alone", "without_brand"):
            assert sum(getattr(part, name) for part in parts) == getattr(row, name), (subject, name)


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"engines": ["chatgpt"]}, (3, 8)),
        ({"engines": ["chatgpt", "gemini"]}, (3, 16)),
        ({"surfaces": ["imported"]}, (3, 16)),
        ({"surfaces": ["api"]}, None),
    ],
)
def test_a_selection_is_narrowed(brand, narrowed, expected):
    rows = select_between(brand).narrow(**narrowed).rows()
    assert [(row.mentioned, row.of) for row in rows] == ([expected] if expected else [])


def test_a_selection_is_narrowed_by_topics_and_prompts(brand):
    bells = Topic.objects.get(name="bells")
    assert counts(select_now(brand).narrow(topics=[bells]).rows()) == {(): (1, 8)}
    prompt = bells.prompts.order_by("text").first()
    assert counts(select_now(brand).narrow(prompts=[prompt.pk]).rows()) == {(): (1, 2)}


def test_the_answers_behind_a_selection_are_those_that_it_counts(brand):
    now = select_now(brand)
    assert now.answers.count() == sum(row.of for row in now.rows()) == 16
    assert now.narrow(engines=["gemini"]).answers.count() == 8


def test_a_text_that_repeats_one_of_its_day_counts_once_and_the_prompt_keeps_its_answers(brand):
    before = counts(select_now(brand).rows("prompt"), "prompt")
    of_day = {"topic": "bells", "sample": 2}
    add(brand, asked("chatgpt", 2, "Kryton", **of_day), asked("gemini", 2, "Zentra", "Zentra", **of_day))
    assert Cell.objects.filter(day="2026-01-02", competitor=None).values("run").distinct().count() == 2
    assert counts(select_now(brand).rows("prompt"), "prompt") == before


def test_prompts_that_name_the_brand_count_for_nobody_and_are_marked_by_prompt(brand):
    line = {"topic": "locks", "engine": "chatgpt", "time": "2026-01-02T10:00:00Z"}
    add(brand, [{**line, "prompt": "Is Kryton good?", "text": "Kryton or Zentra."}])
    now = select_now(brand)
    assert counts(now.rows("subject"), "subject") == {("Zentra",): (5, 16), ("Kryton",): (3, 16)}
    [named] = [row for row in now.rows("prompt") if row.named]
    assert (str(named.prompt), named.mentioned, named.of, named.score) == ("Is Kryton good?", 1, 1, None)
    assert now.scored.answers.count() == 16 and {duel.own.of for duel in duels_of(now)} == {8}


def test_untracked_names_are_rows_of_their_own_family(brand):
    listed = "1. **Varmio**: fine.\n2. **Oblinx**: light."
    add(brand, [{**line, "text": listed} for line in asked("chatgpt", 3)])
    now = select_now(brand)
    assert {*untracked_sums(now)} == {"Varmio", "Oblinx"}
    rows = {
        row.subject: row for row in now.rows("subject", untracked=sums_naming(now, ["Varmio", "Nobody else"]).sums)
    }
    assert (rows["Varmio"].mentioned, rows["Varmio"].of, rows["Varmio"].tracked) == (4, 20, False)
    assert rows["Varmio"].first is None and rows["Varmio"].score is None and "Nobody else" not in rows


def test_a_competitor_that_waits_for_its_recount_has_no_row_and_no_figures(brand):
    brand.competitors.create(name="Avola", domain="avola.example")
    type(brand).objects.filter(pk=brand.pk).update(names_version=brand.names_version + 1)
    brand.refresh_from_db()
    now = select_now(brand)
    assert {row.subject for row in now.rows("subject")} == {"Kryton", "Zentra"}
    assert [(each.name, each.score, each.relation) for each in standings_of(now)][-1] == ("Avola", None, None)


def test_figures_engines_topics_and_standings_have_one_base(brand):
    now = select_now(brand)
    figures, engines = figures_of(now), engines_of(now)
    assert (figures.score, figures.mentioned, figures.answers) == (18.75, 3, 16)
    assert sum(each.mentioned for each in engines) == sum(each.mentioned for each in topics_of(now)) == 3
    assert sum(each.answers for each in engines) == sum(each.answers for each in topics_of(now)) == 16
    assert {(each.name, each.mentioned, each.of) for each in standings_of(now)} == {
        ("Kryton", 3, 16),
        ("Zentra", 5, 16),
    }
    assert base_words(figures, engines) == (
        "16 answers to 8 prompts on 2 topics, 1 to 2 Jan 2026: ChatGPT 3 of 8, Gemini 0 of 8"
    )


def test_below_eight_topics_the_interval_that_is_shown_is_on_these_prompts():
    def world(topics):
        answers = (asked("chatgpt", 1, "Kryton", topic=f"kind {n}", samples=3) for n in range(topics))
        return figures_of(select_now(measured(*answers)))

    few, many = world(5), world(9)
    assert few.low is not None and shown_interval(few) == (few.panel_low, few.panel_high, "on these prompts")
    assert shown_interval(many) == (many.low, many.high, "on prompts like these")
    assert "on these prompts" in score_words("Kryton", few, ())


def test_an_interval_over_topics_needs_four_of_them_and_is_never_replaced_by_the_other():
    three = measured(*(asked("chatgpt", 1, "Kryton", topic=f"kind {n}", samples=3) for n in range(3)))
    figures = figures_of(select_now(three))
    assert (figures.low, figures.high) == (None, None) and figures.panel_low is not None


@pytest.mark.parametrize(
    ("named", "relation", "place", "words"),
    [
        ("Zentra", "ahead", "2nd of 2", "Kryton is behind Zentra (40 of 40)."),
        ("Kryton", "behind", "1st of 2", "Kryton is ahead of Zentra (0 of 40)."),
        ("Kryton and Zentra", "level", "1st to 2nd of 2", "Kryton is level with Zentra (40 of 40)."),
    ],
)
def test_on_few_topics_a_clear_lead_is_reported(named, relation, place, words):
    brand = measured(*(asked("chatgpt", 1, *(named,) * 4, topic=f"kind {n}", samples=2) for n in range(5)))
    standings = standings_of(select_now(brand))
    assert [each.relation for each in standings if each.competitor_id] == [relation]
    assert (place_words(standings), standing_words("Kryton", standings)) == (place, words)
