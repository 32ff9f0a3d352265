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
    ChangeRecordFactory,
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
from visibility.services.ask.types import Kind

QUIET = {"state": "none", "moved_on": None, "pooled_days": 0, "delta": None, "low": None, "high": None}
ASLEEP = {"raised": False, "looks": 9, "since": None, "delta": None, "low": None, "high": None}


OVERVIEW = {"score", "change", "recommendations"}
SAID = {
    Kind.SCORE: "How visible are we?",
    Kind.CHANGE: "What changed?",
    Kind.ENGINES: "Which engine names us most?",
    Kind.TOPICS: "What are our weakest topics?",
    Kind.COMPETITORS: "Which competitors are ahead of us?",
    Kind.GAPS: "Where are the gaps?",
    Kind.SOURCES: "Which sources do answers cite?",
    Kind.ABSENT_SOURCES: "Which sources are we absent from?",
    Kind.CRITERIA: "By which criteria do answers judge?",
    Kind.CLAIMS: "Do the engines support our claims?",
    Kind.THEMES: "What do reviews say about us?",
    Kind.VOICE: "What is our tone of voice?",
    Kind.RECOMMENDATIONS: "What should we do next?",
    Kind.PROGRESS: "Which recommendations are done?",
    Kind.PROOFS: "Did it help?",
    Kind.CONTENT: "What should we write?",
    Kind.PROMPTS: "Which prompts do we ask?",
    Kind.SURE: "How sure is the score?",
    Kind.RUNS: "Is the scan still running?",
    Kind.NEXT_SCAN: "When is the next scan?",
    Kind.COST: "What does a scan cost?",
    Kind.QUOTAS: "Which plan do we have?",
    Kind.AUDIT: "What does the audit say?",
    Kind.DEFINITIONS: "Why do other tools disagree?",
    Kind.SITES: "Which sites do I have?",
}
"""A question of each kind."""


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
        ("Übersicht bitte", OVERVIEW),
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
        ("Give me an overview", OVERVIEW),
        ("hello", set()),
    ],
)
def test_words_say_what_a_question_is_about(question, names):
    assert set(kinds_of(question, language_of(question))) == names


@pytest.mark.django_db
class TestAnswering:
    def test_the_first_fact_answers_with_the_figure(self, known, owner):
        result = ask(owner, "What is the score, and which rivals are ahead?", brand_id=known.pk)
        facts = {fact.id: fact for fact in result.facts}
        score = facts["score-1"]
        assert score.values == {
            "subject": "Acme", "score": 41.5, "low": 30.25, "high": 52.75, "day": "2026-03-01",
        }  # fmt: skip
        assert score.refs == [str(known.runs.get().pk)]
        assert result.answer.startswith(score.statement) and "41.5 %" in score.statement
        ranking = facts["competitors-1"]
        assert (ranking.values["subject"], ranking.values["rank"], ranking.values["count"]) == ("Acme", 2, 2)
        assert [(row["subject"], row["score"]) for row in ranking.values["ahead"]] == [("Velmora", 66.6)]
        assert ranking.refs == [str(known.competitors.get().pk), str(known.runs.get().pk)]
        assert {fact.site for fact in result.facts} == {known.pk}
        assert (result.withheld, result.writer.kind, result.language) == ([], "embedded", "en")

    @pytest.mark.parametrize("kind", Kind)
    def test_every_kind_is_told_of_a_full_and_of_an_empty_brand(self, known, owner, kind):
        assert set(SAID) == set(Kind)
        for brand in (known, BrandFactory(owner=known.owner)):
            result = ask(owner, SAID[kind], brand_id=brand.pk)
            told = [fact for fact in result.facts if fact.id.startswith(f"{kind}-")]
            assert told, result.answer
            assert result.answer.startswith(told[0].statement)

    @pytest.mark.parametrize("language", ["de", "fr", "es"])
    def test_the_answer_is_in_the_language_of_the_question(self, known, owner, language):
        question = {
            "de": "Wie sichtbar sind wir?",
            "fr": "Quelle est notre visibilité ?",
            "es": "¿Qué visibilidad tenemos?",
        }
        result = ask(owner, question[language], brand_id=known.pk)
        assert result.language == language
        assert "41,5 %" in result.answer and "is named" not in result.answer
        assert result.facts[0].values["score"] == 41.5

    @pytest.mark.parametrize(
        ("delta", "verdict", "told"),
        [
            (7.0, "moved", "open"),
            (1.0, "within_noise", "none"),
            (1.0, "cannot_detect", "none"),
        ],
    )
    def test_a_day_by_itself_is_no_change(self, known, owner, delta, verdict, told):
        change = {"since": "2026-03-01", "delta": delta, "low": None, "high": None, "verdict": verdict,
                  "minimum_detectable": 9.0}  # fmt: skip
        open_move = {**QUIET, "state": "open" if verdict == "moved" else "none", "moved_on": "2026-03-02"}
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change, confirmation=open_move, monitor=ASLEEP)
        first, *notes = [fact.values for fact in ask(owner, "What changed?", brand_id=known.pk).facts]
        assert (first["verdict"], first["day"], "delta" in first) == (told, "2026-03-02", False)
        assert [note["verdict"] for note in notes if "verdict" in note] == ([] if verdict == "moved" else [verdict])
        BrandFactory(owner=known.owner)
        standings = [fact.values for fact in ask(owner, "What changed?").facts]
        assert "steady" in [values.get("changed") for values in standings]

    @pytest.mark.parametrize("known_by", ["confirmed", "monitor"])
    def test_a_change_is_told_by_its_record(self, known, owner, known_by):
        change = {"since": "2026-03-01", "delta": 0.5, "low": None, "high": None, "verdict": "within_noise",
                  "minimum_detectable": 9.0}  # fmt: skip
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change, confirmation=QUIET, monitor=ASLEEP)
        ChangeRecordFactory(
            brand=known, known_by=known_by, known_on=date(2026, 3, 2), delta=-12.0, low=-18.0, high=-6.0, after=49.3
        )
        [first] = ask(owner, "What changed?", brand_id=known.pk).facts
        assert first.values == {
            "subject": "Acme", "day": "2026-03-02", "direction": "fell", "verdict": known_by, "state": "holds",
            "delta": -12.0, "size": 12.0, "low": 6.0, "high": 18.0, "since": "2026-02-28", "knownOn": "2026-03-02",
            "before": 61.3, "beforeFirst": "2026-02-21", "beforeLast": "2026-02-27", "after": 49.3,
            "afterDay": "2026-03-02", "stateSince": "2026-02-28",
        }  # fmt: skip
        when, how = (
            ("on", "confirmed on") if known_by == "confirmed" else ("since about", "found by daily monitoring on")
        )
        assert first.statement == (
            f"The score of Acme fell by 12.0 points (6.0 to 18.0) {when} 28 Feb 2026: from 61.3 % (mean of 21 Feb "
            f"2026 to 27 Feb 2026) to 49.3 % on 2 Mar 2026; {how} 2 Mar 2026, still holds."
        )
        BrandFactory(owner=known.owner)
        assert any(fact.values.get("changed") == "changed" for fact in ask(owner, "What changed?").facts)

    def test_a_period_has_what_was_told_in_it(self, known, owner):
        change = {"since": "2026-03-01", "delta": 0.5, "low": None, "high": None, "verdict": "within_noise",
                  "minimum_detectable": 9.0}  # fmt: skip
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change)
        DailyScoreFactory(brand=known, date=date(2026, 1, 21))
        ChangeRecordFactory(brand=known, known_on=date(2026, 1, 21))
        facts = [fact.values for fact in ask(owner, "What changed in January 2026?", brand_id=known.pk).facts]
        assert [(values["delta"], values["since"]) for values in facts if "delta" in values] == [
            (-37.1, "2026-01-19")
        ]

    def test_it_is_told_what_makes_days_not_comparable(self, known, owner):
        change = {"since": "2026-03-01", "delta": None, "low": None, "high": None, "verdict": "not_comparable",
                  "minimum_detectable": None}  # fmt: skip
        change["causes"] = [{"code": "model", "message": "chat was served by m-1 before and by m-2 now"}]
        DailyScoreFactory(brand=known, date=date(2026, 3, 2), change=change)
        facts = [fact.values for fact in ask(owner, "What changed?", brand_id=known.pk).facts]
        assert facts[0]["verdict"] == "not_comparable"
        assert {"subject": "Acme", "since": "2026-03-01", "verdict": "not_comparable", "causes": ["model"]} in facts

    def test_what_the_key_may_not_read_is_left_out_and_named(self, cast, known):
        result = ask(limited(cast, Scope.READ_VISIBILITY), "score and recommendations?", brand_id=known.pk)
        assert {fact.id.split("-")[0] for fact in result.facts} == {"score"}
        assert [(each.part, each.required_scope) for each in result.withheld] == [
            ("recommendations", "read:recommendations")
        ]
        assert "lacks read:recommendations, so nothing is told of recommendations." in result.answer
        rivals = ask(limited(cast, Scope.READ_COMPETITORS), "Which rivals are ahead of us?", brand_id=known.pk)
        assert "41.5" not in rivals.answer and "Acme" not in str([fact.values for fact in rivals.facts])
        assert [(each.part, each.required_scope) for each in rivals.withheld] == [
            ("competitors.ahead", "read:visibility")
        ]
        nothing = ask(limited(cast), "What should we do next?", brand_id=known.pk)
        assert nothing.facts == []
        assert nothing.answer == "This key lacks read:recommendations, so nothing is told of recommendations."

    @pytest.mark.parametrize(
        "question", ["Where are the gaps?", "Which engine names us most?", "score?", "Which sources do answers cite?"]
    )
    def test_of_a_site_that_was_not_measured_that_is_told(self, cast, owner, question):
        result = ask(owner, question, brand_id=cast.brand.pk)
        assert result.facts[0].statement == "Nothing is measured for Acme yet."
        assert (result.next_step.tool, result.next_step.arguments) == (
            "svc_run_visibility_scan", {"siteId": str(cast.brand.pk)},
        )  # fmt: skip

    def test_where_nothing_is_stored_the_key_is_not_blamed(self, known):
        system = system_caller("test")
        assert (
            ask(system, "Which plan do we have?", brand_id=known.pk).answer == "Nothing that is stored answers this."
        )

    def test_of_several_sites_each_is_told(self, known, owner):
        other = BrandFactory(owner=known.owner, name="Bolt", domain="bolt.example")
        result = ask(owner, "How are my sites?")
        assert {fact.site for fact in result.facts} == {known.pk, other.pk}
        assert {fact.tool for fact in result.facts} == {"get_portfolio_summary"}
        named = ask(owner, "How is Bolt doing?")
        assert {fact.site for fact in named.facts} == {other.pk}

    def test_all_sites_are_named_where_one_is_given(self, known, owner):
        other = BrandFactory(owner=known.owner, name="Bolt", domain="bolt.example")
        first, *rest = ask(owner, SAID[Kind.SITES], brand_id=known.pk).facts
        assert set(first.refs) == {str(known.pk), str(other.pk)} and first.values["count"] == 2
        assert [fact.site for fact in rest] == [known.pk, other.pk]

    def test_of_several_sites_what_is_told_of_one_only_is_named(self, known, owner):
        other = BrandFactory(owner=known.owner, name="Bolt", domain="bolt.example")
        result = ask(owner, "Which competitors do we have, and which plan do we have?")
        notice = result.facts[0]
        assert (notice.id, notice.tool, notice.site) == ("notice-1", "list_sites", None)
        assert notice.values == {"kinds": ["competitors"], "sites": ["Acme", "Bolt"]}
        assert set(notice.refs) == {str(known.pk), str(other.pk)}
        assert result.answer.startswith(notice.statement)
        assert "quotas-1" in {fact.id for fact in result.facts}
        assert result.next_step.tool == "svc_list_sites"

    def test_of_several_sites_what_the_key_may_not_read_is_withheld_and_not_offered(self, cast, known):
        BrandFactory(owner=known.owner)
        result = ask(limited(cast, Scope.READ_VISIBILITY), "Which competitors do we have?")
        assert "competitors" in {each.part for each in result.withheld}
        assert not any(fact.id.startswith("notice") for fact in result.facts)

    @pytest.mark.parametrize("question", ["Who owns this account?", "Acme!", "hello"])
    def test_what_is_not_understood_gets_one_sentence_and_no_figure(self, known, owner, question):
        result = ask(owner, question, brand_id=known.pk)
        assert result.facts == []
        assert result.answer.startswith("The question was not understood")
        assert result.next_step.tool == "svc_get_site_brief"
        overview = ask(owner, "Give me an overview", brand_id=known.pk)
        assert {fact.id.split("-")[0] for fact in overview.facts} == OVERVIEW
        BrandFactory(owner=known.owner)
        assert ask(owner, "hello").next_step.tool == "svc_list_sites"

    @pytest.mark.parametrize(
        "question", ["How does Velmora compare?", "What about VELMORA?", "Is velmora gmbh known?"]
    )
    def test_a_competitor_that_is_named_is_told_of_first(self, known, owner, question):
        known.competitors.get().aliases.create(text="Velmora GmbH")
        result = ask(owner, question, brand_id=known.pk)
        first = next(fact for fact in result.facts if fact.id == "competitors-1")
        assert first.refs == [str(known.competitors.get().pk), str(known.runs.get().pk)]
        assert (first.values["subject"], first.values["score"]) == ("Velmora", 66.6)
        assert [(row["subject"], row["score"]) for row in first.values["others"]] == [("Acme", 40.0)]

    def test_a_competitor_is_named_by_whole_words_and_to_those_who_may_know_it(self, cast, known, owner):
        assert "66.6" not in ask(owner, "Who are the Velmorans?", brand_id=known.pk).answer
        blind = limited(cast, Scope.READ_VISIBILITY)
        told = ask(blind, "What about Velmora?", brand_id=known.pk)
        assert "41.5" not in told.answer and "66.6" not in told.answer
        assert told.answer == "Whether Velmora is tracked cannot be shown: this key lacks read:competitors."
        alone = ask(limited(cast, Scope.READ_COMPETITORS), "What about Velmora?", brand_id=known.pk)
        assert "66.6 %" in alone.answer and "Acme" not in alone.answer
        BrandFactory(owner=known.owner)
        assert ask(owner, "What about Velmora?").facts[0].values["kinds"] == ["competitors"]

    def test_a_competitor_without_figures_is_not_measured_yet(self, known, owner):
        CompetitorFactory(brand=known, name="Quindle")
        result = ask(owner, "Which competitors do we have?", brand_id=known.pk)
        assert {"subject": "Quindle"} in [fact.values for fact in result.facts]
        assert "Quindle is not measured yet." in ask(owner, "And Quindle?", brand_id=known.pk).answer

    def test_an_engine_that_was_not_asked_is_said_not_to_be(self, known, owner):
        result = ask(owner, "What is our share of voice on ChatGPT and Claude?", brand_id=known.pk)
        assert [fact.values for fact in result.facts] == [
            {"engine": name, "engines": ["local-search"], "subject": "Acme"} for name in ("ChatGPT", "Claude")
        ]
        assert result.next_step.tool == "svc_get_visibility_scores"

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
        facts = ask(owner, question, brand_id=known.pk).facts
        by_figure = {
            name: fact.values[name] for fact in facts for name in ("score", "shareOfVoice") if name in fact.values
        }
        assert by_figure == {"score": 12.5, "shareOfVoice": 33.3}
        assert {fact.values["engine"] for fact in facts} == {"quill-2"}

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
        first, *sources = ask(owner, "Which sources do answers cite?", brand_id=known.pk).facts
        assert (first.values["citing"], first.values["answers"], first.values["top"]) == (2, 2, "wiki.example")
        assert [(fact.values["domain"], fact.values["answers"]) for fact in sources] == [
            ("wiki.example", 2), ("acme.example", 1),
        ]  # fmt: skip

    def test_without_a_site_it_says_so(self, cast):
        result = ask(Caller.from_user(cast.stranger), "How visible are we, and which plan do we have?")
        assert result.answer.startswith("No site can be seen with this key")
        assert [fact.id for fact in result.facts] == ["notice-1", "quotas-1", "quotas-2", "quotas-3"]

    def test_the_account_is_told_of_its_own_quotas(self, known, owner):
        Usage.objects.create(user=known.owner, kind="credits", period=date.today().replace(day=1), used=1234)
        [fact, *_] = ask(owner, "Which plan do we have?").facts
        assert fact.values == {"left": 398_766, "used": 1234, "limit": 400_000, "whose": "own", "credits": 398_766}
        assert "398,766 credits are left this month" in fact.statement
        assert fact.site is None

    @pytest.mark.parametrize("role", ["editor", "viewer"])
    @pytest.mark.parametrize("named", [True, False])
    def test_a_collaborator_is_told_whose_plan_pays_and_not_how_much_is_left_of_it(self, cast, known, role, named):
        Usage.objects.create(user=known.owner, kind="credits", period=date.today().replace(day=1), used=1234)
        caller = Caller.from_user(getattr(cast, role))
        asked = {"brand_id": known.pk} if named else {}
        payer, own, *_ = ask(caller, "Which plan pays for this site?", **asked).facts
        assert payer.site == known.pk
        assert payer.values == {
            "subject": "Acme", "credits": 0,
            "prompts": 1, "promptLimit": 350, "competitors": 1, "competitorLimit": 25,
        }  # fmt: skip
        assert (own.values["whose"], own.values["used"]) == ("own_beside_others", 0)
        assert "1,234" not in payer.statement

    def test_of_several_sites_those_are_named_that_others_pay_for(self, cast, known):
        mine = BrandFactory(owner=cast.viewer, name="Mine")
        facts = ask(Caller.from_user(cast.viewer), "Which plan do we have?").facts
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

    def test_it_is_not_asked_what_was_not_understood(self, known, owner, provider):
        assert ask(owner, "Who owns this account?", brand_id=known.pk).writer.kind == "embedded"
        assert not provider.asked

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
