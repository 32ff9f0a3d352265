"""Links to a brand's overview: who makes and ends them, and when they open nothing."""

from datetime import timedelta
from hashlib import sha256
from uuid import uuid4

import pytest
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.scopes import SHARED_SCOPES
from brands.models import Brand, Collaborator, ShareLink
from brands.sharing import MOST_LINKS, end_link, follow_link, share
from tests.brands.conftest import deactivate, refusal


@pytest.fixture
def make(at):
    """Makes a link and returns its token."""
    return lambda caller, **options: share(caller, **at, link_id=uuid4(), **options)[1]


def is_open(token):
    """Whether a link opens the page."""
    return ShareLink.objects.working().filter(digest=sha256(token.encode()).hexdigest()).exists()


@pytest.mark.parametrize("who", ["owner", "editor"])
def test_owner_and_editors_make_a_link_with_the_filters_of_a_page(cast, make, who):
    token = make(getattr(cast, who), filters="period=14")
    link = follow_link(token)
    assert (link.brand, link.made_by, link.filters) == (cast.brand, getattr(cast, who).user, "period=14")
    assert link.expires_at - link.created_at == timedelta(days=30)


@pytest.mark.parametrize("who,code", [("viewer", "read_only_collaborator"), ("stranger", "not_found")])
def test_nobody_else_makes_or_ends_a_link(cast, at, make, who, code):
    make(cast.owner)
    caller, link = getattr(cast, who), ShareLink.objects.get()
    assert refusal(share, caller, **at, link_id=uuid4()).code == code
    assert refusal(end_link, caller, **at, link_id=link.pk).code == code
    assert ShareLink.objects.get() == link


def test_a_link_makes_no_further_link(cast, at, make):
    link = follow_link(make(cast.owner))
    caller = Caller.from_link(link.pk, link.brand_id)
    assert refusal(share, caller, **at, link_id=uuid4()).code == "read_only_collaborator"


def test_the_token_is_long_and_stored_as_its_digest_only(cast, make):
    token = make(cast.owner)
    assert len(token) == 43
    [row] = ShareLink.objects.values()
    assert row["digest"] == sha256(token.encode()).hexdigest()
    assert token not in str(row)


def test_a_form_that_is_sent_again_makes_no_second_link(cast, at):
    link, _ = share(cast.owner, **at, link_id=uuid4())
    assert refusal(share, cast.owner, **at, link_id=link.pk).code == "conflict"
    assert ShareLink.objects.count() == 1


def test_who_follows_a_link_sees_one_brand_with_few_read_scopes(cast, make):
    link = follow_link(make(cast.owner))
    caller = Caller.from_link(link.pk, link.brand_id)
    assert list(Brand.objects.restrict(caller, "view")) == [cast.brand]
    assert not Brand.objects.restrict(caller, "change").exists()
    assert caller.scopes == SHARED_SCOPES
    assert all(scope.startswith("read:") for scope in caller.scopes)
    assert not caller.is_operator


def end(cast, at, token):
    end_link(cast.editor, **at, link_id=follow_link(token).pk)


def wait(cast, at, token):
    ShareLink.objects.update(created_at=timezone.now() - timedelta(days=30))


def deactivate_owner(cast, at, token):
    deactivate(cast.owner.user)


def deactivate_maker(cast, at, token):
    deactivate(cast.editor.user)


def remove_maker(cast, at, token):
    Collaborator.objects.filter(user=cast.editor.user).delete()


def demote_maker(cast, at, token):
    Collaborator.objects.filter(user=cast.editor.user).update(role="viewer")


def delete_it(cast, at, token):
    Brand.objects.all().delete()


ENDS = [end, wait, deactivate_owner, deactivate_maker, remove_maker, demote_maker, delete_it]


@pytest.mark.parametrize("happen", ENDS, ids=lambda happen: happen.__name__)
def test_a_link_opens_nothing_any_more(cast, at, make, happen):
    token = make(cast.editor)
    assert is_open(token)
    happen(cast, at, token)
    assert refusal(follow_link, token).code == "not_found"


def test_links_of_the_former_owner_end_when_a_brand_is_handed_over(cast, make):
    token = make(cast.owner)
    Brand.objects.update(owner=cast.stranger.user)
    assert not is_open(token)


@pytest.mark.parametrize("token", ["", "x", "\ud800", "é" * 5_000, "0" * 43])
def test_other_tokens_open_nothing(db, token):
    assert refusal(follow_link, token.encode("utf-8", "replace").decode()).code == "not_found"


def test_expired_links_give_way_to_new_ones(cast, at, make):
    for _ in range(MOST_LINKS):
        make(cast.owner)
    assert refusal(share, cast.owner, **at, link_id=uuid4()).code == "conflict"
    old = ShareLink.objects.first()
    ShareLink.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=31))
    make(cast.owner)
    assert ShareLink.objects.count() == MOST_LINKS
    assert not ShareLink.objects.filter(pk=old.pk).exists()


def test_the_last_use_is_written_once_a_minute(cast, make):
    token = make(cast.owner)
    first = follow_link(token) and ShareLink.objects.get().last_used_at
    assert first is not None
    follow_link(token)
    assert ShareLink.objects.get().last_used_at == first
    earlier = timezone.now() - timedelta(seconds=61)
    ShareLink.objects.update(last_used_at=earlier)
    follow_link(token)
    assert ShareLink.objects.get().last_used_at > earlier
