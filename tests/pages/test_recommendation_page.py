"""The page of one recommendation: what it rests on, words of others in it, who decided what, whether it helped."""

from datetime import UTC, datetime
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from tests.factories import AnswerFactory, PromptFactory, RecommendationFactory, UserFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import text_of
from visibility.models import Proof, Recommendation, StatusChange

pytestmark = pytest.mark.django_db
OPENED = datetime(2025, 5, 24, 12, tzinfo=UTC)
FACTORS = {
    "answers": 12,
    "of_answers": 30,
    "engines": 2,
    "of_engines": 3,
    "reach": 0.08,
    "effect": "likely",
    "effort": "medium",
}
PAYLOAD = {
    "fix_prompt": "Write a page on winter bikes.",
    "engines": [
        {"engine": "gemini", "gaps": 2, "answers": 20, "as_of": "2025-05-24"},
        {"engine": "chatgpt", "gaps": 10, "answers": 10, "as_of": "2025-05-24"},
    ],
}
HOSTILE = "<script>alert(1)</script>\u202e\u2067<img src=x onerror=alert(2)>"


@pytest.fixture
def row(cast):
    return RecommendationFactory(
        brand=cast.brand,
        kind="topic_gap",
        topic="winter",
        title="Say what the bikes do in snow",
        opened_at=OPENED,
        factors=FACTORS,
        payload=PAYLOAD,
    )


@pytest.fixture
def at(cast, row):
    return {"brand_id": cast.brand.pk, "recommendation_id": row.pk}


def statuses():
    return list(Recommendation.objects.order_by("pk").values_list("status", flat=True))


def test_it_shows_what_to_do_what_it_rests_on_and_the_prompt_to_copy(visit, cast, row, at):
    prompt = PromptFactory(brand=cast.brand)
    row.evidence = [
        {"kind": "answer", "text": "Velmora is best.", "engine": "chatgpt", "prompt_id": str(prompt.pk)},
        {
            "kind": "citation",
            "text": "velmora.example",
            "engine": "gemini",
            "url": "https://velmora.example/a?b=1",
        },
        {"kind": "measurement", "text": "Named in 0 of 30 answers."},
    ]
    row.summary = "Velmora is named in 12 of 30 answers, you in none."
    row.save()
    page = visit(cast.viewer, "recommendation-page", **at).content.decode()
    tags = Tags(page)
    assert row.summary in page
    assert f'href="{reverse("prompt-page", args=(cast.brand.pk, prompt.pk))}"' in page
    [link] = [link for link in tags.all("a") if link.get("href", "").startswith("https://velmora")]
    assert link["rel"] == "nofollow noreferrer"
    assert page.count("<blockquote") == 2 and "Named in 0 of 30 answers." in page
    [area] = [area for area in tags.all("textarea") if "readonly" in area]
    assert area["aria-labelledby"] == "fix"
    assert "Write a page on winter bikes.</textarea>" in page


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "https://good.example@evil.example/",
        "//evil.example/x",
        "https://[::1",
        "ftp://files.example/x",
        "https://long.example/" + "x" * 5_000,
        "https://bad.example:99999999/",
    ],
)
def test_an_address_that_may_do_harm_is_shown_and_leads_nowhere(visit, cast, row, at, url):
    row.evidence = [{"kind": "citation", "text": "A source", "engine": "gemini", "url": url}]
    row.save()
    page = visit(cast.owner, "recommendation-page", **at).content.decode()
    assert not [link for link in Tags(page).all("a") if not link["href"].startswith(("/", "#"))]
    assert "A source" in page


def test_words_of_others_stay_words(visit, cast, row, at):
    cast.brand.name = HOSTILE[:100]
    cast.brand.save()
    long = "W" * 100_000
    row.title, row.summary, row.status_reason = HOSTILE, HOSTILE, HOSTILE
    row.topic, row.status = HOSTILE, "dismissed"
    row.evidence = [
        {"kind": "answer", "text": HOSTILE + long, "engine": HOSTILE, "url": f"https://x.example/{HOSTILE}"}
    ]
    row.payload = {
        **PAYLOAD,
        "fix_prompt": f"</textarea>{HOSTILE}",
        "engines": [{"engine": HOSTILE, "gaps": 1, "answers": 2}],
    }
    row.save()
    StatusChange.objects.create(recommendation=row, status="dismissed", reason=HOSTILE, actor=HOSTILE)
    for name, where in (
        ("recommendation-page", at),
        ("recommendations-page", {"brand_id": cast.brand.pk}),
        ("brand-page", {"brand_id": cast.brand.pk}),
    ):
        answer = visit(cast.owner, name, query="?status=all" if name == "recommendations-page" else "", **where)
        page = answer.content.decode()
        tags = Tags(page)
        assert tags.all("img", "style") == []
        assert all(script["src"].startswith("/static/") for script in tags.all("script")), "own files alone"
        assert not [
            tag for tag, attributes in tags.tags if any(key.startswith(("on", "style")) for key in attributes)
        ]
        assert len(page) < 40_000
        assert "script-src" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_every_field_has_a_label_and_headings_descend(visit, cast, at):
    for answer in (
        visit(cast.owner, "recommendation-page", **at),
        visit(cast.owner, "recommendations-page", brand_id=at["brand_id"]),
        visit(cast.owner, "decide-recommendation", {"status": "done"}, **at),
    ):
        tags = Tags(answer.content.decode())
        labelled = {label.get("for") for label in tags.all("label")}
        fields = [field for field in tags.all("textarea", "select", "input") if field.get("type") != "hidden"]
        assert all(field.get("id") in labelled or "aria-labelledby" in field for field in fields)
        levels = [int(tag[1]) for tag, _ in tags.tags if tag in ("h1", "h2", "h3")]
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_history_says_who_to_those_who_may_decide(visit, cast, row, at):
    left = UserFactory(email="left@example.com")
    operator = UserFactory(email="operator@example.com", is_staff=True)
    for actor, reason in (
        (f"user:{cast.editor.pk}", "Is being written."),
        (f"user:{left.pk}", "Not ours."),
        (f"user:{operator.pk}", "By hand."),
        ("", ""),
    ):
        StatusChange.objects.create(recommendation=row, status="in_progress", reason=reason, actor=actor)
    for person in (cast.owner, cast.editor):
        page = text_of(visit(person, "recommendation-page", **at)).split("History")[1]
        assert "in progress, by editor@example.com : Is being written." in page
        assert "left@example.com" not in page and "operator@example.com" not in page
        assert page.count("somebody who is not (or no longer) on this brand") == 2
        assert "by measurement" in page
    viewed = text_of(visit(cast.viewer, "recommendation-page", **at)).split("History")[1]
    assert "Is being written." in viewed and "@example.com" not in viewed
    looked = text_of(visit(staff("view_brand"), "recommendation-page", **at)).split("History")[1]
    assert "editor@example.com" in looked and "operator@example.com" in looked


def test_a_proof_shows_its_verdict_with_the_interval_and_what_it_could_see(visit, cast, row, at):
    plan = {
        "scans": 3, "answers": 90, "credits": 120, "engines": ["chatgpt", "gemini"], "baseline": ["2025-05-25"],
        "control_topics": ["a", "b"], "least": 9.5, "not_before": "2025-06-01", "last": "2025-07-01",
        "sentence": "Three scans show a change of 9.5 points.",
    }  # fmt: skip
    result = {
        "own": 14.0, "control": 2.0, "delta": 12.0, "low": 4.04, "high": 20.0, "least": 9.5,
        "days": ["2025-06-02", "2025-06-03"], "sentence": "Moved up: on “winter” Acme is named 14 points more often.",
    }  # fmt: skip
    row.proof = Proof.objects.create(
        brand=cast.brand,
        topic="winter",
        state="judged",
        verdict="moved_up",
        judged_at=OPENED,
        plan=plan,
        result=result,
    )
    row.status = "done"
    row.save()
    page = text_of(visit(cast.viewer, "recommendation-page", **at))
    assert "It moved up. On “winter” Acme is named 14 points more often." in page, "the verdict once"
    assert "Difference to the control +12.0 points (95 %: +4.0 to +20.0)" in page
    assert "It could have seen a change of 9.5 points or more, in four cases of five" in page
    assert "Scans 3 Answers 90 Credits 120 Engines ChatGPT and Gemini Held against 25 May 2025" in page
    assert "the same change on 2 other topics of the brand" in page


@pytest.mark.parametrize(
    ("state", "verdict", "words"),
    [
        ("baseline", "", "Waiting for a baseline"),
        ("collecting", "", "Waiting for scans"),
        ("judged", "moved_down", "It moved down"),
        ("judged", "not_seen", "No change that these scans could see"),
        ("judged", "not_comparable", "Cannot be compared"),
    ],
)
def test_each_state_of_a_proof_has_words(visit, cast, row, at, state, verdict, words):
    judged_at = OPENED if verdict else None
    row.proof = Proof.objects.create(brand=cast.brand, state=state, verdict=verdict, judged_at=judged_at)
    row.save()
    assert f"{words}." in text_of(visit(cast.viewer, "recommendation-page", **at))


def test_evidence_leads_to_the_run_and_the_engine_that_it_quotes(visit, cast, row, at):
    answer = AnswerFactory(brand=cast.brand)
    item = {"kind": "answer", "text": "Velmora is best.", "engine": answer.engine}
    ids = {"prompt_id": str(answer.prompt_id), "answer_id": str(answer.pk)}
    elsewhere = AnswerFactory()
    row.evidence = [{**item, **ids}, {**item, **ids, "answer_id": str(elsewhere.pk)}]
    row.save()
    page = visit(cast.viewer, "recommendation-page", **at).content.decode()
    address = reverse("prompt-page", args=(cast.brand.pk, answer.prompt_id))
    assert page.count(f'href="{address}?run={answer.run_id}&amp;engine={answer.engine}#answers"') == 1
    assert page.count(f'href="{address}"') == 1 and str(elsewhere.run_id) not in page


def test_the_picture_of_a_proof_is_a_file_for_those_who_see_it(visit, cast, row, at):
    where = {**at, "extension": "svg"}
    assert visit(cast.viewer, "proof-file", **where).status_code == 404, "nothing is proven yet"
    result = {"own": 14.0, "control": 2.0, "delta": 12.0, "low": 4.0, "high": 20.0}
    row.topic = "winter"
    row.proof = Proof.objects.create(
        brand=cast.brand, topic="winter", state="judged", verdict="moved_up", judged_at=OPENED, result=result
    )
    row.save()
    assert f"{row.pk}/proof.png" in visit(cast.viewer, "recommendation-page", **at).content.decode()
    svg = visit(cast.viewer, "proof-file", **where)
    texts = [element.text for element in ElementTree.fromstring(svg.content).iter() if element.tag.endswith("}text")]
    assert texts[0] == "Acme on “winter”: it moved up" and "Difference: +12.0 points (95 %: +4.0 to +20.0)" in texts
    assert "attachment" in svg["Content-Disposition"] and "var(" not in svg.content.decode()
    png = visit(cast.viewer, "proof-file", **{**where, "extension": "png"})
    assert png.content.startswith(b"\x89PNG")
    assert visit(cast.viewer, "proof-file", **{**where, "extension": "gif"}).status_code == 404
    assert visit(cast.stranger, "proof-file", **where).status_code == 404
