"""The pages where people have prompts and drafts written."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from tests.factories import BrandFactory, CompetitorFactory, PromptFactory, UserFactory, own_pages
from tests.scans.history import asked_run, end
from visibility.models import ContentDraft, Prompt

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def visit(client):
    def go(user, name, data=None, follow=True, **where):
        if user:
            client.force_login(user)
        address = reverse(name, kwargs=where)
        return client.get(address) if data is None else client.post(address, data, follow=follow)

    return go


@pytest.fixture
def measured(cast):
    CompetitorFactory(brand=cast.brand, name="Velmora")
    prompts = [PromptFactory(brand=cast.brand, text="Which bike is best in snow?", topic="winter")]
    end(asked_run(cast.brand, prompts, texts=[f"Velmora is the best. {HOSTILE} It lasts."]))
    return cast.brand


@pytest.mark.parametrize("name", ["prompts-page", "content-page"])
def test_people_around_a_brand_see_it_and_strangers_do_not(visit, cast, measured, name):
    for person in (cast.owner, cast.editor, cast.viewer):
        assert visit(person, name, brand_id=measured.pk).status_code == 200
    assert visit(cast.stranger, name, brand_id=measured.pk).status_code == 404


@pytest.mark.parametrize(
    ("name", "data"), [("suggest-prompts", {"count": 1, "topic": "bikes"}), ("write-draft", {"topic": "bikes"})]
)
def test_only_those_who_may_change_the_brand_have_things_written(visit, cast, measured, name, data):
    staff = UserFactory(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename="view_brand"))
    assert visit(cast.stranger, name, data, brand_id=measured.pk).status_code == 404
    assert visit(staff, name, data, brand_id=measured.pk).status_code == 404
    refused = visit(cast.viewer, name, data, brand_id=measured.pk)
    assert b"Ask its owner to make you an editor" in refused.content
    assert (Prompt.objects.count(), ContentDraft.objects.count()) == (1, 0)
    own_pages(measured)
    assert visit(cast.editor, name, data, brand_id=measured.pk).status_code == 200
    assert (Prompt.objects.count() - 1) + ContentDraft.objects.count() == 1


def test_viewers_are_offered_no_forms(visit, cast, measured):
    for name in ("prompts-page", "content-page"):
        assert b'<form method="post" action="/brands/' in visit(cast.owner, name, brand_id=measured.pk).content
        assert b'<form method="post" action="/brands/' not in visit(cast.viewer, name, brand_id=measured.pk).content


def test_suggested_prompts_are_added_and_listed(visit, cast, measured):
    wishes = {"count": 3, "topic": "cargo bikes", "stage": "decision", "locale": ""}
    page = visit(cast.owner, "suggest-prompts", wishes, brand_id=measured.pk).content.decode()
    assert "3 prompts were added" in page
    added = Prompt.objects.filter(topic="cargo bikes", stage="decision")
    assert added.count() == 3
    assert all(prompt.text in page for prompt in added)


@pytest.mark.parametrize(
    ("wishes", "words"), [({"count": 99}, "How many"), ({"count": 1, "topic": "Acme"}, "Leave the brand out")]
)
def test_a_wish_that_cannot_be_is_explained(visit, cast, measured, wishes, words):
    assert words in visit(cast.owner, "suggest-prompts", wishes, brand_id=measured.pk).content.decode()
    assert Prompt.objects.count() == 1


def test_an_opportunity_becomes_a_draft(visit, cast, measured):
    own_pages(measured, "winter")
    page = visit(cast.owner, "content-page", brand_id=measured.pk).content.decode()
    assert "name Velmora, not Acme" in page
    [opportunity] = {part.split('"')[0] for part in page.split('name="opportunity" value="')[1:]} - {""}
    draft = visit(cast.owner, "write-draft", {"opportunity": opportunity}, brand_id=measured.pk)
    text = draft.content.decode()
    assert "[fact needed: " in text
    assert "The warranty on winter is five years" in text
    assert HOSTILE not in text
    made = ContentDraft.objects.get()
    assert draft.redirect_chain[-1][0] == reverse("draft-page", kwargs={"draft_id": made.pk})
    assert f"/drafts/{made.pk}" in visit(cast.owner, "content-page", brand_id=measured.pk).content.decode()
    assert visit(cast.stranger, "draft-page", draft_id=made.pk).status_code == 404
    assert visit(cast.viewer, "draft-page", draft_id=made.pk).status_code == 200


def test_a_topic_that_nothing_is_known_of_stays_typed(visit, cast, measured):
    answer = visit(cast.owner, "write-draft", {"topic": "deep sea", "format": "faq"}, brand_id=measured.pk)
    page = answer.content.decode()
    assert answer.status_code == 400 and "too little to write from" in page and not ContentDraft.objects.exists()
    assert 'value="deep sea"' in page and '<option value="faq" selected>' in page


def test_reading_pages_changes_nothing_and_writing_needs_post(visit, cast, measured, client):
    client.force_login(cast.owner)
    assert client.get(reverse("write-draft", kwargs={"brand_id": measured.pk})).status_code == 405
    assert client.get(reverse("suggest-prompts", kwargs={"brand_id": measured.pk})).status_code == 405


def test_a_prompt_is_archived_and_asked_again_on_its_page(visit, client, cast, measured):
    prompt = Prompt.objects.get()
    where = {"brand_id": measured.pk, "prompt_id": prompt.pk}
    assert b">Archive<" in visit(cast.owner, "prompt-page", **where).content
    done = visit(cast.editor, "archive-prompt", {}, **where).content.decode()
    assert (
        "Scans no longer ask this prompt. Its history is kept. The plan has 0 of 350 active prompts in use."
    ) in done
    assert ">Ask again<" in done and "It lasts." in done, "what was answered stays"
    assert not Prompt.objects.active().exists()
    assert prompt.text not in visit(cast.owner, "prompts-page", brand_id=measured.pk).content.decode()
    archive = client.get(reverse("prompts-page", kwargs={"brand_id": measured.pk}) + "?state=archived")
    assert prompt.text in archive.content.decode().split("No longer asked")[1]
    assert (
        "The next scan asks this prompt again." in visit(cast.owner, "restore-prompt", {}, **where).content.decode()
    )
    assert Prompt.objects.active().get() == prompt


@pytest.mark.parametrize("name", ["archive-prompt", "restore-prompt"])
def test_who_may_not_change_the_brand_archives_nothing(visit, client, cast, measured, name):
    where = {"brand_id": measured.pk, "prompt_id": Prompt.objects.get().pk}
    before = Prompt.objects.values().get()
    assert visit(cast.stranger, name, {}, **where).status_code == 404
    assert b"Ask its owner to make you an editor" in visit(cast.viewer, name, {}, **where).content
    assert visit(cast.owner, name, None, **where).status_code == 405
    other = BrandFactory(owner=cast.owner)
    assert visit(cast.owner, name, {}, brand_id=other.pk, prompt_id=where["prompt_id"]).status_code == 404
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    assert strict.post(reverse(name, kwargs=where)).status_code == 403
    assert Prompt.objects.values().get() == before
    assert b">Archive<" not in visit(cast.viewer, "prompt-page", **where).content
