"""What people do on pages: decide, write, add, archive, track, audit; nothing of it is lost or doubled."""

import html
import re

import pytest
from django.urls import reverse

from apikeys.text import marked
from tests.factories import CollaboratorFactory, RecommendationFactory
from tests.people.browser import Browser, text_of
from visibility.models import Audit, Draft, Prompt, Recommendation, Run, Topic
from visibility.recommendations.advise import recommend
from visibility.recommendations.cards import show

pytestmark = pytest.mark.django_db


def send(user, brand, act, *, page="brand-prompts", **values):
    """Send one of the forms of a page; what the next page says, and whether it refuses."""
    browser = Browser(user)
    token = browser.form(reverse(page, args=[brand.pk]))["csrfmiddlewaretoken"]
    answer = browser.client.post(reverse(act, args=[brand.pk]), {"csrfmiddlewaretoken": token, **values}, follow=True)
    assert answer.status_code in (200, 400)
    return text_of(answer)


def test_a_decision_outlives_a_scan_and_a_second_tab(brand, settings):
    settings.CITED_PAGES_PER_WEEK = 0
    row = RecommendationFactory(brand=brand)
    values = {"id": row.pk, "seen": "open", "reason": "We sell none"}
    assert "Dismissed." in send(brand.owner, brand, "brand-decide", verb="dismiss", **values)
    recommend(brand)
    row.refresh_from_db()
    assert (row.status, row.status_reason) == ("dismissed", "We sell none")
    late = send(brand.owner, brand, "brand-decide", verb="done", **values)
    assert "It was moved to “Dismissed” meanwhile. Your click changed nothing" in late
    row.refresh_from_db()
    assert row.status == "dismissed"
    page = text_of(Browser(brand.owner).open(reverse("brand-todo", args=[brand.pk]) + "?status=dismissed"))
    assert show(row, brand).title in page


def test_five_things_to_do_come_first_and_the_rest_and_housekeeping_are_folded(brand):
    for number in range(7):
        RecommendationFactory(brand=brand, subject=f"field {number}", priority=50 - number)
    defect = {"check": "REN-03", "title": "Not all is served by HTTPS", "seen": "3 pages", "fix": "", "gain": 1}
    RecommendationFactory(brand=brand, kind="hygiene", priority=10, facts={**defect, "prompt": "Mend it."})
    page = Browser(brand.owner).open(reverse("brand-todo", args=[brand.pk])).content.decode()
    assert re.findall(r'<span class="rank">(\d+)', page)[:7] == [str(number) for number in range(1, 8)]
    assert page.index("<h2>Rival is ahead of you on field 0</h2>") < page.index("<summary>2 more</summary>")
    assert page.index("<summary>Housekeeping: 1</summary>") < page.index("Fix: Not all is served by HTTPS")
    assert "7 things, most useful first" in page and page.count('class="reach"') == 7


def test_a_brief_is_offered_where_a_page_helps_and_there_is_something_to_write_from(brand):
    row = RecommendationFactory(brand=brand, kind="gap")
    technical = RecommendationFactory(brand=brand, kind="earlier", facts={"written": {"title": "Old", "summary": ""}})
    address = reverse("brand-todo-item", args=[brand.pk, row.pk])
    browser = Browser(brand.owner)
    assert "Write a brief" not in text_of(browser.open(address))
    run = Run.objects.create(brand=brand, kind="audit", status="succeeded", trigger="web")
    run.audit_pages.create(position=0, url="https://kryton.example/", reader=1, page=b"{}")
    assert "Write a brief" in text_of(browser.open(address))
    assert "Write a brief" not in text_of(browser.open(reverse("brand-todo-item", args=[brand.pk, technical.pk])))
    Recommendation.objects.filter(pk=row.pk).update(status="done")
    assert "Write a brief" not in text_of(browser.open(address))


def test_a_draft_is_shown_plain_and_copied_with_marks(brand):
    markdown = "<img src=x> **Kryton** [x](javascript:1) is for sheds.\n\n## Prompt to paste\n1. Write."
    draft = Draft.objects.create(
        brand=brand, title="Sheds", format="faq", markdown=markdown, writer={"kind": "brief"}
    )
    page = Browser(brand.owner).open(reverse("brand-draft", args=[brand.pk, draft.pk])).content.decode()
    assert "<p>&lt;img src=x&gt; <b>Kryton</b> x is for sheds.</p>" in page
    copied = html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)[1])
    assert copied.startswith("Text between <untrusted-quote>")
    assert f"{marked(markdown.partition(chr(10))[0])[:40]}" in copied and copied.endswith("1. Write.")


def test_prompts_are_added_with_their_cost_archived_and_restored(brand, monkeypatch):
    page = reverse("brand-prompts", args=[brand.pk])
    assert "What it costs is known once an AI engine is set up." in text_of(Browser(brand.owner).open(page))
    monkeypatch.setattr("visibility.prompts.effects.plan_engines", lambda brand: [(None, 3), (None, 1)])
    assert "Each adds 4 answers a scan (4 credits). 8 of" in text_of(Browser(brand.owner).open(page))
    added = send(
        brand.owner, brand, "brand-add-prompts", prompts="which lock for a shed?\n\nlock for sheds", topic="sheds"
    )
    assert "2 prompts added." in added and "Not asked yet 2" in added
    prompt = Prompt.objects.get(brand=brand, text="which lock for a shed?")
    assert "Archived 1" in send(brand.owner, brand, "brand-change-prompt", verb="archive", id=prompt.pk)
    shown = text_of(Browser(brand.owner).open(reverse("brand-prompt", args=[brand.pk, prompt.pk])))
    assert "It is asked no more." in shown and "Restore" in shown
    assert "Archived 0" in send(brand.owner, brand, "brand-change-prompt", verb="restore", id=prompt.pk)
    words = send(brand.owner, brand, "brand-reword-prompt", id=prompt.pk, text="which lock suits a shed?")
    assert "The new wording is asked from the next scan on." in words


def test_a_prompt_goes_to_another_topic_and_is_described_without_a_new_wording(brand):
    prompt = Prompt.objects.filter(brand=brand).tracked().first()
    given = {
        "text": prompt.text,
        "topic": "gates",
        "locale": prompt.locale,
        "stage": "decision",
        "persona": "a parent",
    }
    assert "Saved." in send(brand.owner, brand, "brand-reword-prompt", id=prompt.pk, **given)
    after = Prompt.objects.select_related("topic").get(pk=prompt.pk)
    assert (after.topic_name, after.stage, after.persona, after.version) == ("gates", "decision", "a parent", 1)


def test_a_wording_alone_leaves_the_rest_of_a_prompt_as_it_is(brand):
    prompt = Prompt.objects.filter(brand=brand).tracked().first()
    Prompt.objects.filter(pk=prompt.pk).update(persona="a parent", locale="en-GB")
    send(brand.owner, brand, "brand-reword-prompt", id=prompt.pk, text="which lock keeps a gate shut?")
    after = Prompt.objects.select_related("topic").get(pk=prompt.pk)
    assert (after.topic_name, after.persona, after.locale) == (prompt.topic_name, "a parent", "en-GB")


def test_topics_are_decided_as_the_brand_itself_proposes(brand):
    topic = brand.topics.exclude(prompts=None).first()
    type(brand).objects.filter(pk=brand.pk).update(description="City bikes.")
    Prompt.objects.filter(topic=topic).update(text="Best city bikes?")
    brand.topics.update(own=None)
    assert "Decided as proposed." in send(brand.owner, brand, "brand-decide-as-proposed")
    topic.refresh_from_db()
    assert topic.own is True


def test_pooled_topics_are_taken_apart_by_their_owner(brand):
    topic = brand.topics.first()
    brand.topics.filter(pk=topic.pk).update(pooled=True)
    assert "a topic of" in send(brand.owner, brand, "brand-undo-pooling")
    assert not brand.topics.filter(pooled=True).exists()


def test_prompts_are_suggested_and_none_is_added_by_that(brand):
    before = Prompt.objects.count()
    run = Run.objects.filter(brand=brand).latest("day")
    run.answers.update(searches=["what is a quiet lock for the night"])
    assert "what is a quiet lock for the night" in send(brand.owner, brand, "brand-suggest-prompts")
    assert Prompt.objects.count() == before
    text = {"prompts": "what is a quiet lock for the night", "topic": "doors"}
    assert "1 prompt added." in send(brand.owner, brand, "brand-add-prompts", **text)
    Prompt.objects.filter(text=text["prompts"]).update(locale="en-GB")
    page = send(brand.owner, brand, "brand-suggest-prompts")
    assert "no search of engines reads like a question" in page and "Ask an assistant this" in page


def test_what_an_assistant_wrote_is_checked_and_added(brand):
    reply = {"reply": "Which lock is good for a garden gate?", "topic": "doors"}
    assert "1 prompt added." in send(brand.owner, brand, "brand-add-reply", **reply)
    again = send(brand.owner, brand, "brand-add-reply", **reply)
    assert "0 prompts added." in again and "it is a prompt already" in again
    assert "Paste what your assistant wrote." in send(brand.owner, brand, "brand-add-reply", reply=" ")


def test_a_topic_that_is_not_theirs_is_missing_nowhere(brand):
    page = reverse("brand-prompts", args=[brand.pk])
    assert "No answer mentions you on 6 of 8 prompts. 2 of them you lost" in text_of(Browser(brand.owner).open(page))
    boats = Topic.objects.get(brand=brand, name="boats")
    after = send(brand.owner, brand, "brand-decide-topic", id=boats.pk, own="other")
    assert "boats counts no more." in after and "on 4 of 6 prompts" in after


def test_competitors_are_tracked_renamed_and_removed_only_on_purpose(brand):
    page = "brand-competitors"
    assert "Zentra is tracked." in send(
        brand.owner, brand, "brand-add-competitor", page=page, name="Zentra", domain="zentra.example"
    )
    zentra = brand.competitors.get(name="Zentra")
    values = {"id": zentra.pk, "name": "Zentra Locks", "domain": "zentra.example", "aliases": "Zentra, ZL"}
    assert "Zentra Locks is changed." in send(brand.owner, brand, "brand-change-competitor", page=page, **values)
    assert sorted(zentra.names.values_list("text", flat=True)) == ["ZL", "Zentra", "Zentra Locks"]
    taken = send(brand.owner, brand, "brand-add-competitor", page=page, name="Velmora", domain="other.example")
    assert "is tracked. Its history" not in taken
    send(brand.owner, brand, "brand-remove-competitor", page=page, id=zentra.pk)
    assert brand.competitors.filter(pk=zentra.pk).exists()
    send(brand.owner, brand, "brand-remove-competitor", page=page, sure="on", id=zentra.pk)
    assert not brand.competitors.filter(pk=zentra.pk).exists()


def test_an_audit_starts_with_the_pages_chosen_shows_how_far_it_is_and_stops(brand):
    page = reverse("brand-audit", args=[brand.pk])
    browser = Browser(brand.owner)
    assert "Enter a whole number." in send(brand.owner, brand, "brand-start-audit", page="brand-audit", pages="many")
    assert "less than or equal to 50" in send(brand.owner, brand, "brand-start-audit", page="brand-audit", pages="51")
    assert not Run.objects.filter(kind="audit").exists()
    assert "The audit has begun." in send(brand.owner, brand, "brand-start-audit", page="brand-audit", pages="7")
    assert Audit.objects.get().max_pages == 7
    Run.objects.filter(kind="audit").update(done=3)
    running = browser.open(page)
    assert (
        "3 of at most 7 pages read" in text_of(running) and '<progress value="3" max="7"' in running.content.decode()
    )
    assert "http-equiv" not in running.content.decode()
    assert "Stopped." in send(brand.owner, brand, "brand-stop-audit", page="brand-audit")
    assert "No audit is under way." in send(brand.owner, brand, "brand-stop-audit", page="brand-audit")


def test_who_only_looks_is_offered_nothing_to_change_and_changes_nothing(brand):
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    browser = Browser(viewer)
    prompt = Prompt.objects.filter(brand=brand).first()
    for name in ("todo", "prompts", "competitors", "sources", "audit"):
        assert "/do/" not in browser.open(reverse(f"brand-{name}", args=[brand.pk])).content.decode()
    assert "/do/" not in browser.open(reverse("brand-prompt", args=[brand.pk, prompt.pk])).content.decode()
    browser.client.handler.enforce_csrf_checks = False
    competitor = brand.competitors.get()
    for act, values in {
        "brand-remove-competitor": {"sure": "on", "id": competitor.pk},
        "brand-change-prompt": {"verb": "archive", "id": prompt.pk},
        "brand-start-audit": {"pages": "1"},
    }.items():
        browser.client.post(reverse(act, args=[brand.pk]), values)
    prompt.refresh_from_db()
    assert prompt.archived_at is None and brand.competitors.exists() and not Run.objects.filter(kind="audit").exists()


def test_an_audit_that_failed_says_why(brand):
    why = {"error_code": "site_refused", "error_message": "The site lets nobody in."}
    Run.objects.create(brand=brand, kind="audit", status="failed", trigger="web", **why)
    page = text_of(Browser(brand.owner).open(reverse("brand-audit", args=[brand.pk])))
    assert "The last audit failed. The site lets nobody in." in page and "Not audited yet." in page
