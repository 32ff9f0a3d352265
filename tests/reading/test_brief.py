"""One site in short, and which topics and questions stand out."""

from datetime import date
from uuid import UUID, uuid5

import pytest
from pydantic.alias_generators import to_camel

from apikeys.errors import ServiceError
from tests.factories import AliasFactory, RecommendationFactory
from tests.scans.history import DAY, ended_run
from visibility.insights.recommendations.standouts import Naming, Rate, Rival, Standing, Standout, find_standouts
from visibility.measured.facts import PromptFacts
from visibility.models import Recommendation
from visibility.services.overview.brief import site_brief

RIVAL = UUID(int=99)


@pytest.mark.django_db
def test_a_brief_tells_who_the_site_is_and_how_it_stands(cast, owner, measured, rival):
    cast.brand.description = "Makes anvils."
    cast.brand.save()
    AliasFactory(brand=cast.brand, text="The Acme Company")
    for priority in range(7):
        RecommendationFactory(brand=cast.brand, priority=priority)
    RecommendationFactory(brand=cast.brand, priority=100, status="done")
    brief = site_brief(owner, brand_id=cast.brand.pk)
    assert (brief.site.name, brief.description, brief.aliases) == ("Acme", "Makes anvils.", ["The Acme Company"])
    assert [each.name for each in brief.competitors] == ["Rival"]
    assert brief.now.score == 40 and brief.now.low is not None and brief.now.change.verdict
    assert [engine.engine for engine in brief.now.engines] == ["chat"]
    assert brief.as_of == brief.now.date
    priorities = [each.priority for each in brief.recommendations]
    assert len(priorities) == 5 and priorities == sorted(priorities, reverse=True) and 100 not in priorities
    assert brief.withheld == []


@pytest.mark.django_db
def test_strengths_and_weaknesses_are_counted_over_the_days_answers(cast, owner, rival, wordings):
    run = [("Acme.", "Acme."), ("Acme.", "Acme."), ("Rival.", "No."), ("Acme.", "No."), ("No.", "No.")]
    for sample in range(2):
        ended_run(cast.brand, wordings, texts=[texts[sample] for texts in run])
    brief = site_brief(owner, brand_id=cast.brand.pk)
    shown = [(each.kind, each.label, each.named, each.answers) for each in brief.strengths]
    assert shown[0][:3] == ("topic", "bikes", 4)
    assert {label for _, label, *_ in shown[1:]} == {wordings[0].text, wordings[1].text}
    assert {(each.kind, each.label) for each in brief.weaknesses} == {
        ("prompt", wordings[2].text),
        ("prompt", wordings[4].text),
    }


@pytest.mark.django_db
def test_before_the_first_measurement_there_is_nothing_to_tell(cast, owner):
    brief = site_brief(owner, brand_id=cast.brand.pk)
    assert (brief.now, brief.as_of, brief.strengths, brief.weaknesses, brief.sources) == (None, None, [], [], [])


@pytest.mark.django_db
def test_a_brief_has_the_sources_that_most_answers_cite(cast, owner, rival, wordings):
    addresses = [[f"https://site{number}.example/" for number in range(place + 2)] for place in range(5)]
    ended_run(cast.brand, wordings, cited=addresses)
    [first, *_, fifth] = brief_sources = site_brief(owner, brand_id=cast.brand.pk).sources
    assert [each.domain for each in brief_sources] == [f"site{number}.example" for number in range(5)]
    assert (first.answers, first.of_answers, first.named, first.gaps) == (5, 5, 2, 1)
    assert [(each.name, each.answers) for each in first.competitors] == [("Rival", 2)]
    assert (fifth.answers, fifth.first_seen) == (2, DAY.date())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("scope", "parts"),
    [
        ("read:competitors", {"competitors"}),
        ("read:visibility", {"now"}),
        ("read:prompts", {"undecidedTopics", "strengths", "weaknesses", "sources"}),
        ("read:recommendations", {"recommendations"}),
    ],
)
def test_parts_that_the_key_may_not_read_are_null_and_named(cast, measured, lacking, scope, parts):
    brief = site_brief(lacking(scope), brand_id=cast.brand.pk)
    assert {(each.part, each.required_scope) for each in brief.withheld} == {(part, scope) for part in parts}
    gathered = ("competitors", "now", "undecided_topics", "strengths", "weaknesses", "sources", "recommendations")
    assert {to_camel(name) for name in gathered if getattr(brief, name) is None} == parts


@pytest.mark.django_db
def test_a_brief_needs_the_scope_of_sites(cast, lacking):
    with pytest.raises(ServiceError) as caught:
        site_brief(lacking("read:sites"), brand_id=cast.brand.pk)
    assert caught.value.code == "insufficient_scope"


@pytest.mark.django_db(transaction=True)
def test_statements_do_not_grow_with_the_answers(cast, owner, wordings, rival, statements):
    ended_run(cast.brand, wordings)
    site_brief(owner, brand_id=cast.brand.pk)
    few = statements(site_brief, owner, brand_id=cast.brand.pk)
    for _ in range(4):
        ended_run(cast.brand, wordings)
    assert statements(site_brief, owner, brand_id=cast.brand.pk) == few <= 20


def prompt(number, topic="", **more):
    return PromptFacts(UUID(int=number), f"question {number}", topic or str(number), **more)


def standouts(*counted, mean=None, rivals=None):
    """What stands out of (prompt, k, n) of one engine, or of (prompt, {engine: (k, n)}).

    The brand's own score is `mean`, else that of the topic itself; `rivals` are the scores of competitors by topic.
    An interval reaches ten points to either side.
    """
    counts = {
        facts.id: [Naming(name, *pair) for name, pair in (rest[0] if len(rest) == 1 else {"chat": rest}).items()]
        for facts, *rest in counted
    }
    days = {naming.engine: date(2026, 3, 9 + (naming.engine == "new")) for each in counts.values() for naming in each}
    prompts = {facts.id: facts for facts, *_ in counted}
    topics = [of_topic(topic, counts, prompts, mean, (rivals or {}).get(topic))
              for topic in {facts.topic: None for facts in prompts.values()}]  # fmt: skip
    return find_standouts(counts, prompts, days, topics)


def of_topic(topic, counts, prompts, mean, rival):
    members = [facts.id for facts in prompts.values() if facts.topic == topic]
    sums = {}
    for naming in (naming for member in members for naming in counts[member]):
        named, answers = sums.get(naming.engine, (0, 0))
        sums[naming.engine] = (named + naming.named, answers + naming.answers)
    score = 100 * sum(named for named, _ in sums.values()) / sum(answers for _, answers in sums.values())
    standing = Standing(rate(score), score if mean is None else mean, rival and Rival(RIVAL, rate(rival), 1, 1))
    return Standout(
        "topic", topic, tuple(Naming(name, *pair) for name, pair in sums.items()), tuple(members), standing
    )


def rate(score):
    return Rate(score, score - 10, score + 10)


@pytest.mark.parametrize(
    ("named", "answers", "is_strong", "is_weak"),
    [(4, 6, True, False), (3, 6, False, False), (2, 6, False, True), (6, 6, True, False), (0, 6, False, True)],
)
def test_a_topic_stands_out_from_two_thirds_on(named, answers, is_strong, is_weak):
    half, rest = named // 2, named - named // 2
    strong, weak = standouts((prompt(1, "t"), half, answers // 2), (prompt(2, "t"), rest, answers - answers // 2))
    assert ("t" in {each.label for each in strong}, "t" in {each.label for each in weak}) == (is_strong, is_weak)


def test_a_question_stands_out_only_where_its_answers_agree():
    strong, weak = standouts((prompt(1), 3, 3), (prompt(2), 2, 3), (prompt(3), 0, 3), (prompt(4), 1, 3))
    assert ([each.label for each in strong], [each.label for each in weak]) == (["question 1"], ["question 3"])


def test_questions_that_name_the_brand_and_single_answers_say_nothing():
    assert standouts((prompt(1, branded=True), 3, 3), (prompt(2), 1, 1), (prompt(3), 0, 1)) == ([], [])


def test_what_rests_on_more_answers_comes_first_and_five_of_a_kind_are_enough():
    strong, _ = standouts(*((prompt(number), number, number) for number in range(2, 9)))
    assert [each.answers for each in strong] == [8, 7, 6, 5, 4]


def test_engines_that_differ_make_a_topic_both_with_their_counts_side_by_side():
    split = {"chat": (3, 4), "new": (1, 6)}
    strong, weak = standouts((prompt(1, "tvs"), split), (prompt(2, "tvs"), split))
    for listed in (strong, weak):
        [tvs] = [each for each in listed if each.kind == "topic"]
        assert [(each.engine, each.named, each.answers) for each in tvs.engines] == [("chat", 6, 8), ("new", 2, 12)]
    assert strong[0].worth == round(100 * (6 / 9 + 2 / 13) / 2)


def test_what_stands_out_is_ordered_by_worth_then_evidence_then_recency_never_by_name():
    both, more, newer, older = {"chat": (2, 2), "new": (2, 2)}, {"chat": (3, 3)}, {"new": (2, 2)}, {"chat": (2, 2)}
    asked = [("z", newer), ("a", older), ("m", both), ("y", more)]
    strong, _ = standouts(*((PromptFacts(UUID(int=number), name, name), counts)
                            for number, (name, counts) in enumerate(asked)))  # fmt: skip
    assert [each.label for each in strong] == ["y", "m", "z", "a"]


def asked(topic, named, answers=10):
    """Two questions of a topic, so many of whose answers name the brand."""
    first = PromptFacts(uuid5(RIVAL, topic), f"{topic}?", topic)
    second = PromptFacts(uuid5(first.id, topic), f"which {topic}?", topic)
    return [(first, named // 2, answers // 2), (second, named - named // 2, answers - answers // 2)]


def of_topics(standouts):
    return [each.label for each in standouts if each.kind == "topic"]


def test_a_topic_where_a_competitor_is_clearly_ahead_is_weak_however_far_above_the_brands_own_score():
    counted = [*asked("tvs", 8), *asked("phones", 8)]
    strong, weak = standouts(*counted, mean=20.0, rivals={"tvs": 100.5, "phones": 99.5})
    assert (of_topics(strong), of_topics(weak)) == (["phones"], ["tvs"])


def test_topics_are_held_against_the_brands_own_score():
    counted = [*asked("tvs", 8), *asked("phones", 5), *asked("shoes", 1)]
    strong, weak = standouts(*counted, mean=39.0)
    assert (of_topics(strong), of_topics(weak)) == (["tvs", "phones"], ["shoes"])
    strong, weak = standouts(*counted, mean=81.0)
    assert (of_topics(strong), of_topics(weak)) == ([], ["shoes", "phones"])
    assert of_topics(standouts(*counted, mean=5.0)[1]) == [], "all of them are above it"


def test_strong_topics_come_by_score_and_weak_ones_by_how_far_a_competitor_is_ahead():
    counted = [*asked("a", 8), *asked("b", 10), *asked("c", 8), *asked("d", 0), *asked("e", 1), *asked("f", 0)]
    strong, weak = standouts(*counted, mean=45.0, rivals={"a": 85, "d": 50, "e": 90, "f": 70})
    assert of_topics(strong) == ["b", "c", "a"] and of_topics(weak) == ["e", "f", "d"]
    prompts = [each.label[-2] for each in weak if each.kind == "prompt"]
    assert prompts == ["e", "f", "f", "d", "d"], "questions of the topic that a competitor leads by most are first"


def test_topics_of_too_few_answers_say_nothing():
    assert of_topics(standouts(*asked("tvs", 3, answers=3))[0]) == []
    assert of_topics(standouts(*asked("tvs", 4, answers=4))[0]) == ["tvs"]


def test_a_topic_without_an_interval_is_shown_by_its_answers_alone():
    standing = Standing(Rate(40.0), 20.0, Rival(RIVAL, Rate(100.0), 1, 1))
    topic = Standout("topic", "tvs", (Naming("chat", 4, 10),), (UUID(int=1), UUID(int=2)), standing)
    assert find_standouts({}, {}, {"chat": date(2026, 3, 9)}, [topic]) == ([], [])


@pytest.mark.django_db
def test_topics_of_the_brief_stand_beside_the_best_competitor_and_the_sites_score(cast, owner, rival, wordings):
    for texts in (["Rival.", "Rival.", "Acme.", "Acme.", "Acme."], ["Rival.", "Rival and Acme.", *["Acme."] * 3]):
        ended_run(cast.brand, wordings, texts=texts)
    [bikes] = [each for each in site_brief(owner, brand_id=cast.brand.pk).weaknesses if each.kind == "topic"]
    assert (bikes.label, bikes.named, bikes.answers, bikes.score, bikes.site_score) == ("bikes", 1, 4, 25.0, 70.0)
    best = bikes.best_rival
    assert (best.competitor, best.name, best.named, best.answers, best.score) == (rival.pk, "Rival", 4, 4, 100.0)


@pytest.mark.django_db
def test_who_may_not_read_competitors_is_told_of_none(cast, rival, wordings, lacking):
    for _ in range(2):
        ended_run(cast.brand, wordings, texts=["Acme and Rival."] * 5)
    brief = site_brief(lacking("read:competitors"), brand_id=cast.brand.pk)
    assert brief.strengths + brief.weaknesses and all(
        each.best_rival is None for each in brief.strengths + brief.weaknesses
    )


@pytest.mark.django_db
def test_a_brief_on_one_topic_tells_of_that_alone(cast, owner, wordings, rival):
    for _ in range(2):
        ended_run(cast.brand, wordings, day=1, texts=["Acme."] * 5)
    about = {"prompt_id": str(wordings[2].pk), "kind": "answer", "text": "x"}
    Recommendation.objects.all().delete()
    for evidence in ([], [about]):
        RecommendationFactory(brand=cast.brand, evidence=evidence)
    brief = site_brief(owner, brand_id=cast.brand.pk, topic="T2")
    assert (brief.topic.topic, brief.topic.prompts) == ("t2", 1)
    assert {each.name for each in brief.topic.subjects} == {"Acme", "Rival"}
    assert {prompt for each in brief.strengths + brief.weaknesses for prompt in each.prompts} == {wordings[2].pk}
    assert len(brief.recommendations) == 1


@pytest.mark.django_db
def test_the_figures_of_a_topic_need_the_scope_of_scores(cast, measured, lacking):
    brief = site_brief(lacking("read:visibility"), brand_id=cast.brand.pk, topic="bikes")
    assert brief.topic is None and {each.part for each in brief.withheld} == {"now", "topic"}
    with pytest.raises(ServiceError, match="No one topic"):
        site_brief(lacking("read:visibility"), brand_id=cast.brand.pk, topic="toasters")
