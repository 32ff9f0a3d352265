"""The page of a draft: what is still to do, its text to edit and copy, files, and how it differs from a page."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import own_pages
from tests.pages.reading import Tags, staff
from tests.people.browser import text_of
from visibility.models import ContentDraft
from visibility.services.content.drafts import prepare_draft

pytestmark = pytest.mark.django_db
HOSTILE = "</textarea><script>alert(1)</script><img src=x onerror=alert(2)>"
TEXT = "Acme has made bikes in Graz since 1974 [S1].\n\n[fact needed: the price]"


@pytest.fixture
def draft(cast, owner):
    own_pages(cast.brand)
    made = prepare_draft(owner, brand_id=cast.brand.pk, topic="bikes", format="landing")().draft
    return ContentDraft.objects.get(pk=made.id)


@pytest.fixture
def at(draft):
    return {"draft_id": draft.pk}


def fields(**changes):
    return {"title": "Bikes by Acme", "markdown": TEXT, "version": "1", **changes}


def test_gaps_checks_and_the_text_to_copy_stand_on_it(visit, cast, draft, at):
    draft.markdown = TEXT
    draft.save()
    page = visit(cast.viewer, "draft-page", **at)
    assert "Facts still needed" in text_of(page) and "The price" in text_of(page)
    assert draft.checks[0]["message"] in text_of(page)
    area, *_ = Tags(page.content.decode()).all("textarea")
    assert "readonly" in area and area["aria-labelledby"] == "text"
    assert 'action="/drafts/' not in page.content.decode(), "viewers are offered no form"


@pytest.mark.parametrize("who", ["owner", "editor"])
def test_owners_and_editors_edit_it(visit, cast, draft, at, who):
    page = visit(getattr(cast, who), "edit-draft", fields(), **at)
    assert "The draft is saved, and was checked again." in text_of(page) and "version 2" in text_of(page)
    draft.refresh_from_db()
    assert draft.latest_title == "Bikes by Acme" and draft.latest_markdown.startswith(TEXT)
    tags = Tags(page.content.decode())
    labelled = {label.get("for") for label in tags.all("label")}
    assert {"title", "markdown"} <= labelled


def test_what_others_saved_meanwhile_is_not_overwritten_and_what_was_typed_is_not_lost(visit, cast, draft, at):
    visit(cast.editor, "edit-draft", fields(title="By the editor"), **at)
    late = visit(cast.owner, "edit-draft", fields(title="By the owner", markdown="Typed for an hour."), **at)
    assert late.status_code == 409 and "after you opened it" in text_of(late)
    assert "Typed for an hour.</textarea>" in late.content.decode()
    assert "As it is stored, version 2" in text_of(late) and TEXT.split(".")[0] in text_of(late)
    draft.refresh_from_db()
    assert draft.latest_title == "By the editor"
    again = visit(cast.owner, "edit-draft", fields(markdown="Typed for an hour."), **at)
    assert again.status_code == 409, "sending it once more does not overwrite it either"


@pytest.mark.parametrize(
    "wrong", [{"markdown": " "}, {"title": ""}, {"version": "x"}, {"markdown": "x" * 200_000}, {"title": "x" * 400}]
)
def test_what_is_refused_stays_in_the_form(visit, cast, draft, at, wrong):
    refused = visit(cast.owner, "edit-draft", fields(**wrong), **at)
    assert refused.status_code == 400
    draft.refresh_from_db()
    assert draft.version == 1
    if "markdown" not in wrong:
        assert TEXT in refused.content.decode()


def test_viewers_strangers_and_staff_edit_nothing(visit, cast, draft, at):
    refused = visit(cast.viewer, "edit-draft", fields(), **at)
    assert refused.status_code == 400 and "Ask its owner to make you an editor" in text_of(refused)
    for person in (cast.stranger, staff(), staff("view_brand")):
        assert visit(person, "edit-draft", fields(), **at).status_code == 404
    for name, more in (("draft-page", {}), ("download-draft", {"format": "html"})):
        assert visit(cast.stranger, name, **at, **more).status_code == 404
        assert visit(staff("view_brand"), name, **at, **more).status_code == 200
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    assert strict.post(reverse("edit-draft", kwargs=at), fields()).status_code == 403
    draft.refresh_from_db()
    assert draft.version == 1


@pytest.mark.parametrize(
    ("format", "ending", "kind"), [("markdown", "md", "text/markdown"), ("html", "html", "text/html")]
)
def test_it_is_taken_along_as_a_file(visit, cast, draft, at, format, ending, kind):
    draft.title = 'Bikes "by" Acme\r\nX-Evil: 1'
    draft.save()
    answer = visit(cast.viewer, "download-draft", format=format, **at)
    assert answer.headers["Content-Type"].startswith(kind)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="bikes-by-acme-x-evil-1.{ending}"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert visit(cast.viewer, "download-draft", format="pdf", **at).status_code == 404


def test_the_difference_to_a_page_is_shown_line_by_line(visit, cast, draft, at):
    draft.page_url, draft.page_text = "https://acme.example/bikes", "Old"
    draft.diff = "--- page\n+++ draft\n@@ -1 +1 @@\n-Old words\n+New words\n same"
    draft.save()
    page = visit(cast.viewer, "draft-page", **at)
    [shown] = page.content.decode().split('<div class="diff">')[1:]
    assert '<p class="removed" dir="auto">-Old words</p><p class="added" dir="auto">+New words</p>' in shown
    [link] = [link for link in Tags(page.content.decode()).all("a") if link.get("href") == draft.page_url]
    assert link["rel"] == "nofollow noreferrer"


def test_words_of_others_stay_words(visit, cast, draft, at):
    draft.title, draft.markdown, draft.diff = HOSTILE, HOSTILE, f"--- a\n+++ b\n+{HOSTILE}"
    draft.structured_data = {"@type": "Article", "headline": HOSTILE}
    draft.sources = [
        {
            "mark": "S1",
            "text": HOSTILE,
            "source": HOSTILE,
            "url": "javascript:alert(1)",
            "own": False,
            "answer_id": None,
        }
    ]
    draft.save()
    for person in (cast.owner, cast.viewer):
        tags = Tags(visit(person, "draft-page", **at).content.decode())
        assert tags.all("img", "style") == []
        assert all(script["src"].startswith("/static/") for script in tags.all("script")), "own files alone"
        assert not [link for link in tags.all("a") if link["href"].startswith("javascript")]
    refused = visit(cast.owner, "edit-draft", fields(markdown=HOSTILE, title="", version="1"), **at)
    hostile = Tags(refused.content.decode())
    assert hostile.all("img") == [] and all(script["src"].startswith("/static/") for script in hostile.all("script"))


def test_it_costs_the_same_for_many(visit, cast, draft, at, django_assert_max_num_queries):
    visit(cast.owner, "draft-page", **at)
    with django_assert_max_num_queries(20):
        visit(None, "draft-page", **at)


def test_it_is_shown_as_it_reads_with_marks_that_lead_to_their_sources(visit, cast, draft, at):
    draft.markdown = "# Bikes\n\nAcme has **made** bikes [S1].\n\n[fact needed: the [price]"
    draft.save()
    page = visit(cast.viewer, "draft-page", **at).content.decode()
    preview = page.split('class="preview"')[1].split("</article>")[0]
    assert "<strong>made</strong>" in preview and '<a class="mark" href="#S1">S1</a>' in preview
    assert '<mark class="gap">[fact needed: the [price]</mark>' in preview
    assert '<tr id="S1">' in page


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](https://a.example '[S1]\" onmouseover=alert(1) x=\"')",
        "![[S1]](https://a.example/x.png)",
        "`[S1]<script>alert(1)</script>`",
        "[fact needed: <img src=x onerror=alert(1)>]",
        "\ue000<script>\ue001 [S1]",
        "<svg onload=alert(1)>[S1]</svg>",
        "| a | <iframe src=//evil.example> |\n|---|---|\n| [S1] | data:text/html,x |",
    ],
)
def test_the_preview_runs_nothing(visit, cast, draft, at, text):
    draft.markdown = text
    draft.save()
    page = visit(cast.viewer, "draft-page", **at).content.decode()
    tags = Tags(page.split('class="preview"')[1].split(">", 1)[1].split("</article>")[0])
    assert tags.all("script", "img", "svg", "iframe", "style") == []
    assert not [tag for tag, attributes in tags.tags if any(key.startswith("on") for key in attributes)]
    assert all(link["href"].startswith(("https://", "#S")) for link in tags.all("a"))


def test_each_sentence_says_whether_its_source_says_so(visit, cast, draft, at):
    source = draft.sources[0]
    draft.markdown = f"{source['text'].rstrip('.')} [{source['mark']}]. Acme is loved by 900 kings [S1]. Acme flies."
    draft.save()
    page = text_of(visit(cast.viewer, "draft-page", **at))
    assert "1 of 3 sound" in page and page.count("its source says so") == 1
    assert "says what its source does not" in page and "has no source" in page
