"""What the detector finds is stored with each mention, and what is unknown to an answer does not make visible."""

from datetime import date

import pytest
from django.db import transaction

from tests.factories import AnswerFactory, CompetitorFactory, RunFactory
from tests.generations import tracked_names_of
from visibility.measured.basis import EngineDay
from visibility.measured.found import read_found
from visibility.measured.generations import tracked_names_in
from visibility.measured.sampling import read_sample
from visibility.models import Answer, Mention
from visibility.pipeline.detect.detecting import analyse
from visibility.pipeline.generations.planning import plan_generation

pytestmark = pytest.mark.django_db


@pytest.fixture
def analysed_runs(cast):
    """Analyse an answer for Acme and its rivals Zenvex and Notion; gives what is stored."""

    def look(text, domain="zenvex.example"):
        rivals = [
            CompetitorFactory(brand=cast.brand, name="Zenvex", domain=domain),
            CompetitorFactory(brand=cast.brand, name="Notion", domain="notion.so"),
        ]
        run = RunFactory(brand=cast.brand)
        answer = AnswerFactory(run=run, text=text)
        tracked = tracked_names_of(cast.brand)
        answers = Answer.objects.filter(pk=answer.pk)
        assert list(analyse(tracked, run, transaction.atomic)) == [1]
        return answer, rivals, tracked, answers

    return look


def outcome(tracked, answers):
    [[found]] = read_sample(tracked, answers).outcomes.values()
    return found


def test_rank_rule_stance_and_quote_are_stored(analysed_runs):
    text = "Two:\n\n1. Obsidian\n2. **Zenvex** – best for teams\n3. Acme – light\n\nAvoid Acme if you are alone."
    answer, [zenvex, _], *_ = analysed_runs(text)
    mention = Mention.objects.get(competitor=zenvex)
    assert (mention.rank, mention.rank_rule, mention.stance) == (2, "list", "recommended")
    assert text[mention.quote_start : mention.quote_end] == "Zenvex** – best for teams"
    assert list(answer.mentions.filter(competitor=None).values_list("rank", "stance")) == [
        (3, "recommended"),
        (3, "rejected"),
    ]


def test_what_the_answer_knows_nothing_of_is_a_mention_but_not_visible(analysed_runs):
    answer, [zenvex, _], tracked, answers = analysed_runs(
        "I couldn't find any information about Zenvex. Acme is a good choice."
    )
    mention = Mention.objects.get(competitor=zenvex)
    assert (mention.stance, mention.rank) == ("not_found", None)
    assert outcome(tracked, answers).ranks == {"": None}
    assert list(answer.mentions.visible().values_list("competitor", flat=True)) == [None]


def test_a_plain_word_is_no_mention(analysed_runs):
    *_, tracked, answers = analysed_runs("The notion that Acme is loud is wrong.")
    assert outcome(tracked, answers).ranks == {"": None}


def test_the_owner_shows_through_its_line(analysed_runs):
    answer, [zenvex, _], tracked, answers = analysed_runs("Acme Cloud is one.", domain="cloud.acme.example")
    zenvex.aliases.create(text="Acme Cloud")
    tracked = tracked_names_in(plan_generation(answer.brand))
    list(analyse(tracked, answer.run, transaction.atomic))
    assert set(Mention.objects.values_list("competitor", "rule")) == {(zenvex.pk, "spelling"), (None, "within")}
    assert outcome(tracked, answers).ranks == {"": None, str(zenvex.pk): None}


def test_gaps_are_read_from_visible_mentions_only(analysed_runs):
    answer, *_ = analysed_runs("I couldn't find anything about Acme. I couldn't find anything about Zenvex.")
    assert Mention.objects.count() == 2
    [facts] = read_found([EngineDay(answer.engine, date.today(), (answer.run_id,))]).answers
    assert not facts.brand_named and not facts.rivals
