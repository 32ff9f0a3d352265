"""The figures of a measured day as the rows of a table: each number with its range, or why there is none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from visibility.metrics.shown import on_questions, shown
from visibility.resources.figures import Figure, Figures, RankFigure, SubjectFigures
from visibility.services.reading.place_words import bounds_in_words, places_in_words

TOO_FEW = "too few answers to questions that do not name it"
TOO_FEW_TOPICS = "too few topics for an interval"
TOO_FEW_LEFT = "too few prompts left for an interval"
NO_SOURCES = "no sources were cited"
ASKED_ONCE = "each question was asked once"
NEVER_NAMED = "never named"
NO_RANK = "no mention has a place"
NOBODY_NAMED = "nobody was named"
NO_COMPETITORS = "no competitors are watched"


@dataclass(frozen=True, slots=True)
class Cell:
    """A number as it is shown, with what stands beside it: its range, what it is a part of, or why it is missing."""

    value: str
    beside: str


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: its name, the heading of its definition, and a cell for all engines and for each."""

    label: str
    anchor: str
    cells: Sequence[Cell]


_Make = Callable[[Figures], Cell]


_STABILITY: Sequence[tuple[str, str, _Make]] = [
    (
        "Same brands when asked again",
        "stability",
        lambda figures: _repeated(figures, figures.agreement, NOBODY_NAMED),
    ),
    ("… in the same order", "stability", lambda figures: _repeated(figures, figures.ordered_agreement, NOBODY_NAMED)),
    ("Named again when named", "stability", lambda figures: _repeated(figures, figures.mentioned_again, NEVER_NAMED)),
]
"""What repeated answers to one question have in common."""


def figure_rows(standing: SubjectFigures, *, alone: bool) -> list[Row]:
    """All figures of a subject, the one over all engines first; `alone` says that it has no competitors."""
    columns = [standing.overall, *standing.engines]
    missing = NO_COMPETITORS if alone else NOBODY_NAMED
    rows: list[tuple[str, str, _Make]] = [
        ("Mentioned (score)", "score", lambda figures: _score(figures)),
        ("Share of voice", "share-of-voice", lambda figures: _percent(figures, figures.share_of_voice, missing)),
        ("Prominence", "prominence", lambda figures: _placed(figures, figures.prominence)),
        ("Reciprocal rank", "reciprocal-rank", lambda figures: _placed(figures, figures.reciprocal_rank)),
        ("Among the first three", "first-three", lambda figures: _placed(figures, figures.top_three)),
        ("Average position", "average-position", _position),
        ("Cited", "citation-rate", lambda figures: _percent(figures, figures.citation_rate)),
        ("Share of citations", "citation-share", _citations),
        (
            "Share of the answer",
            "impression-share",
            lambda figures: _percent(figures, figures.impression_share, NO_SOURCES),
        ),
        (
            "Share of the answer, as published",
            "impression-share",
            lambda figures: _percent(figures, figures.impression_share_published, NO_SOURCES),
        ),
        *_STABILITY,
    ]
    return [Row(label, anchor, [make(column) for column in columns]) for label, anchor, make in rows]


def _percent(figures: Figures, figure: Figure, missing: str = "") -> Cell:
    if figure.value is None:
        return Cell("–", _unmeasured(figures) or missing)
    ends = f"{_shown(figure.low)} to {_shown(figure.high)}{on_questions(figure.interval)}"
    beside = _no_interval(figure) if figure.low is None else ends
    return Cell(f"{_shown(figure.value)} %", beside)


def _placed(figures: Figures, figure: RankFigure) -> Cell:
    """A figure of ranks: how many of the mentions tell a place stands beside it, and what the others could make of
    it."""
    cell = _percent(figures, figure, NO_RANK)
    words = [
        cell.beside if figure.value is not None else "",
        places_in_words(figures),
        bounds_in_words(figure.bounds),
    ]
    return Cell(cell.value, "; ".join(filter(None, words)) or cell.beside)


def _score(figures: Figures) -> Cell:
    """Without an interval a percentage would say more than it knows: what it is counted from stands beside it."""
    if figures.score.value is None or figures.score.low is not None:
        return _percent(figures, figures.score)
    return Cell(
        f"{_shown(figures.score.value)} %",
        f"{figures.mentions} of {figures.answers} answers, {_no_interval(figures.score)}",
    )


def _no_interval(figure: Figure) -> str:
    return TOO_FEW_LEFT if figure.no_interval == "few_prompts_left" else TOO_FEW_TOPICS


def _position(figures: Figures) -> Cell:
    if figures.average_position is None:
        return Cell("–", _unmeasured(figures) or (NO_RANK if figures.mentions else NEVER_NAMED))
    if figures.ranked in (None, figures.mentions):
        return Cell(_shown(figures.average_position), f"in {figures.mentions} answers that name it")
    return Cell(_shown(figures.average_position), places_in_words(figures))


def _citations(figures: Figures) -> Cell:
    if figures.citation_share is None:
        return Cell("–", _unmeasured(figures) or NO_SOURCES)
    return Cell(f"{_shown(figures.citation_share)} %", f"{figures.own_citations} of {figures.citations}")


def _repeated(figures: Figures, value: float | None, missing: str) -> Cell:
    if value is None:
        return Cell("–", _unmeasured(figures) or (missing if figures.repeated_prompts else ASKED_ONCE))
    return Cell(f"{_shown(value)} %", f"{figures.repeated_prompts} questions")


def _unmeasured(figures: Figures) -> str:
    """Why there are no figures at all; empty where there are."""
    return TOO_FEW if figures.score.value is None else ""


def _shown(number: float | None) -> str:
    """One decimal, rounded as everywhere on the pages."""
    return "" if number is None else shown(number)
