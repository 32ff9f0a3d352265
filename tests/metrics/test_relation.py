"""How the brand does against a rival in the same answers."""

import pytest

from tests.metrics.panels import BRAND, RIVAL, Answer, tally
from visibility.metrics import Kind, Row, Units, count, find_relations


def asked(topics, prompts, samples, who):
    """So many prompts a topic and answers a prompt, in each of which those are mentioned that `who` says."""
    return count(
        (
            Row(
                "e",
                f"{topic}.{prompt}",
                f"t{topic}",
                subject,
                1,
                subject in names,
                without_brand=BRAND not in names and subject in names,
            )
            for topic in range(topics)
            for prompt in range(prompts)
            for sample in range(samples)
            for names in [who(topic, prompt, sample)]
            for subject in (BRAND, RIVAL)
        ),
        [BRAND, RIVAL],
    )


ALWAYS = {
    "only the rival": lambda *_: [RIVAL],
    "only the brand": lambda *_: [BRAND],
    "both": lambda *_: [BRAND, RIVAL],
    "nobody": lambda *_: [],
    "both, in every other answer": lambda topic, prompt, sample: [BRAND, RIVAL] if (prompt + sample) % 2 else [],
}


@pytest.mark.parametrize(
    "shape, who, kind, units",
    [
        ((5, 4, 3), "only the rival", Kind.BEHIND, Units.ANSWERS),
        ((5, 4, 3), "only the brand", Kind.AHEAD, Units.ANSWERS),
        ((5, 4, 3), "both", Kind.LEVEL, Units.ANSWERS),
        ((5, 4, 3), "nobody", Kind.LEVEL, Units.ANSWERS),
        ((5, 4, 3), "both, in every other answer", Kind.LEVEL, Units.ANSWERS),
        ((6, 1, 10), "only the rival", Kind.BEHIND, Units.TOPICS),
        ((1, 1, 6), "only the rival", Kind.BEHIND, Units.ANSWERS),
        ((1, 1, 4), "only the rival", Kind.TOO_CLOSE, Units.ANSWERS),
        ((2, 2, 1), "both", Kind.TOO_CLOSE, Units.ANSWERS),
    ],
)
def test_a_relation_is_clear_where_the_answers_are(shape, who, kind, units):
    relation = find_relations(asked(*shape, ALWAYS[who]))[RIVAL]
    assert (relation.kind, relation.units) == (kind, units)


def test_a_relation_counts_the_answers_that_name_only_one():
    relation = find_relations(asked(3, 2, 4, lambda topic, *_: [[BRAND], [RIVAL], [BRAND, RIVAL]][topic]))[RIVAL]
    assert (relation.only_one, relation.only_other, relation.delta) == (8, 8, pytest.approx(0))


def test_a_lead_over_most_topics_is_one():
    relation = find_relations(asked(12, 2, 4, lambda topic, _, sample: [BRAND] if sample or topic == 1 else [RIVAL]))
    assert relation[RIVAL].kind is Kind.AHEAD and 0 < relation[RIVAL].low < relation[RIVAL].delta


def test_the_more_rivals_the_more_units_a_relation_needs():
    """Six topics can be no surer than 2 of 64, which is too little for the fifth part of 5 %."""
    rivals = [f"rival {number}" for number in range(5)]
    answers = [Answer("e", f"{n % 6}.{n}", f"t{n % 6}", dict.fromkeys(rivals, 1)) for n in range(60)]
    relations = find_relations(tally(answers, [BRAND, *rivals]))
    assert {(relation.kind, relation.units) for relation in relations.values()} == {(Kind.BEHIND, Units.ANSWERS)}


def test_answers_that_may_name_both_never_make_a_lead_surer():
    """How many name both is not counted: 8 and 6 of 8 leave 2 to 0 at least, which is no lead."""
    rows = tally([Answer("e", f"p{n % 2}", "t", {BRAND: 1} | ({RIVAL: 2} if n > 1 else {})) for n in range(8)])
    relation = find_relations(rows)[RIVAL]
    assert (relation.only_one, relation.only_other, relation.kind) == (2, 0, Kind.TOO_CLOSE)


def test_without_an_answer_to_a_prompt_that_names_neither_there_is_no_relation():
    relation = find_relations(tally([Answer("e", "p", "t", {BRAND: 1}, named=frozenset([RIVAL]))]))[RIVAL]
    assert relation.kind is relation.delta is relation.chance is relation.units is None
    assert find_relations(tally([])) == {}
