"""Answers about one engine, one competitor, some prompts or some days, and about what is not known."""

import re
from datetime import date, timedelta

import orjson
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand
from tests.factories import (
    AnswerFactory,
    BrandFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
)
from tests.generations import tracked_names_of
from tests.writing.test_ask import SAID
from visibility.measured.topics import read_topics
from visibility.models import CompetitorSuggestion, EngineConfig, Mention, UntrackedName
from visibility.services.ask.answering import prepare_answer
from visibility.services.ask.gathering import MAX_FACTS
from visibility.services.ask.types import Kind

DAY = date(2026, 3, 1)


def ask(caller, question, **more):
    return prepare_answer(caller, question=question, **more)()


def told(caller, brand, question):
    """The values of the facts."""
    return [fact.values for fact in ask(caller, question, brand_id=brand.pk).facts]


def counted(rows):
    """Whom each fact or row names in how many of how many answers, by engine and topic."""
    return [
        (row.get("subject"), row.get("engine"), row.get("topic"), row["named"], row["answers"])
        for row in rows
        if "named" in row
    ]


def mention(answer, name, competitor=None):
    Mention.objects.create(
        generation_id=tracked_names_of(answer.brand).generation, answer=answer, competitor=competitor,
        start=0, end=len(name), text=name, rule="name",
    )  # fmt: skip


def measured(brand, day, engines, rivals=()):
    """A day on which each engine answered two prompts on bikes and two on locks twice: `engines` are how many of the
    answers on bikes, then on locks, name the brand."""
    run = RunFactory(brand=brand, done=1, total=1)
    prompts = {prompt.text: prompt for prompt in brand.prompts.all()}
    for text in ("best bike", "good bike", "best lock", "good lock"):
        if text not in prompts:
            prompts[text] = PromptFactory(brand=brand, text=text, topic=f"{text.split()[1]}s")
    for engine, (on_bikes, on_locks) in engines.items():
        for word, count in (("bike", on_bikes), ("lock", on_locks)):
            answers = [
                AnswerFactory(run=run, prompt=prompts[f"{kind} {word}"], engine=engine, sample=sample)
                for kind in ("best", "good")
                for sample in (1, 2)
            ]
            for answer in answers[:count]:
                mention(answer, brand.name)
    items = [
        {"engine": name, "score": 12.5 * sum(counts), "low": None, "high": None, "answers": 8}
        for name, counts in engines.items()
    ]
    for competitor in (None, *rivals):
        DailyScoreFactory(brand=brand, competitor=competitor, date=day, runs=[str(run.pk)], engines=items)
    return run


@pytest.fixture
def rival(cast):
    return CompetitorFactory(brand=cast.brand, name="Velmora")


@pytest.fixture
def known(cast, rival):
    """Two engines, the second last asked the day before; Velmora is named by one answer of each on locks."""
    for day, engines in (
        (DAY - timedelta(1), {"chatgpt": (4, 4), "google_ai_mode": (1, 0)}),
        (DAY, {"chatgpt": (3, 1)}),
    ):
        run = measured(cast.brand, day, engines, [rival])
        for engine in engines:
            answer = run.answers.filter(engine=engine, prompt__text="good lock").first()
            mention(answer, "Velmora", rival)
    return cast.brand


@pytest.mark.django_db
class TestNarrowed:
    def test_each_engine_has_the_figures_of_its_own_latest_day(self, known, owner):
        first, *engines = told(owner, known, "Which engine mentions us most?")
        assert (first["engine"], first["least"]) == ("chatgpt", "google_ai_mode")
        assert [(row["engine"], row["named"], row["answers"], row["score"], row["day"]) for row in engines] == [
            ("chatgpt", 4, 8, 50.0, "2026-03-01"), ("google_ai_mode", 1, 8, 12.5, "2026-02-28"),
        ]  # fmt: skip
        for row in (only := told(owner, known, "What about Google AI Mode?")):
            assert (row["engine"], row["day"]) == ("google_ai_mode", "2026-02-28")
        assert (only[0]["named"], only[0]["answers"]) == (1, 8)

    def test_an_engine_that_is_not_asked_here_is_unknown_and_nothing_else_is_told(self, known, owner):
        for question in ("How visible are we on Gemini?", "Are we named by GEMINI?", "Wie stehen wir bei Gemini?"):
            [values] = told(owner, known, question)
            assert values["engine"].casefold() == "gemini" and values["engines"] == ["chatgpt", "google_ai_mode"]
        first, second, *_ = told(owner, known, "ChatGPT and Gemini?")
        assert first["engine"] == "Gemini" and "named" not in first
        assert (second["engine"], second["named"]) == ("chatgpt", 4)

    def test_an_engine_of_several_is_ambiguous(self, known, owner):
        for name in ("quill", "quill-web"):
            EngineConfig.objects.create(name=name, provider="anthropic", model="claude-1", enabled=True)
        assert told(owner, known, "Does Claude name us?") == [{"engine": "Claude", "engines": ["quill", "quill-web"]}]
        [values] = told(owner, known, "Does quill-web name us?")
        assert values["engine"] == "quill-web" and "named" not in values

    def test_a_topic_narrows_figures_gaps_prompts_and_recommendations(self, known, owner):
        first, *engines = told(owner, known, "How visible are we for locks?")
        assert counted([first]) == [("Acme", None, "locks", 1, 8)]
        assert counted(engines) == [("Acme", "chatgpt", "locks", 1, 4), ("Acme", "google_ai_mode", "locks", 0, 4)]
        first, *_ = told(owner, known, "Which bike prompts miss us?")
        assert (first["never"], first["count"], first["topic"]) == (0, 2, "bikes")
        lock = known.prompts.get(text="best lock")
        about_locks = RecommendationFactory(brand=known, title="On locks", evidence=[
            {"kind": "answer", "text": "x", "engine": "chatgpt", "prompt_id": str(lock.pk)}
        ])  # fmt: skip
        RecommendationFactory(brand=known, title="On something else")
        [fact] = ask(owner, "What should we do about locks?", brand_id=known.pk).facts
        assert fact.refs == [str(about_locks.pk)]
        assert (fact.values["label"], fact.values["count"], fact.values["total"]) == ("On locks", 1, 2)

    def test_the_answer_says_what_is_not_narrowed_and_not_known(self, known, owner):
        *_, last = told(owner, known, "Has the score for locks changed?")
        assert last == {"kinds": ["change"], "place": ["locks"]}
        [unknown] = told(owner, known, "How visible are we for cameras?")
        assert (unknown["topic"], unknown["topics"]) == ("cameras", ["bikes", "locks"])
        step = ask(owner, "How visible are we for cameras?", brand_id=known.pk).next_step
        assert (step.tool, step.arguments["topic"]) == ("svc_generate_prompts", "cameras")
        assert {"names": ["ChatGPT"]} in told(owner, known, "How visible is Acme for locks except on ChatGPT?")

    def test_a_competitor_narrows_and_the_brand_stands_beside(self, known, owner, rival):
        [fact] = ask(owner, "How often does ChatGPT name VELMORA for locks?", brand_id=known.pk).facts
        assert counted([fact.values, *fact.values["others"]]) == [
            ("Velmora", "chatgpt", "locks", 1, 4), ("Acme", None, None, 1, 4),
        ]  # fmt: skip
        assert fact.values["verdict"] == "level"
        assert fact.refs[0] == str(rival.pk) and fact.tool == "list_competitors"

    def test_the_brand_comes_first_where_it_is_asked_for(self, known, owner, rival):
        result = ask(owner, "Are we ahead of Velmora on bikes?", brand_id=known.pk)
        first = result.facts[0].values
        assert (first["subject"], first["named"], first["answers"], first["verdict"]) == ("Acme", 4, 8, "ahead")
        assert result.answer.startswith(
            "Acme is named in 4 of 8 answers on “bikes”, Velmora in 0 of 8: Acme is ahead."
        )
        assert result.next_step.arguments["competitorIds"] == [str(rival.pk)]

    def test_where_a_competitor_leads_is_told_by_topic(self, known, owner):
        first, *rest = told(owner, known, "Where is Velmora ahead of us?")
        assert (first["count"], first["ahead"], first["behind"]) == (2, 1, 1)
        assert counted([rest[0], *rest[0]["others"]]) == [
            ("Acme", None, "locks", 1, 8), ("Velmora", None, None, 2, 8),
        ]  # fmt: skip
        assert told(owner, known, "Where are we ahead of Velmora?")[1]["topic"] == "bikes"

    def test_who_was_not_looked_for_has_no_figure(self, known, owner):
        CompetitorFactory(brand=known, name="Quindle")
        first, missing = told(owner, known, "How often does ChatGPT name Quindle for locks?")
        assert counted([first]) == [("Acme", "chatgpt", "locks", 1, 4)]
        assert missing == {"subject": "Quindle"}

    def test_prompts_that_name_a_subject_do_not_count_for_it(self, known, owner, rival):
        prompt = known.prompts.get(text="best lock")
        prompt.versions.update(text="is Velmora the best lock?")
        [values] = told(owner, known, "How often does ChatGPT name Velmora for locks?")
        assert [row[3:] for row in counted([values, *values["others"]])] == [(1, 2), (1, 4)]

    def test_days_narrow_and_days_without_a_measurement_are_named(self, known, owner):
        first = told(owner, known, "How visible were we on ChatGPT on 2026-02-28?")[0]
        assert (first["named"], first["answers"], first["score"], first["day"]) == (8, 8, 100.0, "2026-02-28")
        [values] = told(owner, known, "How visible were we in January 2025?")
        assert values == {
            "subject": "Acme", "begin": "2025-01-01", "end": "2025-01-31", "first": "2026-02-28", "day": "2026-03-01",
        }  # fmt: skip
        [values] = told(owner, known, "Did Google AI Mode name us on 2026-03-01?")
        assert (values["engine"], values["end"]) == (["google_ai_mode"], "2026-03-01")

    def test_many_days_are_told_as_one_sum_with_the_first_and_the_last(self, known, owner):
        for back in range(2, 5):
            measured(known, DAY - timedelta(back), {"chatgpt": (0, 1)})
        first, *days = told(owner, known, "How visible were we on ChatGPT since 2026-02-01?")
        assert (first["namedInAll"], first["answersInAll"], first["first"], first["day"]) == (
            15, 40, "2026-02-25", "2026-03-01",
        )  # fmt: skip
        assert [(row["day"], row["named"], row["answers"]) for row in days] == [
            ("2026-02-25", 1, 8), ("2026-03-01", 4, 8),
        ]  # fmt: skip

    def test_several_topics_are_told_as_one_sum_and_each(self, known, owner):
        first, *topics = told(owner, known, "How visible are we for locks and bikes?")
        assert (first["topic"], first["namedInAll"], first["answersInAll"]) == (["bikes", "locks"], 5, 16)
        assert {row["topic"]: (row["named"], row["answers"]) for row in topics} == {"bikes": (4, 8), "locks": (1, 8)}

    def test_answers_are_short(self, known, owner):
        RecommendationFactory.create_batch(9, brand=known)
        for question in (
            "What should we do?",
            "How visible are we, what changed, who is ahead and what should we do?",
        ):
            result = ask(owner, question, brand_id=known.pk)
            assert len(result.facts) <= MAX_FACTS
            assert len(result.answer.split()) <= 120

    def test_questions_cost_as_many_statements_however_many_answers(
        self, known, owner, django_assert_max_num_queries
    ):
        with django_assert_max_num_queries(44):
            told(owner, known, "How often do ChatGPT and Google AI Mode name Velmora and us for locks in 2026?")


@pytest.mark.django_db
@pytest.mark.parametrize("kind", Kind)
def test_a_kind_costs_as_many_statements_for_many_answers_as_for_few(known, owner, rival, kind):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            ask(owner, SAID[kind], brand_id=known.pk)
        return len(captured)

    statements()  # what is kept for the process is read once
    few = statements()
    run = known.runs.order_by("created_at").last()
    for number in range(6):
        prompt = PromptFactory(brand=known, text=f"which lock {number}?", topic="locks")
        for sample in (1, 2):
            mention(AnswerFactory(run=run, prompt=prompt, engine="chatgpt", sample=sample), "Velmora", rival)
        RecommendationFactory(brand=known)
    statements()  # what is kept of now is counted anew
    assert statements() <= few + 2
    assert few <= 70


@pytest.mark.django_db
class TestUnknown:
    def test_a_name_that_nobody_tracks_is_said_not_to_be(self, known, owner):
        for number in range(2):
            UntrackedName.objects.create(
                generation_id=tracked_names_of(known).generation, answer=known.answers.all()[number], lead="bose",
                name="Bose QuietComfort", start=0,
            )  # fmt: skip
        result = ask(owner, "How visible is Bose?", brand_id=known.pk)
        [fact] = result.facts
        assert fact.values == {"subject": "Bose", "named": 2, "answers": 24}
        assert (result.next_step.tool, result.next_step.arguments) == (
            "svc_add_competitor", {"siteId": str(known.pk), "name": "Bose"},
        )  # fmt: skip
        assert result.answer == f"{fact.statement} {result.cannot_know}"
        [values] = told(owner, known, "how visible is grundig?")
        assert values == {"subject": "grundig", "named": 0, "answers": 24}
        [values] = told(owner, known, "Is Velmorra ahead?")
        assert values == {"subject": "Velmorra", "like": "Velmora"}

    def test_a_suggested_competitor_is_added_with_its_domain(self, known, owner):
        CompetitorSuggestion.objects.create(
            brand=known, key="bose", name="Bose", domain="bose.example", answers=2, of_answers=24, prompts=1,
            first_seen=now(), last_seen=now(),
        )  # fmt: skip
        step = ask(owner, "How visible is Bose?", brand_id=known.pk).next_step
        assert step.arguments == {"siteId": str(known.pk), "name": "Bose", "domain": "bose.example"}

    def test_beside_a_tracked_name_the_unknown_one_comes_first(self, known, owner):
        first, second, *_ = told(owner, known, "Is Grundig named more often than Velmora by ChatGPT?")
        assert first["subject"] == "Grundig" and (second["subject"], second["engine"]) == ("Velmora", "chatgpt")

    def test_of_several_sites_an_unknown_name_has_no_figures_either(self, known, owner):
        BrandFactory(owner=known.owner)
        result = ask(owner, "How visible is Grundig?")
        assert [fact.values for fact in result.facts] == [{"subject": "Grundig"}]
        assert result.next_step.tool == "svc_list_sites"
        [notice] = ask(owner, "How visible is Velmora?").facts
        assert notice.values["kinds"] == ["competitors"]
        answer = ask(owner, "How visible are we on Gemini?")
        assert answer.facts[0].values == {"engine": "Gemini"} and "50.0" not in answer.answer

    def test_a_key_without_competitors_learns_nothing_of_names(self, cast, known):
        blind = Caller(actor="key:1", user=cast.owner, scopes=frozenset({Scope.READ_SITES, Scope.READ_VISIBILITY}))
        for name in ("Velmora", "Grundig"):
            assert told(blind, known, f"How visible is {name}?") == [{"subject": name, "scope": "read:competitors"}]

    @pytest.mark.parametrize(
        ("question", "tool"),
        [
            ("What does an Acme bike cost?", "get_prompt_detail"),
            ("Why does ChatGPT prefer Velmora?", "get_prompt_detail"),
            ("Will our score rise next month?", "get_visibility_scores"),
            ("How visible is my colleague's account?", "list_sites"),
            ("Write me an article about Acme", "generate_content_draft"),
            ("Start a scan of Acme", "run_visibility_scan"),
            ("Warum bevorzugt ChatGPT Velmora?", "get_prompt_detail"),
            ("What's the weather in Berlin?", "get_site_brief"),
        ],
    )
    def test_what_cannot_be_answered_is_refused_in_one_sentence_with_a_step(self, known, owner, question, tool):
        result = ask(owner, question, brand_id=known.pk)
        assert result.facts == [] and result.withheld == []
        assert result.next_step.tool == f"svc_{tool}"
        assert result.answer.endswith(result.cannot_know) is (tool != "get_site_brief")
        assert result.answer.removesuffix(result.cannot_know).strip().count(".") == 1

    def test_what_rests_on_no_answer_is_told_though_an_engine_is_unknown(self, known, owner):
        facts = ask(owner, "Is the scan of Gemini running?", brand_id=known.pk).facts
        assert [fact.id.split("-")[0] for fact in facts] == ["notice", "runs", "runs"]
        assert facts[0].values["engine"] == "Gemini"

    @pytest.mark.parametrize("question", ["a " * 499, "ünïcode \x01 " * 60, "Why " * 200, "X" * 1000, "'" * 900])
    def test_odd_questions_are_answered(self, known, owner, question):
        assert ask(owner, question.replace("\x01", "'")[:1000], brand_id=known.pk).answer


@pytest.mark.django_db
class TestTheEngineThatWrites:
    def test_it_is_told_what_was_said_and_only_what_is_meant(self, known, owner, provider):
        provider.replies({"answer": "1 of 4.", "facts": ["score-1"]})
        answer = ask(owner, "How visible are we and Grundig for locks on ChatGPT?", brand_id=known.pk).answer
        [asked] = provider.asked
        assert "Acme is named in 1 of 4 answers" in asked and "google_ai_mode" not in asked
        assert "neither repeat nor contradict it" in asked and asked.count("Grundig is not tracked") == 1
        assert answer.startswith("Grundig is not tracked") and answer.endswith("1 of 4.")

    @pytest.mark.parametrize("question", ["How visible is Grundig?", "Write a poem", "Are we on Gemini?"])
    def test_it_is_not_asked_what_is_not_answered(self, known, owner, provider, question):
        assert ask(owner, question, brand_id=known.pk).writer.kind == "embedded"
        assert not provider.asked


COUNTED = {
    "What is Sony's share of voice on Google AI Mode?": [("Sony", "google_ai_mode", "")],
    "Wie oft nennt ChatGPT Sony?": [("Sony", "chatgpt", "")],
    "How visible is Samsung?": [(n, e, "") for e in ("chatgpt", "google_ai_mode") for n in ("Samsung", "Sony")],
    "How do we compare with Samsung on TVs?": [
        (name, engine, "tv-55-inch-1000") for engine in ("chatgpt", "google_ai_mode") for name in ("Samsung", "Sony")
    ],
    "how often does google ai mode mention apple for laptops": [("Apple", "google_ai_mode", "laptop-general-1000")],
    "Comment sommes-nous placés pour les smartphones sur ChatGPT ?": [("Sony", "chatgpt", "smartphone-budget-600")],
    "How often is Sony recommended for running watches?": [("Sony", "chatgpt", "running-watch-400")],
}
"""Questions, and whose naming by which engine on which topic their answer must count as a plain count does."""


def plain_count(lines, name, engine, topic):
    """k and n of the answers of the engine's latest day in which the name stands as a word."""
    held = [line for line in lines if line["engine"] == engine and (not topic or line["topic"] == topic)]
    latest = max(line["time"][:10] for line in held)
    texts = [line["text"] for line in held if line["time"][:10] == latest]
    return sum(re.search(rf"\b{name}\b", text) is not None for text in texts), len(texts), date.fromisoformat(latest)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_figures_of_real_answers_are_those_of_a_plain_count(reference_data, subtests):
    file = reference_data / "real-answers" / "answers.jsonl"
    lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    user = UserFactory(email="demo@example.com")
    call_command(
        "import_answers", str(file), "--new-brand", "Sony", "sony.com", "--owner", user.email,
        "--competitor", "Apple", "apple.com", "--competitor", "Samsung", "samsung.com",
    )  # fmt: skip
    brand, caller = Brand.objects.get(domain="sony.com"), Caller.from_user(user)
    names = {topic.key: topic.name for topic in read_topics(brand.pk).topics}
    for question, expected in COUNTED.items():
        with subtests.test(question):
            rows = [row for values in told(caller, brand, question) for row in _rows(values)]
            for name, engine, topic in expected:
                k, n, day = plain_count(lines, name, engine, topic)
                wanted = (name, engine, names.get(topic), k, n, str(day))
                assert wanted in rows, rows
    for question in ("How visible are we on Gemini?", "How visible is Bose?", "How did we do in March?"):
        with subtests.test(question):
            [values] = told(caller, brand, question)
            assert "score" not in values
    [values] = told(caller, brand, "how visible is bose")
    assert (values["subject"], values["answers"]) == ("bose", 408) and values["named"] > 0


def _rows(values):
    """Whom a fact names, and beside whom: subject, engine, topic, k, n and day."""
    for row in (values, *values.get("others", ())):
        if "named" in row:
            place = (values.get("engine"), values.get("topic"))
            yield row["subject"], *place, row["named"], row["answers"], values.get("day")
