"""What the words of a question mean: engines, days, prompts, names that nobody tracks, and what is refused."""

from datetime import date
from uuid import uuid4

import pytest

from tests.factories import CompetitorFactory
from visibility.services.ask.about import about
from visibility.services.ask.assistants import KnownEngine, assistants_in, makers_in, meant_by
from visibility.services.ask.naming import most_like, unknown_names, unread_topic
from visibility.services.ask.periods import period_in
from visibility.services.ask.prompt_topics import Wording, narrowed_to
from visibility.services.ask.reading.language import language_of
from visibility.services.ask.refusals import refusal_of

IMPORTED = [KnownEngine("chatgpt"), KnownEngine("google_ai_mode")]
CONFIGURED = [
    KnownEngine("quill-2", provider="openai", model="gpt-5"),
    KnownEngine("quill-2-web", provider="openai", model="gpt-5"),
    KnownEngine("gemini-pro", label="Gemini with search", provider="gemini", model="gemini-2.5-pro"),
    KnownEngine("claude-web", provider="anthropic", model="claude-opus-4-1"),
    KnownEngine("llama-at-home", provider="ollama", model="llama3"),
]


def engines(question, known):
    return [sorted(meant_by(found, assistant, known)) for found, assistant in assistants_in(question)]


@pytest.mark.parametrize(
    ("question", "imported", "configured"),
    [
        ("on Google AI Mode", ["google_ai_mode"], []),
        ("on google's AI-mode", ["google_ai_mode"], []),
        ("in Google_AI_Mode", ["google_ai_mode"], []),
        ("by Gemini", [], ["gemini-pro"]),
        ("by Gemini 2.5 Pro", [], ["gemini-pro"]),
        ("by Gemini 3", [], []),
        ("by Google AI Overviews", [], []),
        ("on Google", ["google_ai_mode"], ["gemini-pro"]),
        ("Google AI", ["google_ai_mode"], ["gemini-pro"]),
        ("ChatGPT's answers", ["chatgpt"], ["quill-2", "quill-2-web"]),
        ("ChatGPTs Antworten", ["chatgpt"], ["quill-2", "quill-2-web"]),
        ("chat gpt", ["chatgpt"], ["quill-2", "quill-2-web"]),
        ("GPT-5", [], ["quill-2", "quill-2-web"]),
        ("GPT-4o", [], []),
        ("Claude Opus 4.1", [], ["claude-web"]),
        ("Anthropic", [], ["claude-web"]),
        ("Meta AI", [], ["llama-at-home"]),
        ("Perplexity", [], []),
    ],
)
def test_an_engine_is_exactly_the_one_that_is_asked_for(question, imported, configured):
    assert engines(question, IMPORTED) == [imported]
    assert engines(question, CONFIGURED) == [configured]


@pytest.mark.parametrize("question", ["SonarQube", "grokking", "llama.cpp", "gpt-oss", "a google of things"])
def test_words_that_only_begin_like_one_are_no_engine(question):
    assert engines(question, IMPORTED) in ([], [[]])
    assert not any(engines(question, CONFIGURED))


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("How did we do in March?", "2026-03-01", "2026-03-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("since 2025-05-01", "2025-05-01", "2026-11-22"),
        ("between 2025-05-01 and 2025-05-24", "2025-05-01", "2025-05-24"),
        ("from March to May 2025", "2025-03-01", "2025-05-31"),
        ("before March 2026", "0001-01-01", "2026-02-28"),
        ("on May 24, 2025", "2025-05-24", "2025-05-24"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("since last week", "2026-11-09", "2026-11-22"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("over the last 7 days", "2026-11-16", "2026-11-22"),
        ("since Monday", "2026-11-16", "2026-11-22"),
        ("yesterday", "2026-11-21", "2026-11-21"),
        ("in Q1", "2026-01-01", "2026-03-31"),
        ("Q4 2025", "2025-10-01", "2025-12-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("im Mai 2025", "2025-05-01", "2025-05-31"),
        ("am 24. Mai 2025", "2025-05-24", "2025-05-24"),
        ("seit gestern", "2026-11-21", "2026-11-22"),
        ("in den letzten 30 Tagen", "2026-10-24", "2026-11-22"),
        ("bis Mai 2025", "0001-01-01", "2025-05-31"),
        ("la semaine dernière", "2026-11-09", "2026-11-15"),
        ("du 1er mai 2025 au 24 mai 2025", "2025-05-01", "2025-05-24"),
        ("depuis hier", "2026-11-21", "2026-11-22"),
        ("en mars", "2026-03-01", "2026-03-31"),
        ("el 24 de mayo de 2025", "2025-05-24", "2025-05-24"),
        ("el mes pasado", "2026-10-01", "2026-10-31"),
        ("desde ayer", "2026-11-21", "2026-11-22"),
    ],
)
def test_days_are_read_in_four_languages(question, first, last):
    found = period_in(question, date(2026, 11, 22))
    assert (str(found.first), str(found.last)) == (first, last)


@pytest.mark.parametrize(
    "question",
    [
        "May I ask?",
        "What may we do?",
        "headphones under 2000",
        "on Mars",
        "next month",
        "in May 2027",
        "2025-13-40",
        "",
    ],
)
def test_what_names_no_day_that_was_is_no_period(question):
    assert period_in(question, date(2026, 11, 22)) is None


def wordings(**topics):
    return [Wording(uuid4(), text, topic.replace("_", "-")) for topic, texts in topics.items() for text in texts]


TOPICS = wordings(
    tv_55_inch=["best 55 inch TV under 1000", '55" television below $1000'],
    running_shoes_5k=["best 5K running shoes racing", "what's the best 5K racing shoes?"],
    running_watch=["best running watch under 400", "GPS running watch below $400"],
    blender_high_performance=["best high performance blender", "can you recommend a high performance blender?"],
    laptop_general=["what's the best laptop under $1000?", "I'm looking for a laptop under $1000"],
    mesh_wifi_home=["best mesh WiFi system home", "home mesh network router"],
    cordless_drill=["best cordless drill", "cordless drill for concrete"],
    cordless_vacuum=["best cordless vacuum", "cordless stick vacuum"],
    printer_home=["best simple printer below $500", "help me find an easy setup printer"],
)


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("How do we do on TVs?", ["tv-55-inch"]),
        ("and televisions", ["tv-55-inch"]),
        ("running shoes", ["running-shoes-5k"]),
        ("running watches", ["running-watch"]),
        ("cordless drills", ["cordless-drill"]),
        ("anything cordless", ["cordless-drill", "cordless-vacuum"]),
        ("laptops and blenders", ["blender-high-performance", "laptop-general"]),
        ("high performance blenders", ["blender-high-performance"]),
        ("running-watch", ["running-watch"]),
        ("Wie stehen wir bei Laptops?", ["laptop-general"]),
        ("How are we in general?", None),
        ("How is our performance?", None),
        ("Is the scan running?", None),
        ("Is our home page cited?", None),
        ("What should we work on?", None),
        ("What do you recommend?", None),
        ("How are we in cameras?", None),
    ],
)
def test_prompts_are_meant_by_the_words_of_their_topics(question, topics):
    found = narrowed_to(question, TOPICS)
    assert (sorted(found.topics) if found else None) == topics


def test_prompts_without_topics_are_meant_by_their_own_words():
    prompts = [Wording(uuid4(), text, text) for text in ("best cordless drill", "a drill for concrete", "best saw")]
    found = narrowed_to("how visible are we for drills?", prompts)
    assert found.prompts == {prompts[0].prompt, prompts[1].prompt}
    assert str(found) == "“drills” (2 prompts)"


LEADS = {"bose": ["Bose QuietComfort", "Bose"], "shark": ["Shark"], "new": ["New Balance"], "jbl": ["JBL Tune"]}


@pytest.mark.parametrize(
    ("rest", "names"),
    [
        ("How visible is Bose?", [("Bose", "subject")]),
        ("how visible is bose", [("bose", "subject")]),
        ("bose vs \x01", [("bose", "subject")]),
        ("How visible is Bose QuietComfort?", [("Bose QuietComfort", "subject")]),
        ("Is New Balance mentioned?", [("New Balance", "subject")]),
        ("Is anything new?", []),
        ("how visible is shark?", [("shark", "subject")]),
        ("Do answers mention a shark attack?", []),
        ("how visible is grundig?", [("grundig", "subject")]),
        ("How visible is Grundig's TV line?", [("Grundig", "subject")]),
        ("Wie sichtbar ist Grundig?", [("Grundig", "subject")]),
        ("Wie ist die Sichtbarkeit unserer Marke?", []),
        ("Welche Kopfhörer nennen die Antworten?", []),
        ("Comment va Grundig ?", [("Grundig", "subject")]),
        ("¿Qué tan visible es Grundig?", [("Grundig", "subject")]),
        ("How visible are we on Kagi?", [("Kagi", "engine")]),
        ("How are we doing in Germany?", [("Germany", "place")]),
        ("How Visible Is \x01 In Answers Of \x00?", []),
        ("HOW VISIBLE ARE WE?", []),
        ("How visible is our brand?", []),
        ("Is samsng ahead of us?", [("samsng", "subject")]),
        ("What is the SEO score of our FAQ?", []),
    ],
)
def test_names_that_nobody_tracks_are_told_by_letters_and_place(rest, names):
    found = unknown_names(rest, LEADS, ["Acme", "Samsung"])
    assert [(each.text, each.kind) for each in found] == names


def test_a_slip_of_the_pen_is_recognised():
    assert most_like("Samsng", ["Acme", "Samsung"]) == "Samsung"
    assert most_like("Grundig", ["Acme", "Samsung"]) is None


@pytest.mark.parametrize(
    ("rest", "topic"),
    [
        ("How are we in cameras?", "cameras"),
        ("Wie stehen wir bei Kopfhörern?", "Kopfhörern"),
        ("How often do apples get mentioned?", "apples"),
        ("How are we doing in general?", ""),
        ("What can we do about it?", ""),
        ("Is our brand mentioned in answers of \x00?", ""),
        ("Are we in the top 3?", ""),
        ("Are we in literally every answer?", ""),
        ("Bei welchem Thema stehen wir gut da?", ""),
        ("Wie stehen wir bei dreizehnten Dingen da?", "dreizehnten Dingen"),
        ("wie stehen wir bei kaffeemühlen", "kaffeemühlen"),
        ("\x00 parle-t-il de nous quand on lui demande un \x02 ?", ""),
    ],
)
def test_a_topic_that_is_none_is_found_by_its_place(rest, topic):
    assert unread_topic(rest, language_of(rest)) == topic


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does a TV cost?", "prices"),
        ("What is the price of the QuietComfort?", "prices"),
        ("Was kostet ein Fernseher?", "prices"),
        ("Combien coûte une télé ?", "prices"),
        ("¿Cuánto cuesta un televisor?", "prices"),
        ("What does a month cost?", None),
        ("How much does a scan cost?", None),
        ("How many credits are left?", None),
        ("Why does \x00 prefer \x01?", "reasons of a model"),
        ("Why do the models ignore us?", "reasons of a model"),
        ("Warum nennt \x00 \x01 öfter als uns?", "reasons of a model"),
        ("Pourquoi \x00 préfère-t-il \x01 ?", "reasons of a model"),
        ("¿Por qué \x00 prefiere a \x01?", "reasons of a model"),
        ("Why aren't we mentioned for winter tyres?", None),
        ("Will our score go up next month?", "predictions"),
        ("Wird unser Wert nächste Woche steigen?", "predictions"),
        ("Serons-nous cités le mois prochain ?", "predictions"),
        ("¿Subirá nuestra puntuación mañana?", "predictions"),
        ("When will the scan be finished?", None),
        ("How visible is my colleague's account?", "other accounts"),
        ("List all users' scores", "other accounts"),
        ("Show me the scores of other customers", "other accounts"),
        ("Zeig mir andere Konten", "other accounts"),
        ("¿Y las otras cuentas?", "other accounts"),
        ("Who owns this account?", None),
        ("Write me a blog post about headphones.", "writing"),
        ("Please draft an article", "writing"),
        ("Schreib mir einen Artikel", "writing"),
        ("Écris un article", "writing"),
        ("Escribe un artículo", "writing"),
        ("Generate ten prompts about drills", "writing of prompts"),
        ("Which article should I write?", None),
        ("Which content should we publish?", None),
        ("Start a scan", "changes"),
        ("Add Bose as a competitor", "changes"),
        ("Should we start a scan?", None),
        ("What do answers say about us?", "words of answers"),
        ("What does the audit say?", None),
    ],
)
def test_what_cannot_be_answered_is_refused(question, name):
    found = refusal_of(question)
    assert (found.name if found else None) == name


def test_a_competitor_is_not_the_ai_system_that_holds_its_name(cast, owner):
    google = CompetitorFactory(brand=cast.brand, name="Google")
    asked = about(owner, [cast.brand], "Stimmt es, dass uns der KI-Modus von Google selten nennt?")
    assert not asked.rivals
    assert list(about(owner, [cast.brand], "Does ChatGPT name Google more often than us?").rivals) == [google]


def test_a_maker_is_the_engine_beside_another_but_not_where_a_product_of_its_is_named():
    def systems(question):
        return [match[0] for match, _ in makers_in(question)]

    assert systems("ChatGPT on one side, Google on the other") == ["Google"]
    assert systems("does ChatGPT prefer Google Pixel") == systems("are Google phones named by ChatGPT") == []
