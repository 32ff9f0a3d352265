"""The table of all figures: by engine and over all, each with its range or with why it is missing."""

from datetime import date
from types import SimpleNamespace

import pytest
from django.urls import reverse

from tests.factories import CompetitorFactory, DailyScoreFactory, DayCountFactory
from tests.people.browser import text_of
from visibility.pages.present.figure_rows import figure_rows
from visibility.resources.brands import Bounds, ReportedChange
from visibility.resources.figures import EngineFigures, Figure, Figures, RankFigure, SubjectFigures
from visibility.services.reading.change_words import NO_CHANGE, with_note

MEASURED = Figure(value=40.0, low=30.0, high=50.0)
FULL = {
    "score": MEASURED, "share_of_voice": MEASURED, "prominence": MEASURED, "citation_rate": MEASURED,
    "reciprocal_rank": MEASURED, "top_three": MEASURED, "average_position": 2.25, "mentions": 12,
    "citation_share": 12.5, "own_citations": 5, "citations": 40, "impression_share": MEASURED,
    "impression_share_published": MEASURED, "agreement": 66.67, "ordered_agreement": 50.0, "mentioned_again": 80.0,
    "repeated_prompts": 10, "answers": 30,
}  # fmt: skip


def cells(figures, *, alone=False):
    """The cells of one engine by label: value and what stands beside it."""
    standing = SubjectFigures(competitor=None, name="Acme", overall=Figures(), engines=[figures])
    return {row.label: (row.cells[1].value, row.cells[1].beside) for row in figure_rows(standing, alone=alone)}


def test_each_number_has_its_range_or_what_it_is_counted_from():
    shown = cells(EngineFigures(engine="chat", **FULL))
    assert shown["Mentioned (score)"] == ("40.0 %", "30.0 to 50.0")
    assert shown["Average position"] == ("2.3", "in 12 answers that name it")
    assert shown["Share of citations"] == ("12.5 %", "5 of 40")
    assert shown["Same brands when asked again"] == ("66.7 %", "10 questions")
    assert len(shown) == 13
    some = cells(EngineFigures(engine="chat", **{**FULL, "ranked": 9}))
    assert some["Average position"] == ("2.3", "9 of 12 mentions have a place")
    few = RankFigure(value=40.0, low=30.0, high=50.0, interval="questions", bounds=Bounds(least=20.0, most=60.0))
    some = cells(EngineFigures(engine="chat", **{**FULL, "ranked": 1, "prominence": few}))
    assert some["Prominence"] == (
        "40.0 %",
        "30.0 to 50.0 on exactly these questions; 1 of 12 mentions has a place; "
        "20.0 to 60.0 wherever the others stand",
    )
    none = cells(
        EngineFigures(
            engine="chat",
            **{**FULL, "ranked": 0, "prominence": RankFigure(bounds=Bounds(least=0, most=60, low=0, high=71))},
        )
    )
    assert none["Prominence"] == ("–", "0 of 12 mentions have a place; 0.0 to 60.0 wherever the others stand")


@pytest.mark.parametrize(
    ("without", "label", "why"),
    [
        ({"score": Figure()}, "Mentioned (score)", "too few answers to questions that do not name it"),
        ({"score": Figure(value=40.0)}, "Mentioned (score)", "12 of 30 answers, too few topics for an interval"),
        ({"prominence": Figure(value=40.0)}, "Prominence", "too few topics for an interval"),
        ({"average_position": None, "ranked": 0}, "Average position", "no mention has a place"),
        ({"share_of_voice": Figure()}, "Share of voice", "nobody was named"),
        ({"average_position": None, "mentions": 0}, "Average position", "never named"),
        ({"citation_share": None}, "Share of citations", "no sources were cited"),
        ({"impression_share": Figure()}, "Share of the answer", "no sources were cited"),
        ({"agreement": None, "repeated_prompts": 0}, "Same brands when asked again", "each question was asked once"),
        ({"ordered_agreement": None}, "… in the same order", "nobody was named"),
        ({"mentioned_again": None}, "Named again when named", "never named"),
    ],
)
def test_a_missing_number_says_why(without, label, why):
    value, beside = cells(EngineFigures(engine="chat", **{**FULL, **without}))[label]
    assert beside == why
    assert value == ("40.0 %" if Figure(value=40.0) in without.values() else "–")


def test_without_competitors_there_is_no_share_of_voice_to_wait_for():
    figures = EngineFigures(engine="chat", **{**FULL, "share_of_voice": Figure()})
    assert cells(figures, alone=True)["Share of voice"] == ("–", "no competitors are watched")


UP = "the latest day: moved up 6.0 points (2.0 to 10.0)"
NOISE = "the latest day: within noise: +6.0 points (2.0 to 10.0)"


@pytest.mark.parametrize(
    ("verdict", "state", "words"),
    [
        ("moved", "told", f"The score rose by 7.0 points; {UP}"),
        ("moved", "confirmed", f"{NO_CHANGE}; {UP}"),
        ("moved", "open", f"{NO_CHANGE}: the move of 9 Mar 2026 waits for the next measured day; {UP}"),
        ("moved", "too_few_days", f"{NO_CHANGE}: the move of 9 Mar 2026 cannot be confirmed, as fewer than three "
         f"days before it can be compared; {UP}"),
        ("within_noise", "not_confirmed", f"{NO_CHANGE}: the move of 9 Mar 2026 is not borne out by the "
         f"measured days around it; {NOISE}"),
        ("within_noise", "none", f"{NO_CHANGE}; {NOISE}"),
        ("within_noise", None, "within noise: +6.0 points (2.0 to 10.0)"),
    ],
)  # fmt: skip
def test_a_change_is_told_by_its_record_and_the_latest_day_as_a_note(verdict, state, words):
    is_told = state == "told"
    told = {
        "state": "confirmed" if is_told else state,
        "moved_on": date(2026, 3, 9),
        "pooled_days": 7,
        "delta": 7.0,
        "low": 3.0,
        "high": 11.0,
    }
    change = ReportedChange(
        engine=None, metric="score", delta=6.0, low=2.0, high=10.0, verdict=verdict, minimum_detectable=5.0, p=0.01,
        adjusted_p=0.02, confirmed=state == "confirmed", called=state == "confirmed",
        confirmation=told if state else None,
    )  # fmt: skip
    assert with_note(change, [SimpleNamespace(words="The score rose by 7.0 points")] if is_told else []) == words


@pytest.fixture
def page(client, cast):
    client.force_login(cast.viewer)

    def open_page():
        return client.get(reverse("brand-page", kwargs={"brand_id": cast.brand.pk}))

    return open_page


@pytest.mark.django_db
def test_the_page_shows_the_figures_that_are_kept(page, cast):
    details = {
        "overall": {"citationShare": 33.33, "ownCitations": 3, "citations": 9},
        "engines": {"chat": {"prominence": {"value": 61.0, "low": 50.0, "high": 70.0}, "topics": 5, "prompts": 5}},
    }
    engine = {"engine": "chat", "score": 40.0, "low": 30.0, "high": 50.0, "answers": 12}
    DailyScoreFactory(brand=cast.brand, engines=[engine], details=details)
    shown = text_of(page())
    assert "33.3 % 3 of 9" in shown
    assert "61.0 % 50.0 to 70.0" in shown
    assert "– no competitors are watched" in shown


@pytest.mark.django_db(transaction=True)
def test_the_page_costs_the_same_for_many_days_and_competitors(page, cast, django_assert_max_num_queries):
    def measure(day):
        for rival in [None, *cast.brand.competitors.all()]:
            DailyScoreFactory(brand=cast.brand, competitor=rival, date=date(2025, 5, day))
        DayCountFactory(brand=cast.brand, date=date(2025, 5, day))

    measure(1)
    page()  # compiles what is compiled once
    with django_assert_max_num_queries(20):
        page()
    CompetitorFactory.create_batch(5, brand=cast.brand)
    for day in range(2, 9):
        measure(day)
    with django_assert_max_num_queries(20):
        page()
