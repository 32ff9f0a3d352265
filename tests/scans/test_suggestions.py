"""Competitor suggestions: derived from the newest runs, never counted, added or dismissed by people."""

from datetime import timedelta

import pytest

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from brands.services.competitors import add_competitor, remove_competitor
from tests.factories import AnswerFactory, ApiKeyFactory, RunFactory
from tests.scans.history import DAY, FAR, end, rescored
from visibility.insights.suggestions import gathering, refresh_suggestions
from visibility.models import CompetitorSuggestion, DailyScore, Generation, Mention, UntrackedName
from visibility.services.competitors.listing import add_suggested, competitors_of
from visibility.services.competitors.suggestions import dismiss_suggestion

pytestmark = pytest.mark.django_db
LIST = "1. **Trello** – boards\n2. **Asana**: lists\n3. Acme\n"
LINKS = [{"url": "https://trello.com/x", "title": "t", "start": None, "end": None}]


def scanned(brand, wordings, texts, *, day=0, engine="chat", links=LINKS, **more):
    """A run that ended, its answers in the order of the wordings."""
    held = {"status": "running", "worker": "w", "lease_until": FAR, "finished_at": None}
    at = DAY + timedelta(days=day)
    run = RunFactory(brand=brand, created_at=at, total=len(texts), done=len(texts), **{**held, **more})
    for prompt, text in zip(wordings, texts, strict=False):
        AnswerFactory(run=run, prompt=prompt, engine=engine, text=text, sources=links, answered_at=at)
    return end(run)


def offered(brand):
    return [(row.name, row.answers) for row in CompetitorSuggestion.objects.filter(brand=brand, dismissed_at=None)]


def test_names_that_lead_several_answers_are_suggested_and_not_counted(brand, wordings):
    run = scanned(brand, wordings, [LIST, LIST, "1. Asana\n2. Linear Inc\n", "Nothing."])
    assert offered(brand) == [("Asana", 3), ("Trello", 2)]
    trello = CompetitorSuggestion.objects.get(name="Trello")
    assert (trello.of_answers, trello.prompts, trello.engines, trello.domain) == (4, 2, ["chat"], "trello.com")
    assert trello.first_seen == trello.last_seen == DAY
    assert trello.quote == "Trello – boards Asana: lists Acme"
    assert {str(pk) for pk in run.answers.filter(text=LIST).values_list("pk", flat=True)} == set(trello.examples)
    assert CompetitorSuggestion.objects.get(name="Asana").domain == ""
    assert not Mention.objects.exclude(competitor=None).exists()
    assert DailyScore.objects.count() == 1


def test_it_follows_the_newest_runs_and_remembers_when_a_name_came_first(brand, wordings, monkeypatch):
    monkeypatch.setattr(gathering, "RUNS", 2)
    for day in range(3):
        scanned(brand, wordings, [LIST, LIST], day=day)
    assert offered(brand) == [("Asana", 4), ("Trello", 4)]
    trello = CompetitorSuggestion.objects.get(name="Trello")
    assert (trello.first_seen, trello.last_seen) == (DAY, DAY + timedelta(days=2))
    assert UntrackedName.objects.count() == 8, "older names are forgotten"
    for day in (3, 4):
        scanned(brand, wordings, ["Nothing.", "Nothing."], day=day)
    assert offered(brand) == []
    assert not UntrackedName.objects.exists()


def test_runs_that_are_too_old_are_not_searched_for_names(brand, wordings, monkeypatch):
    scanned(brand, wordings, [LIST, LIST], day=1)
    monkeypatch.setattr(gathering, "RUNS", 1)
    scanned(brand, wordings, [LIST, LIST], day=0)
    assert offered(brand) == [("Asana", 2), ("Trello", 2)]
    assert UntrackedName.objects.filter(answer__run__created_at=DAY).count() == 0


def test_refreshing_again_changes_nothing(brand, wordings):
    scanned(brand, wordings, [LIST, LIST])
    before = list(CompetitorSuggestion.objects.values())
    refresh_suggestions(brand)
    assert list(CompetitorSuggestion.objects.values()) == before


def test_a_new_generation_suggests_anew(brand, wordings):
    scanned(brand, wordings, [LIST, LIST])
    system = system_caller("test")
    rival = add_competitor(system, brand=brand, name="Trello", domain="trello.com")
    names = [each.name for each in competitors_of(system, brand_id=brand.pk).suggestions]
    assert names == ["Asana"], "a watched name is offered no more at once"
    rescored(brand)
    assert offered(brand) == [("Asana", 2)]
    assert Generation.objects.count() == 1
    assert not UntrackedName.of_all_generations.filter(name="Trello").exists()
    remove_competitor(system, competitor=rival)
    rescored(brand)
    assert offered(brand) == [("Asana", 2), ("Trello", 2)]


def test_a_removed_brands_names_go_with_it(brand, wordings):
    scanned(brand, wordings, [LIST, LIST])
    brand.delete()
    assert not UntrackedName.of_all_generations.exists()
    assert not CompetitorSuggestion.objects.exists()


def test_there_is_a_most(brand, wordings, monkeypatch):
    monkeypatch.setattr("visibility.insights.suggestions.storing.MOST", 1)
    scanned(brand, wordings, [LIST, LIST, "1. Asana\n2. Xendo\n"])
    assert offered(brand) == [("Asana", 3)]


PRODUCTS = "1. **Zephon Glydex 7** – fast\n2. **Orvane Trail 3** – light\n3. **Glydex 8**: new\n4. Acme Swift 2\n"


def test_models_go_to_the_maker_that_answers_name_before_them(brand, wordings):
    alone = "1. **Glydex 9** – fast\n2. **Orvane Peak 3** – light\n"
    scanned(brand, wordings, [PRODUCTS, PRODUCTS, alone, alone])
    assert offered(brand) == [("Orvane", 4), ("Zephon", 4)]
    zephon = CompetitorSuggestion.objects.get(name="Zephon")
    assert (zephon.answers, zephon.prompts, len(zephon.examples)) == (4, 4, 3), "an answer with both counts once"


def test_words_behind_a_tracked_name_are_nobodys_company(brand, wordings):
    alone = "1. **Swift 9** – fast\n2. **Orvane Peak 3** – light\n3. **Zephon Glydex 1**: new\n"
    scanned(brand, wordings, [PRODUCTS, PRODUCTS, alone, alone])
    assert [name for name, _ in offered(brand)] == ["Orvane", "Zephon"]
    behind = UntrackedName.objects.filter(is_tracked=True)
    assert set(behind.values_list("lead", "name")) == {("swift", "Swift")}


def test_it_is_told_on_which_topics(brand, wordings):
    for prompt, topic in zip(wordings, ("cars", "bikes", "bikes", ""), strict=False):
        prompt.topic = topic
        prompt.save()
    scanned(brand, wordings, [LIST] * 4)
    assert CompetitorSuggestion.objects.get(name="Trello").topics == [["bikes", 2], ["cars", 1]]


def test_the_domain_may_be_cited_by_any_answer(brand, wordings):
    asana = [{"url": "https://asana.com/x", "title": "t", "start": None, "end": None}]
    scanned(brand, wordings, [LIST, LIST])
    scanned(brand, wordings, ["Nothing."], day=1, links=asana)
    assert CompetitorSuggestion.objects.get(name="Asana").domain == "asana.com"


def test_reading_costs_the_same_for_more_names(brand, wordings, django_assert_max_num_queries):
    names = [f"Zq{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]
    text = "".join(f"{n}. **{name}** – good\n" for n, name in enumerate(names, 1))
    scanned(brand, wordings, [text, text])
    with django_assert_max_num_queries(20):
        refresh_suggestions(brand)
    assert len(offered(brand)) == 40


class TestPeople:
    @pytest.fixture
    def trello(self, brand, wordings):
        scanned(brand, wordings, [LIST, LIST])
        return CompetitorSuggestion.objects.get(name="Trello").pk

    @pytest.fixture
    def editor(self, cast):
        return Caller.from_user(cast.editor)

    def test_it_is_added_with_what_was_found(self, brand, trello, editor):
        added = add_suggested(editor, brand_id=brand.pk, suggestion_id=trello)
        assert (added.competitor.name, added.competitor.domain, added.rescored) == ("Trello", "trello.com", False)
        assert offered(brand) == [("Asana", 2)]

    def test_what_people_give_comes_first(self, brand, trello, editor):
        added = add_suggested(
            editor, brand_id=brand.pk, suggestion_id=trello, name="Trello Boards", domain="boards.example"
        )
        assert (added.competitor.name, added.competitor.domain) == ("Trello Boards", "boards.example")

    def test_without_a_domain_it_asks_for_one_and_stays(self, brand, trello, editor):
        asana = CompetitorSuggestion.objects.get(name="Asana").pk
        with pytest.raises(ServiceError, match="do not show the domain of Asana"):
            add_suggested(editor, brand_id=brand.pk, suggestion_id=asana)
        with pytest.raises(ServiceError, match="is not a domain"):
            add_suggested(editor, brand_id=brand.pk, suggestion_id=asana, domain="no domain")
        assert offered(brand) == [("Asana", 2), ("Trello", 2)]
        assert not brand.competitors.exists()

    def test_a_dismissed_one_does_not_come_back(self, brand, trello, editor, wordings):
        for _ in range(2):
            dismiss_suggestion(editor, brand_id=brand.pk, suggestion_id=trello)
        scanned(brand, wordings, [LIST, LIST], day=1)
        assert [each.name for each in competitors_of(editor, brand_id=brand.pk).suggestions] == ["Asana"]
        assert CompetitorSuggestion.objects.get(pk=trello).answers == 4

    @pytest.mark.parametrize(("who", "code"), [("viewer", "read_only_collaborator"), ("stranger", "not_found")])
    def test_who_may_not(self, brand, trello, cast, who, code):
        caller = Caller.from_user(getattr(cast, who))
        for act in (add_suggested, dismiss_suggestion):
            with pytest.raises(ServiceError) as refused:
                act(caller, brand_id=brand.pk, suggestion_id=trello)
            assert refused.value.code == code
        assert len(offered(brand)) == 2

    def test_viewers_read_them_strangers_and_keys_without_the_scope_do_not(self, brand, trello, cast):
        viewer = Caller.from_user(cast.viewer)
        found = competitors_of(viewer, brand_id=brand.pk).suggestions
        assert [(each.name, each.answers, each.of_answers) for each in found] == [("Asana", 2, 2), ("Trello", 2, 2)]
        with pytest.raises(ServiceError, match="Nothing is here"):
            competitors_of(Caller.from_user(cast.stranger), brand_id=brand.pk)
        with pytest.raises(ServiceError, match="read:competitors"):
            key = ApiKeyFactory(owner=cast.owner, scopes=["read:sites"])
            competitors_of(Caller.from_key(key), brand_id=brand.pk)

    def test_one_of_another_brand_is_not_found(self, trello, editor, cast):
        other = type(cast.brand).objects.create(owner=cast.editor, name="Other", domain="other.example")
        with pytest.raises(ServiceError, match="Nothing is here"):
            dismiss_suggestion(editor, brand_id=other.pk, suggestion_id=trello)


def test_statements_do_not_grow_with_the_answers(brand, wordings, django_assert_max_num_queries):
    scanned(brand, wordings, [LIST] * 5)
    for day in range(1, 4):
        scanned(brand, wordings, [LIST] * 5, day=day)
    with django_assert_max_num_queries(20):
        refresh_suggestions(brand)
