"""What the answers of now show, read in one statement."""

from random import Random

import pytest

from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import ended_run
from visibility.measured import found as reading
from visibility.measured.found import facts_of, read_brand_facts, read_found
from visibility.measured.reading import read_basis
from visibility.models import PromptVersion

pytestmark = pytest.mark.django_db
SOURCES = ["https://z.example/", "https://acme.example/y", "https://rival.example/x", "https://b.example/"]


@pytest.fixture
def rival(cast):
    return CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")


def test_answers_mentions_and_citations_are_one_statement(cast, rival, django_assert_num_queries):
    prompts = PromptFactory.create_batch(2, brand=cast.brand)
    ended_run(cast.brand, prompts, texts=["Acme. Then Rival.", "Nobody."], cited=[SOURCES, []])
    engines = read_basis(cast.brand.pk).engines
    with django_assert_num_queries(1):
        found = read_found(engines)
    first, second = sorted(found.answers, key=lambda answer: not answer.brand_named)
    assert (first.brand_named, dict(first.rivals), first.cites_brand) == (True, {rival.pk: 11}, True)
    assert first.domains == {"z.example", "b.example"}, "of others alone"
    assert [page.domain for page in found.cited[first.id]] == [
        *("z.example", "acme.example", "rival.example", "b.example")
    ], "in the order of the answer"
    assert (second.brand_named, dict(second.rivals), second.domains, second.cites_brand) == (False, {}, set(), False)
    assert second.id not in found.cited


def test_the_answers_of_one_engine_are_its_own(cast):
    prompt = PromptFactory(brand=cast.brand)
    for engine in ("chat", "sonar"):
        ended_run(cast.brand, [prompt], texts=["Acme."], engine=engine)
    engines = read_basis(cast.brand.pk).engines
    assert {engine.engine for engine in engines} == {"chat", "sonar"}
    sonar = [engine for engine in engines if engine.engine == "sonar"]
    assert [answer.engine for answer in read_found(engines).of(sonar)] == ["sonar"]


def test_questions_are_those_that_were_asked_with_the_stage_of_now(cast):
    prompt, unasked = PromptFactory(brand=cast.brand, text="Which anvil?", stage="decision"), PromptFactory()
    ended_run(cast.brand, [prompt], texts=["Acme."])
    prompt.text, prompt.version = "Which anvil for a beginner?", 2
    prompt.save()
    PromptVersion.objects.create(prompt=prompt, number=2, text=prompt.text)
    facts = read_brand_facts(cast.brand, read_basis(cast.brand.pk))
    assert {row.text: row.stage for row in facts.prompts.values()} == {"Which anvil?": "decision"}
    assert unasked.pk not in facts.prompts


def test_questions_that_nobody_keeps_any_more_are_told_too(cast):
    prompt = PromptFactory(brand=cast.brand, text="Which anvil?")
    ended_run(cast.brand, [prompt], texts=["Acme."])
    basis = read_basis(cast.brand.pk)
    found = read_found(basis.engines)
    type(prompt).objects.filter(pk=prompt.pk).update(purpose="comparison")
    facts = facts_of(cast.brand, basis, found)
    assert [row.text for row in facts.prompts.values()] == ["Which anvil?"]


@pytest.mark.parametrize("seed", range(3))
def test_answers_stand_in_one_order_however_the_database_gives_its_rows(monkeypatch, cast, seed):
    prompts = PromptFactory.create_batch(5, brand=cast.brand)
    ended_run(cast.brand, prompts)
    engines = read_basis(cast.brand.pk).engines
    usual = [answer.id for answer in read_found(engines).answers]
    rows = list(reading._rows(tuple(engines)))
    Random(seed).shuffle(rows)
    monkeypatch.setattr(reading, "_rows", lambda _: rows)
    assert [answer.id for answer in read_found(engines).answers] == usual == sorted(usual)
