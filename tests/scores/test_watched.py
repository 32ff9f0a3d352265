"""Watched names: who is not tracked is counted as if it were."""

import pytest

from apikeys.accounts.caller import Caller
from brands.competitors import add_competitor, remove_competitor
from tests.counts.conftest import SYSTEM, add, asked, measured
from visibility.answers.detect import Reader, detect
from visibility.ask.answer import answer_question
from visibility.ask.question import Question
from visibility.competitors.reads import list_competitors
from visibility.counts.reader import select_now
from visibility.counts.untracked import sums_naming, untracked_sums
from visibility.models import Answer, UntrackedName, WatchedName
from visibility.scores.recount import recount
from visibility.scores.watched import watch_names

pytestmark = pytest.mark.django_db

LIST = "1. **Varmio**: fine.\n2. **Kryton**: strong.\n3. **Oblinx**: light."
HIDDEN = {
    "a note of the engine": "Nobody. AI responses may include mistakes. Your feedback can help Varmio improve.",
    "where to buy": "Take any lock.\n\nWhere to buy: Varmio, Amazon",
    "the title of a source": "Take any lock. [Varmio](https://varmio.example/locks)",
    "an address": "Take any lock, see https://varmio.example/varmio",
    "a longer word": "Take any Varmionic lock.",
}


def brand_of(*texts):
    """A brand with answers to twelve prompts, two of them offering Varmio, one naming it, and these; the last prompt
    names it itself."""
    rows = [*asked("chatgpt", 1, of=12)]
    rows = [{**row, "text": LIST} if number < 2 else row for number, row in enumerate(rows)]
    rows[2] = {**rows[2], "text": "Varmio and Kryton are known. Varmio is larger."}
    for number, text in enumerate(texts, 3):
        source = {"url": "https://varmio.example/locks", "title": "Varmio"}
        rows[number] = {**rows[number], "text": text, "citations": [source]}
    rows[-1] = {**rows[-1], "prompt": "Is Varmio good?", "text": "Varmio is."}
    return measured(rows)


def counts_at_doors(brand):
    """Varmio's count in the sums and in ask, and its share in the competitors' resource, tracked or not."""
    now = select_now(brand)
    rows = {row.subject: row for row in now.rows("subject", untracked=untracked_sums(now))}
    found = list_competitors(SYSTEM, brand.pk, full=True)
    shares = {each.name: round(100 * each.mentioned / each.answers, 2) for each in found.suggestions}
    shares |= {each.name: each.score for each in found.competitors}
    asking = Question("How often is Varmio named?", about="standing", competitor="Varmio")
    facts = answer_question(Caller.from_user(brand.owner), brand.pk, asking).facts
    [fact] = [each for each in facts if each.subject.strip("«»") == "Varmio"]
    return {
        "sums": (rows["Varmio"].mentioned, rows["Varmio"].of, rows["Varmio"].without_brand),
        "competitors": shares["Varmio"],
        "ask": (fact.mentioned, fact.of, fact.without_brand),
    }


def track(brand):
    """Track Varmio, and count."""
    add_competitor(SYSTEM, brand_id=brand.pk, name="Varmio", domain="varmio.example")
    recount(brand.pk)
    brand.refresh_from_db()


@pytest.mark.parametrize("hidden", [(), *HIDDEN.values()], ids=["nothing hidden", *HIDDEN])
def test_tracking_a_name_does_not_change_its_count_and_hidden_places_count_neither_way(hidden):
    brand = brand_of(*([hidden] if hidden else ()))
    before = counts_at_doors(brand)
    assert before["sums"] == (3, 11, 0)
    track(brand)
    assert counts_at_doors(brand) == before


def test_a_name_that_is_tracked_no_more_is_counted_as_before():
    brand = brand_of()
    before = counts_at_doors(brand)
    track(brand)
    remove_competitor(SYSTEM, brand_id=brand.pk, competitor_id=brand.competitors.get(name="Varmio").pk)
    recount(brand.pk)
    brand.refresh_from_db()
    assert counts_at_doors(brand) == before


def mentions():
    return UntrackedName.objects.mentions().filter(name="Varmio").values_list("answer", "start").order_by("pk")


def test_watching_that_is_killed_before_it_writes_is_done_by_the_next_measuring(monkeypatch):
    brand = brand_of()
    before = {*mentions()}
    UntrackedName.objects.mentions().delete()
    WatchedName.objects.all().delete()
    with monkeypatch.context() as patched:
        patched.setattr("visibility.scores.watched.write_names", lambda rows: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            watch_names(brand)
    assert not WatchedName.objects.exists()
    add(brand, asked("chatgpt", 2, of=1))
    assert {*mentions()} == before


def test_watching_twice_changes_nothing():
    brand = brand_of()
    before = {*mentions()}
    WatchedName.objects.all().delete()
    watch_names(brand)
    watch_names(brand)
    assert {*mentions()} == before


def test_names_are_read_again_in_answers_that_were_read_by_who_did_not_know_them():
    brand = brand_of()
    before = {*mentions()}
    names = [*WatchedName.objects.filter(name="Varmio")]
    WatchedName.objects.all().delete()
    reader = Reader(brand)
    WatchedName.objects.bulk_create(names)
    Answer.objects.update(names_version=0)
    detect(reader, Answer.objects.all())
    assert not mentions().exists() and not WatchedName.objects.exists()
    watch_names(brand)
    assert {*mentions()} == before


def test_later_answers_are_read_for_watched_names_with_all_others():
    brand = brand_of()
    add(brand, asked("chatgpt", 2, "Varmio", of=1))
    assert mentions().filter(answer__day="2026-01-02").count() == 1


def test_on_days_before_a_name_was_watched_answers_are_read_when_it_is_asked_for():
    brand = brand_of()
    WatchedName.objects.update(since="2026-01-02")
    UntrackedName.objects.mentions().delete()
    assert sum(each.mentioned for each in sums_naming(select_now(brand), ["Varmio"]).sums["Varmio"]) == 4


def test_a_company_that_nobody_offers_any_more_is_watched_no_more():
    brand = brand_of()
    UntrackedName.objects.offered().filter(name="Varmio").delete()
    watch_names(brand)
    assert "Varmio" not in WatchedName.objects.values_list("name", flat=True)


def test_a_word_that_the_answers_also_write_in_small_letters_is_no_company():
    text = "1. **Varmio**: fine.\n2. **Oblinx**: light.\n3. **Ceramic**: fine."
    rows = [*asked("chatgpt", 1, of=6)]
    rows = [{**row, "text": text if number < 3 else "A ceramic lock."} for number, row in enumerate(rows)]
    brand = measured(rows)
    assert {*untracked_sums(select_now(brand))} == {"Varmio", "Oblinx"}
    assert [each.name for each in list_competitors(SYSTEM, brand.pk).suggestions] == ["Oblinx", "Varmio"]
    watch_names(brand)
    assert WatchedName.objects.get(is_name=False).name == "Ceramic"
