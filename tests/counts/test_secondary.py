"""Figures beside the score, counted by hand."""

import pytest
from django.core.management import call_command

from tests.counts.conftest import asked, measured
from tests.reference import reference_file
from visibility.counts.figures import figures_of, secondary_figures
from visibility.counts.reader import select_now
from visibility.counts.secondary import secondary_of
from visibility.models import Cell, DailyScore

pytestmark = pytest.mark.django_db
OWN, OTHER, THIRD = "https://kryton.example/a", "https://a.example/1", "https://b.example/2"


def test_a_site_counts_once_an_answer_in_the_share_of_citations():
    brand = measured(
        asked("chatgpt", 1, of=2, citations=[OWN, "https://kryton.example/b", OTHER]),
        asked("gemini", 1, of=2, citations=[OTHER, THIRD]),
    )
    secondary = secondary_of(select_now(brand))
    assert secondary.citation_share == 25.0, "2 of 8"


def test_without_citations_stances_or_repeats_there_is_nothing_to_tell():
    secondary = secondary_of(select_now(measured(asked("chatgpt", 1, "Kryton"))))
    assert (secondary.citation_share, secondary.stance_balance, secondary.repeatability) == (None, None, None)


def test_stances_are_those_of_the_answers_that_the_score_counts():
    brand = measured(asked("chatgpt", 1, "Kryton", "Kryton", "Kryton", topic="locks"))
    cells = list(Cell.objects.filter(competitor=None, mentioned=1).order_by("version"))
    for cell, (recommended, cautioned, named) in zip(
        cells, ((1, 0, False), (0, 1, False), (1, 0, True)), strict=True
    ):
        Cell.objects.filter(pk=cell.pk).update(recommended=recommended, cautioned=cautioned, named=named)
    secondary = secondary_figures(select_now(brand))
    assert (secondary.recommended, secondary.cautioned, secondary.stance_balance) == (1, 1, 0.0)
    assert secondary.recommended_rate == 33.33, "of the three prompts that do not name the brand one"


def test_answers_to_one_prompt_that_differ_agree_less():
    alike = measured(asked("chatgpt", 1, "Kryton", samples=3))
    assert secondary_of(select_now(alike)).repeatability == 100.0
    Cell.objects.filter(competitor=None, mentioned=3).update(mentioned=1)
    assert secondary_of(select_now(alike)).repeatability == pytest.approx(83.33, abs=0.01), (
        "one of four prompts: 1 of 3"
    )


def test_a_narrower_margin_takes_more_topics_and_has_a_price_where_something_is_asked():
    brand = measured(*(asked("chatgpt", 1, *("Kryton",) * (n % 5), topic=f"kind {n}", samples=2) for n in range(6)))
    secondary = secondary_figures(select_now(brand))
    assert secondary.topics_for_ten > figures_of(select_now(brand)).topics
    assert secondary.credits_a_month is None, "an imported brand asks no engine"


def test_each_measured_day_stores_its_secondary_figures():
    brand = measured(asked("chatgpt", 1, "Kryton", citations=[OWN]), asked("chatgpt", 2, citations=[OTHER]))
    days = DailyScore.objects.of_brand(brand).exclude(date=None).order_by("date")
    assert [day.figures["citationShare"] for day in days] == [100.0, 0.0]
    assert {"recommendedRate", "recommended", "cautioned", "stanceBalance", "repeatability", "topicsForTen"} <= set(
        days[0].figures
    )


@pytest.mark.proof
def test_on_real_answers_shares_are_shares(capsys):
    path = reference_file("real-answers/answers.jsonl")
    brand = measured(asked("nobody", 1))
    call_command(
        "import_answers", path, "--brand", brand.domain, "--owner", brand.owner.email, "--topic", "tv-55-inch-1000"
    )
    secondary = secondary_figures(select_now(brand))
    assert all(
        0 <= value <= 100 for value in (secondary.recommended_rate, secondary.citation_share, secondary.repeatability)
    )
