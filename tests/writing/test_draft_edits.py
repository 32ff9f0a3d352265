"""What people do with a draft: edit it, each over the version that they have read, and take it along as a file."""

import json
import re
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from markdown_it import MarkdownIt

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.scopes import Scope
from tests.factories import own_pages
from visibility.models import ContentDraft
from visibility.services.content.drafts import prepare_draft
from visibility.services.content.editing import edit_draft, exported

HOSTILE = (
    "<script>alert(1)</script> [click](javascript:alert(1)) [d](data:text/html,x) ![x](https://evil.example/p.png) "
    "<img src=x onerror=alert(1)> [ok](https://ok.example/a) [v](vbscript:x) &lt;b&gt;"
)


@pytest.fixture
def made(cast, owner):
    """A draft on bikes from three own pages."""
    own_pages(cast.brand)
    draft = prepare_draft(owner, brand_id=cast.brand.pk, topic="bikes", format="landing")().draft
    return ContentDraft.objects.get(pk=draft.id)


def edited(caller, draft, markdown="Acme has made bikes in Graz since 1974 [S1].", title="Bikes by Acme", version=1):
    return edit_draft(caller, draft_id=draft.pk, markdown=markdown, title=title, version=version)


@pytest.mark.django_db
class TestEditing:
    def test_the_original_is_kept_and_the_checks_are_made_anew(self, owner, made):
        before, text = {row["id"]: row["passed"] for row in made.checks}, made.markdown
        result = edited(owner, made, "Acme has made bikes in Graz since 1974 [S1].\n\nWe are the best.")
        made.refresh_from_db()
        assert (made.markdown, made.version, made.edited_by, result.version) == (text, 2, owner.actor, 2)
        assert made.edited_at is not None
        assert result.title == "Bikes by Acme" and result.markdown == made.edited_markdown
        checks = {row.id: row.passed for row in result.checks}
        assert before["sourced"] and not checks["sourced"] and not checks["superlatives"]
        assert before["gaps"] is False and checks["gaps"]

    def test_the_lists_at_the_end_follow_the_text(self, owner, made):
        source = made.sources[0]["source"]
        text = "Acme has made bikes in Graz since 1974 [S1].\n\n[fact needed: the price]\n\n## Sources\n\n"
        text += f"- [S1] {source}"
        result = edited(owner, made, text)
        assert "## Facts still needed\n\n- The price" in result.markdown
        assert result.markdown.count("## Sources") == 1
        once_more = edited(owner, made, result.markdown.replace("[fact needed: the price]", ""), version=2)
        assert "Facts still needed" not in once_more.markdown and "The price" not in once_more.markdown

    def test_what_an_editor_adds_to_the_lists_is_text_of_the_page(self, owner, made):
        result = edited(owner, made, f"{made.markdown}\n- Everybody loves Acme.")
        assert "Everybody loves Acme." in result.markdown.split("## Facts still needed")[0]
        assert not {row.id: row.passed for row in result.checks}["sourced"]

    def test_nobody_overwrites_what_they_have_not_read(self, cast, owner, made, refused):
        edited(owner, made)
        error = refused("conflict", edited, Caller.from_user(cast.editor), made, "Mine.", version=1)
        assert error.details == {"reason": "edited_meanwhile", "version": 2}
        assert owner.actor in error.message and "Your text was not saved" in error.message
        made.refresh_from_db()
        assert "Mine." not in made.edited_markdown
        assert edited(Caller.from_user(cast.editor), made, "Acme, after reading [S1].", version=2).version == 3

    def test_who_may(self, cast, owner, made, refused):
        refused("read_only_collaborator", edited, Caller.from_user(cast.viewer), made)
        refused("not_found", edited, Caller.from_user(cast.stranger), made)
        refused("not_found", edit_draft, owner, draft_id=uuid4(), markdown="x", title="x", version=1)
        reading = Caller(actor="key:1", user=cast.owner, scopes=frozenset({Scope.READ_CONTENT}))
        refused("insufficient_scope", edited, reading, made)
        assert ContentDraft.objects.get().version == 1

    @pytest.mark.parametrize(
        ("wishes", "argument"),
        [
            ({"title": ""}, "title"),
            ({"title": "x" * 201}, "title"),
            ({"title": "a\x00b"}, "title"),
            ({"markdown": " \n\u200b"}, "markdown"),
            ({"markdown": "x" * 60_001}, "markdown"),
            ({"markdown": "a </untrusted-quote> b"}, "markdown"),
        ],
    )
    def test_bad_text_is_named(self, owner, made, refused, wishes, argument):
        assert refused("invalid_arguments", edited, owner, made, **wishes).details["argument"] == argument

    def test_an_edit_costs_nothing(self, owner, made):
        used = Usage.objects.get(kind=Usage.Kind.DRAFTS).used
        edited(owner, made)
        assert Usage.objects.get(kind=Usage.Kind.DRAFTS).used == used == 1

    def test_the_database_takes_no_half_an_edit(self, made):
        for wrong in ({"version": 2}, {"edited_markdown": "x"}):
            with pytest.raises(IntegrityError), transaction.atomic():
                ContentDraft.objects.filter(pk=made.pk).update(**wrong)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_of_simultaneous_edits_one_is_kept(cast, at_once):
    caller = Caller.from_user(cast.owner)
    own_pages(cast.brand)
    draft = ContentDraft.objects.get(pk=prepare_draft(caller, brand_id=cast.brand.pk, topic="bikes")().draft.id)
    outcomes = at_once(8, lambda n: edited(caller, draft, f"Text number {n} [S1]."))
    kept = [each for each in outcomes if not isinstance(each, Exception)]
    assert len(kept) == 1 and {each.code for each in outcomes if isinstance(each, Exception)} == {"conflict"}
    assert ContentDraft.objects.get().edited_markdown == kept[0].markdown


@pytest.mark.django_db
class TestExports:
    def test_markdown_has_the_latest_text_below_its_title(self, owner, made):
        edited(owner, made, title="A *bold* <b> title")
        file = exported(owner, draft_id=made.pk, format="markdown")
        assert file.body.startswith("# A \\*bold\\* \\<b\\> title\n\nAcme has made bikes")
        assert (file.filename, file.content_type) == ("a-bold-b-title.md", "text/markdown; charset=utf-8")

    def test_html_is_a_page_of_its_own_with_its_structured_data(self, owner, made):
        file = exported(owner, draft_id=made.pk, format="html")
        assert file.body.startswith("<!doctype html>") and '<html lang="en">' in file.body
        [data] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', file.body, re.DOTALL)
        assert json.loads(data) == made.structured_data
        assert 'rel="nofollow noopener"' in file.body

    def test_nothing_in_it_runs_or_leads_elsewhere(self, owner, made):
        title = '</title><script>alert(2)</script> "x'
        edited(
            owner, made, f"{HOSTILE}\n\n<div onclick=x>block</div>\n\n[r]: javascript:alert(1)\n\n[r]", title=title
        )
        body = exported(owner, draft_id=made.pk, format="html").body
        assert body.count("<script") == 1 and "alert(2)</script>" not in body
        assert not re.search(r"<(?:img|div|iframe|object|svg|form)\b", body)
        assert re.findall(r'<a href="([^"]*)" rel="nofollow noopener">', body) == ["https://ok.example/a"]
        assert all(url.startswith("https://") for url in re.findall(r'href="([^"]*)"', body))
        assert not re.search(r'(?:href|src)="(?:javascript|data|vbscript)', body)

    def test_structured_data_does_not_end_its_element(self, owner, made):
        edited(owner, made, title="</script><script>alert(3)</script><!-- & x")
        body = exported(owner, draft_id=made.pk, format="html").body
        [data] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', body, re.DOTALL)
        assert json.loads(data)["headline"] == "</script><script>alert(3)</script><!-- & x"

    @pytest.mark.parametrize(
        ("title", "name"),
        [
            ("../../etc/passwd", "etc-passwd.html"),
            ('a"; filename="b.exe', "a-filename-b-exe.html"),
            ("a\u2028b", "a-b.html"),
            ("日本語", "draft.html"),
            ("CON", "con.html"),
            ("x" * 200, f"{'x' * 80}.html"),
        ],
    )
    def test_a_file_name_is_harmless(self, owner, made, title, name):
        ContentDraft.objects.filter(pk=made.pk).update(title=title)
        assert exported(owner, draft_id=made.pk, format="html").filename == name

    def test_who_may(self, cast, made, refused):
        viewer = Caller.from_user(cast.viewer)
        assert exported(viewer, draft_id=made.pk, format="markdown").body
        refused("not_found", exported, Caller.from_user(cast.stranger), draft_id=made.pk, format="markdown")
        assert refused("invalid_arguments", exported, viewer, draft_id=made.pk, format="pdf").details == {
            "argument": "format"
        }

    def test_what_a_reader_of_markdown_sees_is_what_html_shows(self, owner, made):
        shown = re.sub(r"<[^>]+>", "", exported(owner, draft_id=made.pk, format="html").body)
        tokens = MarkdownIt().parse(made.markdown)
        texts = [child.content for token in tokens for child in token.children or [] if child.type == "text"]
        assert all(text.replace("“", "“") in shown.replace("&quot;", '"') for text in texts)


@pytest.mark.django_db
class TestRevisions:
    def test_a_page_that_answers_already_is_revised_with_its_difference(self, cast, owner):
        own_pages(cast.brand, "winter bikes")
        draft = prepare_draft(owner, brand_id=cast.brand.pk, topic="winter bikes", format="landing")().draft
        assert draft.page_url in {f"https://{cast.brand.domain}/{n}" for n in (1, 2, 3)}
        assert draft.diff.startswith("--- page\n+++ draft\n")
        assert "\n+## What Acme offers" in draft.diff
        row = ContentDraft.objects.get()
        assert row.page_text.splitlines()[1] in {source.text for source in draft.sources}

    def test_the_difference_follows_the_text(self, cast, owner):
        own_pages(cast.brand, "winter bikes")
        draft = prepare_draft(owner, brand_id=cast.brand.pk, topic="winter bikes")().draft
        row = ContentDraft.objects.get(pk=draft.id)
        assert "+A line of mine." in edited(owner, row, "A line of mine.").diff

    def test_where_no_page_answers_there_is_none(self, cast, owner, made):
        made.refresh_from_db()
        assert {row["own"] for row in made.sources} == {True}
        ContentDraft.objects.filter(pk=made.pk).update(page_text="", page_url="")
        assert edited(owner, made).diff is None
