"""Topics, engines, falls and criteria: what opens, what closes, and what is planted into the real answers."""

from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest

from tests.amounts import some
from tests.asking.world import BRANDS, SOLD
from tests.factories import ChangeRecordFactory
from tests.recommendations.planting import RealAnswers
from visibility.detection.types import BRAND
from visibility.engines.display import display_name
from visibility.evidence.types import Criterion, Quote, Winner
from visibility.insights.recommendations.kind import Standing
from visibility.insights.recommendations.kinds.confirmed_fall import ConfirmedFalls
from visibility.insights.recommendations.kinds.criterion import CriteriaThatRivalsWin, subject_of
from visibility.insights.recommendations.kinds.engine_gap import EngineGaps
from visibility.insights.recommendations.kinds.engine_gap import standing_of as engine_standing
from visibility.insights.recommendations.kinds.topic_gap import Lead, TopicGap
from visibility.insights.recommendations.kinds.topic_gap import standing_of as topic_standing
from visibility.insights.recommendations.material import Material
from visibility.metrics.leads import chance_of_lead, chance_of_shift

RIVAL = UUID(int=1)


@pytest.mark.parametrize(
    ("alone", "other_alone", "chance"), [(0, 0, 1.0), (8, 0, 1 / 256), (1, 0, 0.5), (5, 5, 638 / 1024)]
)
def test_a_lead_is_tested_by_the_answers_that_name_one_of_the_two(alone, other_alone, chance):
    assert chance_of_lead(alone, other_alone) == pytest.approx(chance)


def test_a_shift_is_tested_over_questions():
    assert chance_of_shift([]) == chance_of_shift([1.0]) == chance_of_shift([-1.0, 0.5, 0.0]) == 1.0
    assert chance_of_shift([0.5] * 8) == pytest.approx(1 / 256), "of one size: no more than their signs tell"
    assert chance_of_shift([3, -1, 2, 0, -1, 2, 1, 2]) == pytest.approx(0.0518, abs=1e-4), "t = 1.871, 7 degrees"


@pytest.mark.parametrize(
    ("rival", "own", "chance", "standing"),
    [
        (12, 2, 0.001, "open"),
        (12, 2, 0.02, "between"),
        (7, 2, 0.001, "between"),
        (9, 7, 0.001, "closed"),
        (2, 9, 1.0, "closed"),
    ],
)
def test_a_topic_opens_at_one_threshold_and_closes_at_another(rival, own, chance, standing):
    assert topic_standing([Lead(RIVAL, rival, own, 20, chance)], 0.002) == standing


@pytest.mark.parametrize(
    ("behind", "standing"),
    [
        ([0.5, 0.6] * 6, "open"),
        ([0.5, 0.6] * 2, "between"),
        ([0.15, 0.2] * 6, "between"),
        ([0.09] * 12, "closed"),
        ([-0.5] * 12, "closed"),
    ],
)
def test_an_engine_opens_at_one_threshold_and_closes_at_another(behind, standing):
    assert engine_standing(behind, 0.001) == standing


NAMES = some(BRANDS, len(BRANDS))


@pytest.fixture
def real(reference_data, db):
    """The brands with the real answers, one after the other: their material as it is read."""
    answers = RealAnswers(reference_data)
    return [answers.imported(name) for name in NAMES]


def planted(brand, change):
    """The brand's material with each answer of now changed."""
    material = Material(brand)
    prompts = material.subject.prompts
    answers = [change(answer, prompts[answer.prompt].topic) for answer in material.answers]
    vars(material)["answers"] = answers
    vars(material)["unbranded"] = [answer for answer in answers if not prompts[answer.prompt].branded]
    return material


def topics_of(material):
    return {row.topic.key for row in material.topics.rows}


def standings(kind, material):
    return {row.subject: row for row in kind.observe(material)}


def is_open(kind, material, subject):
    row = standings(kind, material).get(subject)
    return row is not None and row.standing is Standing.OPEN


def report(kind, number, plants):
    """At least so many plants over all brands, of which at least 95 % come out."""
    assert plants and len(plants) >= number * len(NAMES) / len(BRANDS), (kind, len(plants))
    assert sum(plants) / len(plants) >= 0.95, (kind, sum(plants), len(plants))


def topics_and_engines_come_out_with_their_evidence(real):
    topics, engines, equal = [], [], []
    for brand in real:
        plain = Material(brand)
        [rival, *_] = plain.subject.competitors
        for topic in sorted(topics_of(plain))[:5]:

            def without(answer, of_topic, topic=topic, rival=rival):
                return replace(answer, brand_named=False, rivals={rival: 0}) if of_topic == topic else answer

            def alike(answer, of_topic, topic=topic, rival=rival):
                named = {rival: 0} if answer.brand_named else {}
                return replace(answer, rivals=named) if of_topic == topic else answer

            material = planted(brand, without)
            topics.append(is_open(TopicGap(), material, topic) and is_traceable(material, topic))
            equal.append(is_open(TopicGap(), planted(brand, alike), topic))
        for engine in sorted(plain.engines):
            for rest in (0, 7):

                def left_out(answer, of_topic, engine=engine, rest=rest, rival=rival):
                    names = answer.engine != engine or answer.prompt.int % 8 < rest - 6
                    return replace(answer, brand_named=names, rivals={rival: 0})

                material = planted(brand, left_out)
                engines.append(is_open(EngineGaps(), material, engine))
                [words] = EngineGaps().words(material, [standings(EngineGaps(), material)[engine]])
                assert words.title.startswith(f"{display_name(engine)} names {brand.name} in ") and words.evidence
    report("topic_gap", 25, topics)
    report("engine_gap", 20, engines)
    assert not any(equal)


def is_traceable(material, topic):
    """Whether the figures and the quotes are those of answers on the topic that do not name the brand."""
    row = standings(TopicGap(), material)[topic]
    [words] = TopicGap().words(material, [row])
    group = [item for item in material.unbranded if material.subject.prompts[item.prompt].topic == topic]
    shown = {item.id for item in group if not item.brand_named}
    quoted = {item.answer_id for item in words.evidence}
    return (
        bool(quoted)
        and quoted <= shown
        and row.factors.answers == len(shown)
        and row.factors.of_answers == len(group)
    )


CALLED = {"delta": -12.5, "low": -20.0, "high": -5.0}
CONFIRMED = {"state": "confirmed", "moved_on": "2025-05-20", "pooled_days": 7, **CALLED}
RAISED = {"raised": True, "looks": 20, "since": "2025-05-20", **CALLED}
NO_CONFIRMATION = {"state": "none", "moved_on": None, "pooled_days": 0, "delta": None, "low": None, "high": None}
CALM = {"raised": False, "looks": 20, "since": None, "delta": None, "low": None, "high": None}
UP = {"delta": 12.5, "low": 5.0, "high": 20.0}


FALLS = (
    ({}, "open"),
    ({"known_by": "monitor"}, "open"),
    ({"state": "went_on"}, "open"),
    ({"told_until": date(2025, 5, 21)}, "between"),
    ({"state": "recovered", "delta": 0.0}, "closed"),
    ({"direction": "up", "delta": 12.5}, "closed"),
)


def falls_open_by_their_record_and_close_where_they_have_recovered(real):
    plants = [plant for case in FALLS for plant in planted_falls(real, *case)]
    assert len(plants) == 3 * len(real) * len(FALLS) and all(plants)


def planted_falls(real, record, standing):
    plants = []
    for brand in real:
        latest, engines = Material(brand).basis.latest, Material(brand).basis.engines
        for engine in (None, *(engine_day.engine for engine_day in engines)):
            of = {"of": "engine", "engine": engine} if engine else {"of": "score"}
            planted = {"brand": brand, "began": date(2025, 5, 20), "known_on": latest, "delta": -12.5, **of, **record}
            row = ChangeRecordFactory(**planted)
            rows = standings(ConfirmedFalls(), Material(brand))
            subject = f"engine:{engine}" if engine else "score"
            others = {other.standing for key, other in rows.items() if key != subject}
            plants.append(rows[subject].standing == standing and others == {Standing.BETWEEN})
            if standing == "open":
                [words] = ConfirmedFalls().words(Material(brand), [rows[subject]])
                assert "12.5 points" in words.title and "20 May 2025" in words.title
            row.delete()
    return plants


def criterion(rival, own, answers=10, of_answers=20):
    quote = Quote("Rival is the quietest.", "answer", 0, "test", answer=str(UUID(int=9)), engine="chatgpt")
    winners = [Winner(name, number, quote) for name, number in ((str(rival), 6), (BRAND, own)) if number]
    return Criterion("Noise", ("noise",), answers, of_answers, ("chatgpt",), 2, (("t", answers),), tuple(winners), ())


def criteria_that_rivals_win_come_out_and_others_do_not(real):
    cases = {
        (0, 10, 20): Standing.OPEN,
        (2, 10, 20): Standing.BETWEEN,
        (3, 10, 20): Standing.CLOSED,
        (0, 3, 20): None,
        (0, 10, 200): None,
    }
    plants = []
    for brand in real:
        material = Material(brand)
        [rival, *_] = material.subject.competitors
        for topic in sorted(topics_of(material))[:4]:
            for (own, answers, of_answers), standing in cases.items():
                item = criterion(rival, own, answers, of_answers)
                vars(material)["criteria_by_topic"] = {topic: (item,)}
                rows = standings(CriteriaThatRivalsWin(), material)
                row = rows.get(subject_of(topic, item))
                plants.append((row.standing if row else None) is standing)
                if standing is Standing.OPEN:
                    [words] = CriteriaThatRivalsWin().words(material, [row])
                    assert words.evidence[0].text == "Rival is the quietest." and "6 answers name" in words.title
    report("criterion", 100, plants)


def the_real_answers_recommend_what_is_worth_acting_on(real):
    """By hand: of the topics that the brand sells each is worth acting on."""
    opened = set()
    for brand in real:
        material = Material(brand)
        rows = [row for row in TopicGap().observe(material) if row.standing is Standing.OPEN]
        opened |= {(brand.name, row.subject) for row in rows if row.topic in SOLD[brand.name]}
    worth_it = {
        ("Apple", "monitor-27-inch-office"), ("Apple", "smartphone-budget-600"),
        ("Breville", "air-fryer-family-size"), ("Samsung", "headphones-wireless-200"),
        ("Samsung", "laptop-general-1000"), ("Sony", "smartphone-budget-600"), ("Sony", "tv-55-inch-1000"),
    }  # fmt: skip
    assert opened == {(name, topic) for name, topic in worth_it if name in NAMES}
    sony = next(brand for brand in real if brand.name == "Sony")
    assert Material(sony).basis.latest == date(2025, 5, 25)


def test_what_is_planted_into_real_answers_comes_out(real, subtests):
    """One import for all: it looks at all brands of the sample."""
    the_real_answers_recommend_what_is_worth_acting_on(real)
    for holds in (
        topics_and_engines_come_out_with_their_evidence,
        criteria_that_rivals_win_come_out_and_others_do_not,
        falls_open_by_their_record_and_close_where_they_have_recovered,
    ):
        with subtests.test(holds.__name__):
            holds(real)
