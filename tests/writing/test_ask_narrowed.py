"""Answers about one engine, one competitor, some prompts or some days, and about what is not known."""

import re
from datetime import date, timedelta

import orjson
import pytest
from django.core.management import call_command
from django.utils.formats import date_format

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
from visibility.models import EngineConfig, Mention, UntrackedName
from visibility.services.ask.answering import MAX_FACTS, prepare_answer

DAY = date(2026, 3, 1)


def ask(caller, question, **more):
    return prepare_answer(caller, question=question, **more)()


def told(caller, brand, question):
    return [fact.statement for fact in ask(caller, question, brand_id=brand.pk).facts]


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
        assert told(owner, known, "Which engine mentions us?") == [
            "On 1 Mar 2026 chatgpt named Acme in 4 of 8 answers (50.0 %).",
            "On 28 Feb 2026 google_ai_mode named Acme in 1 of 8 answers (12.5 %).",
        ]
        assert told(owner, known, "What about Google AI Mode?") == [
            "On 28 Feb 2026 google_ai_mode named Acme in 1 of 8 answers (12.5 %)."
        ]

    def test_an_engine_that_is_not_asked_here_is_unknown_and_nothing_else_is_told(self, known, owner):
        for question in ("How visible are we on Gemini?", "Are we named by GEMINI?", "Wie stehen wir bei Gemini?"):
            [fact] = ask(owner, question, brand_id=known.pk).facts
            assert re.fullmatch(
                r"Gemini is not one of the engines asked for Acme, so it has no figures; those asked are chatgpt and "
                r"google_ai_mode\.",
                fact.statement,
                re.IGNORECASE,
            )
        both = told(owner, known, "ChatGPT and Gemini?")
        assert both[0].startswith("Gemini is not one of the engines") and both[1].startswith(
            "On 1 Mar 2026 chatgpt named Acme"
        )

    def test_an_engine_of_several_is_ambiguous(self, known, owner):
        for name in ("quill", "quill-web"):
            EngineConfig.objects.create(name=name, provider="anthropic", model="claude-1", enabled=True)
        assert told(owner, known, "Does Claude name us?") == [
            "“Claude” may be any of the engines quill and quill-web: ask again with the name of one."
        ]
        [sentence] = told(owner, known, "Does quill-web name us?")
        assert sentence.startswith("quill-web is not one of the engines asked for Acme")

    def test_a_topic_narrows_figures_gaps_prompts_and_recommendations(self, known, owner):
        assert told(owner, known, "How visible are we for locks?") == [
            "On 1 Mar 2026 chatgpt named Acme in 1 of 4 answers, on “locks” (2 prompts).",
            "On 28 Feb 2026 google_ai_mode named Acme in 0 of 4 answers, on “locks” (2 prompts).",
        ]
        assert told(owner, known, "Which bike prompts miss us?")[0] == (
            "By the latest answers of each engine (up to 1 Mar 2026) each of 2 prompts on “bikes” has an answer that "
            "names Acme."
        )
        lock = known.prompts.get(text="best lock")
        RecommendationFactory(brand=known, title="On locks", evidence=[
            {"kind": "answer", "text": "x", "engine": "chatgpt", "prompt_id": str(lock.pk)}
        ])  # fmt: skip
        RecommendationFactory(brand=known, title="On something else")
        assert told(owner, known, "What should we do about locks?") == [
            "1 of Acme's 2 open recommendations is on “locks”.",
            "Priority 70, effort medium: On locks.",
        ]

    def test_what_is_not_narrowed_says_so(self, known, owner):
        first, *_ = told(owner, known, "Has the score for locks changed?")
        assert first == "What follows about change is not narrowed to “locks” (2 prompts)."
        first, *_ = told(owner, known, "How visible are we for cameras?")
        assert first.startswith("No topic or prompt here is about “cameras”: what follows is not narrowed to it.")
        first, *_ = told(owner, known, "How visible is Acme for locks except on ChatGPT?")
        assert first == "The exception of ChatGPT is not taken into account."

    def test_a_competitor_narrows_and_the_brand_stands_beside(self, known, owner, rival):
        [fact] = ask(owner, "How often does ChatGPT name VELMORA for locks?", brand_id=known.pk).facts
        assert fact.statement == (
            "On 1 Mar 2026 chatgpt named Velmora in 1 of 4 answers and Acme in 1 of 4, on “locks” (2 prompts)."
        )
        assert fact.refs[0] == str(rival.pk) and fact.tool == "list_competitors"

    def test_where_a_competitor_leads_is_told_by_topic(self, known, owner):
        first, *rest = told(owner, known, "Where is Velmora ahead of us?")
        assert first == (
            "Of 2 topics, answers of chatgpt on 1 Mar 2026 and google_ai_mode on 28 Feb 2026 name Velmora more often "
            "than Acme on 1, less often on 1."
        )
        assert rest[0].startswith("On “locks” chatgpt named Velmora in 1 of 4 and Acme in 1 of 4 answers;")
        assert told(owner, known, "Where are we ahead of Velmora?")[1].startswith("On “bikes”")

    def test_who_was_not_looked_for_has_no_figure(self, known, owner):
        CompetitorFactory(brand=known, name="Quindle")
        assert told(owner, known, "How often does ChatGPT name Quindle for locks?") == [
            "Quindle is not measured yet.",
            "On 1 Mar 2026 chatgpt named Acme in 1 of 4 answers, on “locks” (2 prompts).",
        ]

    def test_prompts_that_name_a_subject_do_not_count_for_it(self, known, owner, rival):
        prompt = known.prompts.get(text="best lock")
        prompt.versions.update(text="is Velmora the best lock?")
        [sentence] = told(owner, known, "How often does ChatGPT name Velmora for locks?")
        assert "named Velmora in 1 of 2 answers and Acme in 1 of 4" in sentence

    def test_days_narrow_and_days_without_a_measurement_are_named(self, known, owner):
        assert told(owner, known, "How visible were we on ChatGPT on 2026-02-28?")[0] == (
            "On 28 Feb 2026 chatgpt named Acme in 8 of 8 answers (100.0 %)."
        )
        [sentence] = told(owner, known, "How visible were we in January 2025?")
        assert sentence.startswith(
            "Nothing was measured for Acme from 1 Jan 2025 to 31 Jan 2025: its measured days lie between 28 Feb 2026 "
            "and 1 Mar 2026."
        )
        [sentence] = told(owner, known, "Did Google AI Mode name us on 2026-03-01?")
        assert "Nothing was measured for Acme by google_ai_mode on 1 Mar 2026" in sentence

    def test_many_days_are_told_as_one_sum(self, known, owner):
        for back in range(2, 5):
            measured(known, DAY - timedelta(back), {"chatgpt": (0, 1)})
        sentences = told(owner, known, "How visible were we on ChatGPT since 2026-02-01?")
        assert sentences == [
            "On 5 measured days from 25 Feb 2026 to 1 Mar 2026 chatgpt named Acme in 15 of 40 answers (first day 1 "
            "of 8, last day 4 of 8)."
        ]

    def test_answers_are_short(self, known, owner):
        everything = "score, change, gaps, recommendations, content, prompts, sources, runs, audit, quotas"
        assert len(told(owner, known, everything)) == MAX_FACTS
        RecommendationFactory.create_batch(9, brand=known)
        assert len(told(owner, known, "What should we do?")) <= MAX_FACTS

    def test_questions_cost_as_many_statements_however_many_answers(
        self, known, owner, django_assert_max_num_queries
    ):
        with django_assert_max_num_queries(44):
            told(owner, known, "How often do ChatGPT and Google AI Mode name Velmora and us for locks in 2026?")


@pytest.mark.django_db
class TestUnknown:
    def test_a_name_that_nobody_tracks_is_said_not_to_be(self, known, owner):
        for number in range(2):
            UntrackedName.objects.create(
                generation_id=tracked_names_of(known).generation, answer=known.answers.all()[number], lead="bose",
                name="Bose QuietComfort", start=0,
            )  # fmt: skip
        [fact] = ask(owner, "How visible is Bose?", brand_id=known.pk).facts
        assert fact.statement == (
            "Bose is not tracked (it is neither Acme nor a competitor), so it has no figures: 2 of 24 answers of the "
            "newest scans list it among their picks, and svc_add_competitor starts to count it."
        )
        assert fact.tool == "add_competitor"
        assert told(owner, known, "how visible is grundig?") == [
            "grundig is not tracked (it is neither Acme nor a competitor), so it has no figures: svc_add_competitor "
            "starts to count it."
        ]
        assert told(owner, known, "Is Velmorra ahead?") == [
            "Velmorra is not tracked: it is neither Acme nor a competitor. Ask again if you mean Velmora."
        ]

    def test_beside_a_tracked_name_the_unknown_one_comes_first(self, known, owner):
        first, second, *_ = told(owner, known, "Is Grundig named more often than Velmora by ChatGPT?")
        assert first.startswith("Grundig is not tracked") and second.startswith("On 1 Mar 2026 chatgpt named Velmora")

    def test_of_several_sites_an_unknown_name_has_no_figures_either(self, known, owner):
        BrandFactory(owner=known.owner)
        [fact] = ask(owner, "How visible is Grundig?").facts
        assert fact.statement.startswith("Grundig is not tracked (it is neither one of your sites nor a competitor)")
        [notice] = ask(owner, "How visible is Velmora?").facts
        assert "For competitors, ask again with the siteId of one" in notice.statement
        first, *_ = ask(owner, "How were we last week?").facts
        assert first.statement == "What follows about how each site stands is not narrowed to “last week”."
        answer = ask(owner, "How visible are we on Gemini?").answer
        assert "ask about Gemini with the siteId of one" in answer and "50.0" not in answer

    def test_a_key_without_competitors_learns_nothing_of_names(self, cast, known):
        blind = Caller(actor="key:1", user=cast.owner, scopes=frozenset({Scope.READ_SITES, Scope.READ_VISIBILITY}))
        for name in ("Velmora", "Grundig"):
            assert told(blind, known, f"How visible is {name}?") == [
                f"Whether {name} is tracked cannot be shown: this key lacks read:competitors."
            ]

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
        ],
    )
    def test_what_cannot_be_answered_is_refused_in_one_sentence_with_a_tool(self, known, owner, question, tool):
        result = ask(owner, question, brand_id=known.pk)
        [fact] = result.facts
        assert (fact.tool, result.answer) == (tool, fact.statement)
        assert f"svc_{tool}" in fact.statement and fact.statement.count(". ") == 0
        assert result.withheld == []

    def test_what_rests_on_no_answer_is_told_though_an_engine_is_unknown(self, known, owner):
        facts = ask(owner, "Is the scan of Gemini running?", brand_id=known.pk).facts
        assert [fact.id.split("-")[0] for fact in facts] == ["notice", "runs", "runs"]
        assert facts[0].statement.startswith("Gemini is not one of the engines")

    @pytest.mark.parametrize("question", ["a " * 499, "ünïcode \x01 " * 60, "Why " * 200, "X" * 1000, "'" * 900])
    def test_odd_questions_are_answered(self, known, owner, question):
        assert ask(owner, question.replace("\x01", "'")[:1000], brand_id=known.pk).answer


@pytest.mark.django_db
class TestTheEngineThatWrites:
    def test_it_is_told_what_was_said_and_only_what_is_meant(self, known, owner, provider):
        provider.replies({"answer": "1 of 4.", "facts": ["score-1"]})
        answer = ask(owner, "How visible are we and Grundig for locks on ChatGPT?", brand_id=known.pk).answer
        [asked] = provider.asked
        assert "chatgpt named Acme in 1 of 4 answers" in asked and "google_ai_mode" not in asked
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
    for question, expected in COUNTED.items():
        with subtests.test(question):
            sentences = told(caller, brand, question)
            for name, engine, topic in expected:
                k, n, day = plain_count(lines, name, engine, topic)
                [sentence] = [each for each in sentences if each.startswith(f"On {date_format(day)} {engine} named")]
                assert re.search(rf"\b{name} in {k} of {n}\b", sentence), sentence
                assert topic in sentence
    for question in ("How visible are we on Gemini?", "How visible is Bose?", "How did we do in March?"):
        with subtests.test(question):
            [sentence] = told(caller, brand, question)
            assert "%" not in sentence
    [sentence] = told(caller, brand, "how visible is bose")
    assert re.match(r"bose is not tracked .*: \d+ of 408 answers of the newest scans list it among", sentence)
