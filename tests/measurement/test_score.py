"""The detector on real answers that other hands labelled: floors a little below what it reaches."""

import pytest

from tests.measurement.labels import labelled_answers
from tests.measurement.score import Score, f1, judged_answers, scores
from tests.reference import reference_file


@pytest.fixture(scope="module")
def by_name() -> dict[str, Score]:
    answers = list(labelled_answers(reference_file("labels").parent))
    return scores(judged_answers(answers, fold="topic", described=False))


@pytest.fixture(scope="module")
def described() -> dict[str, Score]:
    answers = list(labelled_answers(reference_file("labels").parent))
    return scores(judged_answers(answers, fold="topic", described=True))


@pytest.mark.proof
@pytest.mark.parametrize(("part", "names", "plain"), [("english judge", 0.955, 0.985), ("english", 0.97, 0.99)])
def test_names_are_right(by_name: dict[str, Score], part: str, names: float, plain: float) -> None:
    assert f1(by_name[part].names) >= names and f1(by_name[part].plain) >= plain


@pytest.mark.parametrize(("part", "names", "plain"), [("english judge", 0.97, 0.985), ("english", 0.975, 0.985)])
def test_names_are_right_where_descriptions_say_what_is_sold(
    described: dict[str, Score], part: str, names: float, plain: float
) -> None:
    assert f1(described[part].names) >= names and f1(described[part].plain) >= plain


@pytest.mark.parametrize(("engine", "share"), [("chatgpt", 0.88), ("google_ai_mode", 0.91)])
def test_ranks_are_right(described: dict[str, Score], engine: str, share: float) -> None:
    assert described[f"engine {engine}"].rank_share >= share


@pytest.mark.parametrize(("part", "fewest"), [("english", 1_000), ("foreign", 250)])
def test_recommendations_are_precise(described: dict[str, Score], part: str, fewest: int) -> None:
    right, told, _ = described[part].recommended
    assert right >= 0.96 * told and told >= fewest


def test_lists_are_read_in_other_languages(described: dict[str, Score]) -> None:
    score = described["foreign"]
    assert f1(score.offered) >= 0.92 and score.rank_share >= 0.8
    assert score.firsts["right"] >= 0.85 * score.firsts.total()
