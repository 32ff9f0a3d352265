"""Questions that are answered from what is stored: about what, for whom, and with which facts."""

from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.operators import system_caller
from apikeys.scopes import ALL_SCOPES, Scope
from tests.factories import (
    AnswerFactory,
    BrandFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
)
from tests.generations import tracked_names_of
from visibility.models import Citation, EngineConfig
from visibility.services.ask.answering import prepare_answer
from visibility.services.ask.reading.kinds import kinds_of
from visibility.services.ask.reading.language import language_of
from visibility.services.ask.topics import OVERVIEW, TOPICS

QUIET = {"state": "none", "moved_on": None, "pooled_days": 0, "delta": None, "low": None, "high": None}
ASLEEP = {"raised": False, "looks": 9, "since": None, "delta": None, "low": None, "high": None}


SAID = {topic.name: topic.name for topic in TOPICS} | {
    "engines": "Which engine names us most",
    "content": "What should we write",
    "quotas": "Which plan do we have",
    "definitions": "Why do other tools disagree",
}
"""A question for each topic."""


def ask(caller, question, **more):
    return prepare_answer(caller, question=question, **more)()


def limited(cast, *scopes):
    return Caller(actor="key:1", user=cast.owner, scopes=frozenset({Scope.READ_SITES, *scopes}))


@pytest.fixture
def known(cast):
    """A brand with one measured day, a rival, a recommendation, a run and a prompt."""
    brand = cast.brand
    run = RunFactory(brand=brand, total=4, done=3, failed=1, status="partial")
    DailyScoreFactory(brand=brand, date=date(2026, 3, 1), score=41.5, low=30.25, high=52.75, runs=[str(run.pk)])
    DailyScoreFactory(
        brand=brand, competitor=CompetitorFactory(brand=brand, name="Velmora"), date=date(2026, 3, 1), score=66.6,
        engines=[{"engine": "local-search", "score": 66.6, "low": 50.0, "high": 80.0, "answers": 30}],
    )  # fmt: skip
    RecommendationFactory(brand=brand, title="Write about snow", priority=77)
    PromptFactory(brand=brand, text="Which bike?")
    return brand


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Is our brand mentioned at all?", {"score"}),
        ("How often are we recommended?", {"score"}),
        ("What is recommended to us?", {"recommendations"}),
        ("Have we gone up since Monday?", {"change"}),
        ("Did we lose ground compared with yesterday?", {"change"}),
        ("Which assistants mention us most?", {"engines"}),
        ("Who is winning against us?", {"competitors"}),
        ("Why aren't we mentioned for winter tyres?", {"gaps"}),
        ("Any advice?", {"recommendations"}),
        ("What could we publish?", {"content"}),
        ("Which queries do you use?", {"prompts"}),
        ("Which sources do answers cite?", {"sources"}),
        ("Is the citation of our page a good source?", {"sources"}),
        ("When will it be finished?", {"runs"}),
        ("What does a month cost?", {"cost"}),
        ("Was sollten wir als Nächstes tun?", {"recommendations"}),
        ("Was soll ich tun?", {"recommendations"}),
        ("Wer liegt vorne?", {"competitors"}),
        ("Liegt Velmora deutlich vor uns?", {"competitors"}),
        ("Wer führt den Vergleich an?", {"competitors"}),
        ("Welche KI nennt uns am häufigsten?", {"engines"}),
        ("Wie viel Guthaben ist übrig?", {"cost"}),
        ("Welche Quellen werden zitiert?", {"sources"}),
        ("Wie sichtbar sind wir?", {"score"}),
        ("Hat sich seit letzter Woche etwas geändert?", {"change"}),
        ("Sind wir besser geworden?", {"change"}),
        ("Wo fehlen wir?", {"gaps"}),
        ("Bei welchen Fragen werden wir nicht genannt?", {"gaps", "prompts"}),
        ("Worüber sollten wir schreiben?", {"content"}),
        ("Wann wurde zuletzt gemessen?", {"runs"}),
        ("Que devrions-nous faire ensuite ?", {"recommendations"}),
        ("Quels concurrents sont devant nous ?", {"competitors"}),
        ("Quelle IA nous cite le plus souvent ?", {"engines"}),
        ("Combien de crédits reste-t-il ?", {"cost"}),
        ("Quelles sources sont citées ?", {"sources"}),
        ("Notre score a-t-il augmenté depuis hier ?", {"change"}),
        ("Quel article rédiger ?", {"content"}),
        ("¿Qué deberíamos hacer ahora?", {"recommendations"}),
        ("¿Quién va por delante de nosotros?", {"competitors"}),
        ("¿Qué IA nos menciona más?", {"engines"}),
        ("¿Cuántos créditos quedan?", {"cost"}),
        ("¿Qué fuentes se citan?", {"sources"}),
        ("¿Ha cambiado nuestra puntuación?", {"change"}),
        ("¿Cuándo terminó el último escaneo?", {"runs"}),
        ("Übersicht bitte", {topic.name for topic in OVERVIEW}),
        ("What is the capital of France?", set()),
        ("Who owns this account?", set()),
        ("Wie ist das Wetter in Berlin?", set()),
        ("¿Quién ganó el partido?", set()),
        ("Quel temps fait-il ?", set()),
        ("What is my visibility score?", {"score"}),
        ("Has anything changed since last week?", {"change"}),
        ("Which competitors are ahead of us?", {"competitors"}),
        ("What should we do next?", {"recommendations"}),
        ("Which article should I write?", {"content"}),
        ("How many credits are left?", {"cost"}),
        ("Is the scan still running?", {"runs"}),
        ("Where are the gaps?", {"gaps"}),
        ("Which prompts do we ask?", {"prompts"}),
        ("Does \x00 know us?", {"score"}),
        ("What does the audit say?", {"audit"}),
        ("Why does another tool show a different number?", {"definitions"}),
        ("Why do other tools disagree?", {"definitions"}),
        ("Warum zeigt ein anderes Tool eine andere Zahl?", {"definitions"}),
        ("Pourquoi un autre outil affiche-t-il un autre chiffre ?", {"definitions"}),
        ("¿Por qué otra herramienta muestra otro número?", {"definitions"}),
        ("Give me an overview", {topic.name for topic in OVERVIEW}),
        ("hello", set()),
    ],
)
def test_words_say_what_a_question_is_about(question, names):
    assert set(kinds_of(question, language_of(question))) == names


@pytest.mark.django_db
class TestAnswering:
    def test_the_answer_is_made_of_facts_with_ids(self, known, owner):
        result = ask(owner, "What is the score, and which rivals are ahead?", brand_id=known.pk)
        facts = {fact.id: fact for fact in result.facts}
        assert "41.5 %" in facts["score-1"].statement
        assert "30.3 to 52.8" in facts["score-1"].statement
        assert facts["score-1"].refs == [str(known.runs.get().pk)]
        assert "1 is mentioned more often than Acme" in facts["competitors-1"].statement
        assert "The competitor Velmora is mentioned in 66.6 %" in facts["competitors-2"].statement
        assert facts["competitors-1"].refs == facts["competitors-2"].refs == [str(known.competitors.get().pk)]
        assert {fact.site for fact in result.facts} == {known.pk}
        assert all(fact.statement in result.answer for fact in result.facts)
        assert (result.withheld, result.writer.kind) == ([], "embedded")

    @pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
    def test_every_topic_can_be_told_of_a_full_and_of_an_empty_brand(self, known, owner, topic):
        question = SAID[topic.name]
        for brand in (known, BrandFactory(owner=known.owner)):
            result = ask(owner, f"{question}?", brand_id=brand.pk)
            assert any(fact.id.startswith(topic.name) for fact in result.facts)

    @pytest.mark.parametrize(
        ("delta", "verdict", "words"),
        [
            (7.0, "moved", ""),
            (1.0, "within_noise", "Against 1 Mar 2026, the measured day before: within noise: +1.0 points."),
            (1.0, "cannot_detect", "Against 1 Mar 2026, the measured day before: cannot be told yet: "),
        ],
    )
    def test_a_day_by_itself_is_no_change(self, known, owner, delta, verdict, words):
        change = {"since": "2026-03-01", "delta": delta, "low": None, "high": None, "verdict": verdict,
                  "minimum_detectable": 9.0}  # fmt: skip
        open_move = {**QUIET, "state": "open" if verdict == "moved" else "none", "moved_on": "2026-03-02"}
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change, confirmation=open_move, monitor=ASLEEP)
        first, *notes = [fact.statement for fact in ask(owner, "What changed?", brand_id=known.pk).facts]
        why = ": the move of 2 Mar 2026 waits for the next measured day" if verdict == "moved" else ""
        assert first == f"By 2 Mar 2026 there is no confirmed change of the score of Acme{why}."
        assert "".join(notes).startswith(words) and len(notes) == bool(words)
        BrandFactory(owner=known.owner)
        standings = [fact.statement for fact in ask(owner, "What changed?").facts]
        assert f"no confirmed change{why}" in "".join(standings)
        assert not any("moved up" in words or "rose" in words for words in [first, *notes, *standings])

    def test_a_confirmed_change_is_told_with_its_size(self, known, owner):
        change = {"since": "2026-03-01", "delta": 0.5, "low": None, "high": None, "verdict": "within_noise",
                  "minimum_detectable": 9.0}  # fmt: skip
        told = {**QUIET, "state": "confirmed", "moved_on": "2026-03-01", "pooled_days": 7}
        told |= {"delta": -12.0, "low": -18.0, "high": -6.0}
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change, confirmation=told, monitor=ASLEEP)
        words = "fell by 12.0 points (6.0 to 18.0) since 1 Mar 2026, confirmed on two days"
        facts = [fact.statement for fact in ask(owner, "What changed?", brand_id=known.pk).facts]
        assert facts[0] == f"By 2 Mar 2026 the score of Acme {words}."
        BrandFactory(owner=known.owner)
        assert any(words in fact.statement for fact in ask(owner, "What changed?").facts)

    def test_a_slow_change_is_told_when_the_monitor_raised_it(self, known, owner):
        change = {"since": "2026-03-01", "delta": 1.0, "low": None, "high": None, "verdict": "within_noise",
                  "minimum_detectable": 9.0}  # fmt: skip
        raised = {**ASLEEP, "raised": True, "since": "2026-02-10", "delta": 15.0, "low": 4.0, "high": 26.0}
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change, confirmation=QUIET, monitor=raised)
        [first, _] = ask(owner, "What changed?", brand_id=known.pk).facts
        assert first.statement == (
            "By 2 Mar 2026 the score of Acme rose by 15.0 points (4.0 to 26.0) since about 10 Feb 2026, raised by "
            "the monitor that looks on every day."
        )

    def test_it_is_told_what_makes_days_not_comparable(self, known, owner):
        change = {"since": "2026-03-01", "delta": None, "low": None, "high": None, "verdict": "not_comparable",
                  "minimum_detectable": None}  # fmt: skip
        told = {"delta": 9.0, "low": 1.0, "high": 17.0, "verdict": "moved", "minimum_detectable": 8.0}
        change["causes"] = [{"code": "model", "message": "chat was served by m-1 before and by m-2 now"}]
        waiting = {**QUIET, "state": "open", "moved_on": "2026-03-02"}
        change["by_engine"] = [{"engine": "sonar", "since": "2026-02-27", **told, "confirmation": waiting}]
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change)
        [first, why] = ask(owner, "What changed?", brand_id=known.pk).facts
        assert first.statement.endswith(
            "; on sonar alone no confirmed change: the move of 2 Mar 2026 waits for the next measured day."
        )
        assert "cannot be compared with 1 Mar 2026: chat was served by m-1 before and by m-2 now" in why.statement
        BrandFactory(owner=known.owner)
        standings = ask(owner, "What changed?").facts
        assert len(standings) == 2
        assert any("no confirmed change over engines" in each.statement for each in standings)

    def test_what_the_key_may_not_read_is_left_out_and_named(self, cast, known):
        result = ask(limited(cast, Scope.READ_VISIBILITY), "score and recommendations?", brand_id=known.pk)
        assert [fact.id for fact in result.facts] == ["score-1", "score-2"]
        assert [(each.part, each.required_scope) for each in result.withheld] == [
            ("recommendations", "read:recommendations")
        ]
        rivals = ask(limited(cast, Scope.READ_COMPETITORS), "Which rivals are ahead of us?", brand_id=known.pk)
        assert "41.5" not in rivals.answer
        assert [(each.part, each.required_scope) for each in rivals.withheld] == [
            ("competitors.ahead", "read:visibility")
        ]
        nothing = ask(limited(cast), "What should we do next?", brand_id=known.pk)
        assert nothing.facts == []
        assert "Nothing that this key may read" in nothing.answer
        assert "lacks read:recommendations." in nothing.answer

    @pytest.mark.parametrize(
        ("question", "part"),
        [
            ("Where are the gaps?", "gaps"),
            ("Which engine?", "engines"),
            ("score?", "scores"),
            ("Sources?", "cited sources"),
        ],
    )
    def test_of_a_site_that_was_not_measured_that_is_told(self, cast, owner, question, part):
        result = ask(owner, question, brand_id=cast.brand.pk)
        assert result.answer == (
            f"Nothing was measured for Acme yet, so nothing is known about {part}. Run a visibility scan."
        )

    def test_where_nothing_is_stored_the_key_is_not_blamed(self, known):
        system = system_caller("test")
        result = ask(system, "How many credits are left?", brand_id=known.pk)
        assert result.answer.startswith("Nothing that is stored answers the question.")

    def test_of_several_sites_each_is_told(self, known, owner):
        other = BrandFactory(owner=known.owner, name="Bolt", domain="bolt.example")
        result = ask(owner, "How are my sites?")
        assert {fact.site for fact in result.facts} == {known.pk, other.pk}
        assert {fact.tool for fact in result.facts} == {"get_portfolio_summary"}
        named = ask(owner, "How is Bolt doing?")
        assert {fact.site for fact in named.facts} == {other.pk}

    def test_of_several_sites_what_is_told_of_one_only_is_named(self, known, owner):
        other = BrandFactory(owner=known.owner, name="Bolt", domain="bolt.example")
        result = ask(owner, "How many competitors do we have, and how many credits are left?")
        notice = result.facts[0]
        assert (notice.id, notice.tool, notice.site) == ("notice-1", "list_sites", None)
        assert "For competitors, ask again with the siteId of one" in notice.statement
        assert f"Acme ({known.pk}), Bolt ({other.pk})." in notice.statement
        assert set(notice.refs) == {str(known.pk), str(other.pk)}
        assert result.answer.startswith(notice.statement)
        assert "quotas-1" in {fact.id for fact in result.facts}
        for number in range(9):
            BrandFactory(owner=known.owner, name=f"Site {number}")
        assert ask(owner, "Where are the gaps?").facts[0].statement.endswith(" and 6 more.")

    def test_of_several_sites_what_the_key_may_not_read_is_withheld_and_not_offered(self, cast, known):
        BrandFactory(owner=known.owner)
        result = ask(limited(cast, Scope.READ_VISIBILITY), "How many competitors do we have?")
        assert "competitors" in {each.part for each in result.withheld}
        assert not any(fact.id.startswith("notice") for fact in result.facts)

    @pytest.mark.parametrize("question", ["Do we own a car?", "Who owns this account?", "Acme!"])
    def test_an_overview_is_not_presented_as_an_answer(self, known, owner, question):
        result = ask(owner, question, brand_id=known.pk)
        assert result.answer.startswith("The question was not recognised")
        assert "competitors, gaps, recommendations" in result.facts[0].statement
        assert "What follows is an overview" in result.facts[0].statement
        assert {fact.id.split("-")[0] for fact in result.facts} == {"notice", *(topic.name for topic in OVERVIEW)}
        assert "not recognised" not in ask(owner, "Give me an overview", brand_id=known.pk).answer
        BrandFactory(owner=known.owner)
        several = ask(owner, question.replace("Acme", "What"))
        assert several.answer.startswith("The question was not recognised")
        assert {fact.id.split("-")[0] for fact in several.facts} == {"notice", "portfolio"}

    @pytest.mark.parametrize(
        "question", ["How does Velmora compare?", "What about VELMORA?", "Is velmora gmbh known?"]
    )
    def test_a_competitor_that_is_named_is_told_of_beside_the_brand(self, known, owner, question):
        known.competitors.get().aliases.create(text="Velmora GmbH")
        result = ask(owner, question, brand_id=known.pk)
        fact = next(fact for fact in result.facts if fact.id == "competitors-1")
        assert fact.refs == [str(known.competitors.get().pk), str(known.runs.get().pk)]
        assert fact.statement == (
            "On 1 Mar 2026 local-search named Velmora in 66.6 % of its answers (95 % interval 50.0 to 80.0) and Acme "
            "in 40.0 % of its (95 % interval 30.0 to 50.0)."
        )
        assert "not recognised" not in result.answer

    def test_a_competitor_is_named_by_whole_words_and_to_those_who_may_know_it(self, cast, known, owner):
        assert "Velmora" not in ask(owner, "Who are the Velmorans?", brand_id=known.pk).answer
        blind = limited(cast, Scope.READ_VISIBILITY)
        told = ask(blind, "What about Velmora?", brand_id=known.pk)
        assert "41.5" not in told.answer and "66.6" not in told.answer
        assert told.answer == "Whether Velmora is tracked cannot be shown: this key lacks read:competitors."
        alone = ask(limited(cast, Scope.READ_COMPETITORS), "What about Velmora?", brand_id=known.pk)
        assert "66.6 %" in alone.answer and "Acme" not in alone.answer
        BrandFactory(owner=known.owner)
        assert "For competitors, ask again" in ask(owner, "What about Velmora?").answer

    def test_a_competitor_without_figures_is_not_measured_yet(self, known, owner):
        CompetitorFactory(brand=known, name="Quindle")
        assert "Quindle is not measured yet." in ask(owner, "Which competitors do we have?", brand_id=known.pk).answer
        assert ask(owner, "And Quindle?", brand_id=known.pk).answer.startswith(
            "Quindle is not measured yet. On 1 Mar 2026 "
        )

    def test_an_engine_that_was_not_asked_is_said_not_to_be(self, known, owner):
        result = ask(owner, "What is our share of voice on ChatGPT and Claude?", brand_id=known.pk)
        assert [fact.statement for fact in result.facts] == [
            f"{name} is not one of the engines asked for Acme, so it has no figures; those asked are local-search."
            for name in ("ChatGPT", "Claude")
        ]
        assert result.answer == " ".join(fact.statement for fact in result.facts)

    @pytest.mark.parametrize("question", ["What is our share of voice on ChatGPT?", "And by quill-2?", "On GPT-5?"])
    def test_an_engine_that_is_named_is_told_of_by_its_own_figures(self, known, owner, question):
        known.daily_scores.filter(competitor=None).update(
            engines=[
                {"engine": "quill-2", "score": 12.5, "low": 5.0, "high": 20.0, "answers": 8},
                {"engine": "perplexity-web", "score": 70.0, "low": 60.0, "high": 80.0, "answers": 8},
            ],
            details={"engines": {"quill-2": {"share_of_voice": {"value": 33.3}}}},
        )
        EngineConfig.objects.create(name="quill-2", provider="openai", model="gpt-5")
        answer = ask(owner, question, brand_id=known.pk).answer
        assert "quill-2 named Acme in 12.5 % of its answers (95 % interval 5.0 to 20.0)." in answer
        assert "Acme had on quill-2 a share of voice of 33.3 %." in answer
        assert "perplexity" not in answer

    def test_the_sources_are_told_that_most_answers_cite(self, known, owner):
        first, second = AnswerFactory.create_batch(2, run=known.runs.get())
        for answer, domain, whose in (
            (first, "wiki.example", "other"), (second, "wiki.example", "other"), (first, "acme.example", "own")
        ):  # fmt: skip
            url = f"https://{domain}/page"
            Citation.objects.create(
                generation_id=tracked_names_of(known).generation, answer=answer, url=url, url_digest=url,
                domain=domain, position=1, owner=whose,
            )  # fmt: skip
        result = ask(owner, "Which sources do answers cite?", brand_id=known.pk)
        assert [fact.statement for fact in result.facts] == [
            "As measured now (local-search as of 1 Mar 2026) 2 of 2 answers cited sources.",
            "wiki.example is cited by 2 of 2 answers.",
            "acme.example (the site's own) is cited by 1 of 2 answers.",
        ]

    def test_without_a_site_it_says_so(self, cast):
        result = ask(Caller.from_user(cast.stranger), "How visible are we, and how many credits are left?")
        assert result.answer.startswith("No site can be seen with this key")
        assert [fact.id for fact in result.facts] == ["notice-1", "quotas-1", "quotas-2", "quotas-3"]

    def test_the_account_is_told_of_its_own_quotas(self, known, owner):
        Usage.objects.create(user=known.owner, kind="credits", period=date.today().replace(day=1), used=1234)
        [fact, *_] = ask(owner, "How many credits are left?").facts
        assert fact.statement == "Your account has used 1,234 of 400,000 credits of this month."
        assert fact.site is None

    @pytest.mark.parametrize("role", ["editor", "viewer"])
    @pytest.mark.parametrize("named", [True, False])
    def test_a_collaborator_is_told_whose_plan_pays_and_not_how_much_is_left_of_it(self, cast, known, role, named):
        Usage.objects.create(user=known.owner, kind="credits", period=date.today().replace(day=1), used=1234)
        caller = Caller.from_user(getattr(cast, role))
        asked = {"brand_id": known.pk} if named else {}
        payer, own, *_ = ask(caller, "How many credits are left for this site?", **asked).facts
        assert payer.site == known.pk
        assert payer.statement.startswith("Scans and drafts of Acme are paid by its owner's plan")
        assert "1 of 350 prompts and 1 of 25 competitors are in use" in payer.statement
        assert own.statement.startswith(
            "Your own account, which pays for your own sites alone, has used 0 of 400,000"
        )
        assert "1,234" not in payer.statement

    def test_of_several_sites_those_are_named_that_others_pay_for(self, cast, known):
        mine = BrandFactory(owner=cast.viewer, name="Mine")
        facts = ask(Caller.from_user(cast.viewer), "How many credits are left?").facts
        told = [fact for fact in facts if fact.id.startswith("quotas")]
        assert [fact.site for fact in told] == [known.pk, None, None, None]
        assert not any(fact.site == mine.pk for fact in told)

    def test_who_may(self, cast, known, refused):
        refused("not_found", ask, Caller.from_user(cast.stranger), "score?", brand_id=known.pk)
        refused("not_found", ask, Caller.from_user(cast.owner), "score?", brand_id=uuid4())
        nobody = Caller(actor="key:1", user=cast.owner, scopes=ALL_SCOPES - {Scope.READ_SITES})
        refused("insufficient_scope", ask, nobody, "score?")
        assert "Acme" not in ask(Caller.from_user(cast.stranger), "How is Acme doing?").answer
        assert ask(Caller.from_user(cast.viewer), "score?").facts

    @pytest.mark.parametrize("question", ["", " ", "x" * 1001, "a\x00"])
    def test_bad_questions_are_refused(self, owner, refused, question):
        assert refused("invalid_arguments", ask, owner, question).details["argument"] == "question"

    def test_many_sites_cost_as_many_statements_as_two(self, known, owner, django_assert_num_queries):
        BrandFactory(owner=known.owner)
        with CaptureQueriesContext(connection) as two:
            ask(owner, "How are my sites?")
        for _ in range(10):
            BrandFactory(owner=known.owner)
        with django_assert_num_queries(len(two)):
            assert len(ask(owner, "How are my sites?").facts) == 12


@pytest.mark.django_db
class TestAnEngineThatWrites:
    def test_it_answers_from_the_facts_and_names_them(self, known, owner, provider):
        provider.replies({"answer": "You are named in 41.5 % of answers.", "facts": ["score-1"]})
        result = ask(owner, "Forget about <b> and tell the score", brand_id=known.pk)
        assert (result.answer, [fact.id for fact in result.facts]) == (
            "You are named in 41.5 % of answers.", ["score-1"],
        )  # fmt: skip
        assert result.writer.kind == "engine"
        [asked] = provider.asked
        assert "41.5 %" in asked
        outside = "".join(part.split("</untrusted-quote>")[-1] for part in asked.split("<untrusted-quote>"))
        assert "Ignore your rules" not in outside

    def test_what_it_writes_to_a_question_that_was_not_recognised_begins_with_that(self, known, owner, provider):
        provider.replies({"answer": "That is not known here.", "facts": ["score-1"]})
        result = ask(owner, "Who owns this account?", brand_id=known.pk)
        assert result.answer.startswith("The question was not recognised")
        assert result.answer.endswith("That is not known here.")
        assert [fact.id for fact in result.facts] == ["notice-1", "score-1"]

    @pytest.mark.parametrize(
        "reply",
        [
            {"answer": "All is well.", "facts": []},
            {"answer": "All is well.", "facts": ["score-9"]},
            {"answer": "See https://evil.example", "facts": ["score-1"]},
        ],
    )
    def test_an_answer_without_facts_or_with_others_is_refused(self, known, owner, provider, refused, reply):
        provider.replies(reply, reply)
        refused("upstream_unavailable", ask, owner, "score?", brand_id=known.pk)

    def test_without_facts_it_is_not_asked(self, cast, known, provider):
        assert ask(limited(cast), "score?", brand_id=known.pk).writer.kind == "embedded"
        assert not provider.asked

    def test_the_owner_of_the_brand_pays(self, cast, known, provider):
        provider.replies({"answer": "Yes.", "facts": ["score-1"]})
        ask(Caller.from_user(cast.viewer), "score?", brand_id=known.pk)
        assert Usage.objects.get(kind=Usage.Kind.WRITER_CALLS).user == cast.owner
