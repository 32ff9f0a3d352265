"""Which engine writes: an operator's choice, one at most, and what happens where it cannot."""

import pytest

from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from tests.factories import UserFactory, own_pages
from tests.people.browser import Browser, text_of
from visibility.models import ContentDraft, EngineConfig
from visibility.pipeline.ask.engines import engines_of
from visibility.services.content.drafts import prepare_draft
from visibility.services.engines.configuring import add_engine, edit_engine

pytestmark = pytest.mark.django_db
OPERATOR = system_caller("test")
PLAIN = {"provider": "vllm", "model": "m", "writes": True}


@pytest.fixture
def browser():
    return Browser(UserFactory(is_staff=True, is_superuser=True))


def test_one_engine_writes_at_most():
    first = add_engine(OPERATOR, name="one", **PLAIN)
    with pytest.raises(ServiceError, match="one already writes") as refused:
        add_engine(OPERATOR, name="two", **PLAIN)
    assert (refused.value.code, refused.value.details["argument"]) == ("conflict", "writes")
    second = add_engine(OPERATOR, name="two", **{**PLAIN, "writes": False})
    with pytest.raises(ServiceError, match="one already writes"):
        edit_engine(OPERATOR, engine=second, writes=True)
    edit_engine(OPERATOR, engine=first, writes=False)
    assert edit_engine(OPERATOR, engine=second, writes=True).writes
    assert edit_engine(OPERATOR, engine=second, model="n").writes


def test_an_engine_that_writes_is_not_asked_by_scans_for_that(cast):
    add_engine(OPERATOR, name="one", **PLAIN)
    assert engines_of(cast.brand) == []


def test_without_its_key_the_embedded_writer_writes(cast, owner, monkeypatch):
    own_pages(cast.brand)
    add_engine(OPERATOR, name="one", provider="openai", model="m", key_variable="NOT_SET_API_KEY", writes=True)
    monkeypatch.delenv("NOT_SET_API_KEY", raising=False)
    assert prepare_draft(owner, brand_id=cast.brand.pk, topic="bikes")().draft.writer.kind == "embedded"


def test_operators_tick_it_and_are_told_of_the_other(browser):
    for name in ("one", "two"):
        add_engine(OPERATOR, name=name, **{**PLAIN, "writes": False})
    pages = {
        config.name: f"/admin/visibility/engineconfig/{config.pk}/change/" for config in EngineConfig.objects.all()
    }
    assert browser.submit(pages["one"], writes="on").status_code == 302
    assert EngineConfig.objects.get(writes=True).name == "one"
    assert "already writes" in text_of(browser.submit(pages["two"], writes="on"))


def test_staff_look_at_drafts_and_change_none(cast, owner, browser):
    own_pages(cast.brand, "bikes in snow")
    prepare_draft(owner, brand_id=cast.brand.pk, topic="bikes in snow")()
    draft = ContentDraft.objects.get()
    assert "bikes in snow" in text_of(browser.open("/admin/visibility/contentdraft/"))
    assert "embedded" in text_of(browser.open(f"/admin/visibility/contentdraft/{draft.pk}/change/"))
    browser.open("/admin/visibility/contentdraft/add/", status=403)
