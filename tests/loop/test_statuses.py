"""What people may set, who may, what is kept of it, and that simultaneous callers make one change."""

import pytest

from apikeys.caller import Caller
from apikeys.operators import system_caller
from tests.factories import RecommendationFactory
from visibility.models import Recommendation, StatusChange
from visibility.services.recommendations.deciding import set_status, set_status_by_id

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(cast):
    return RecommendationFactory(brand=cast.brand)


def changes(row):
    rows = StatusChange.objects.filter(recommendation=row).order_by("pk")
    return list(rows.values_list("before", "status", "reason", "actor"))


def test_a_change_is_kept_with_who_made_it_and_why(row, owner):
    set_status(owner, recommendation=row, status="in_progress")
    changed = set_status(owner, recommendation=row, status="done", reason="  The guide\tis online. \n See /guide ")
    assert (changed.status_reason, changed.status_by) == ("The guide is online. See /guide", owner.actor)
    assert changes(row) == [
        ("open", "in_progress", "", owner.actor),
        ("in_progress", "done", "The guide is online. See /guide", owner.actor),
    ]


def test_the_status_it_has_changes_nothing(row, owner):
    first = set_status(owner, recommendation=row, status="dismissed", reason="not ours")
    again = set_status(owner, recommendation=row, status="dismissed", reason="another reason")
    assert (again.status_reason, again.status_changed_at) == ("not ours", first.status_changed_at)
    assert len(changes(row)) == 1


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 501, "a\x00b", "<untrusted-quote>"])
def test_who_dismisses_says_why(row, owner, refused, reason):
    error = refused("invalid_arguments", set_status, owner, recommendation=row, status="dismissed", reason=reason)
    assert error.details["argument"] == "reason"
    assert changes(row) == []


@pytest.mark.parametrize("status", ["resolved", "mention_gap", "", "DONE"])
def test_measurement_alone_resolves(row, owner, refused, status):
    refused("invalid_arguments", set_status, owner, recommendation=row, status=status)


def test_editors_and_staff_may_viewers_and_strangers_not(cast, row, refused):
    for caller in (Caller.from_user(cast.editor), system_caller("user:7")):
        set_status(caller, recommendation=row, status="in_progress")
        set_status(caller, recommendation=row, status="open")
    viewer, stranger = Caller.from_user(cast.viewer), Caller.from_user(cast.stranger)
    refused("read_only_collaborator", set_status, viewer, recommendation=row, status="done")
    refused("not_found", set_status, stranger, recommendation=row, status="done")
    assert [actor for *_, actor in changes(row)] == [f"user:{cast.editor.pk}"] * 2 + ["user:7"] * 2


def test_by_its_id_within_its_brand(cast, row, owner, refused):
    other = RecommendationFactory()
    assert set_status_by_id(owner, brand_id=cast.brand.pk, recommendation_id=row.pk, status="done").status == "done"
    for recommendation in (other.pk, cast.brand.pk):
        arguments = {"brand_id": cast.brand.pk, "recommendation_id": recommendation, "status": "done"}
        refused("not_found", set_status_by_id, owner, **arguments)


def test_one_that_is_gone_is_not_found(row, owner, refused):
    Recommendation.objects.all().delete()
    refused("not_found", set_status, owner, recommendation=row, status="done")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_simultaneous_callers_make_one_change(cast, row, at_once):
    """Each sets another status than is there, and all but the first find it set."""
    caller = Caller.from_user(cast.owner)
    results = at_once(8, lambda number: set_status(caller, recommendation=row, status="done", reason=str(number)))
    assert [result for result in results if isinstance(result, Exception)] == []
    [(before, status, reason, _)] = changes(row)
    assert (before, status) == ("open", "done")
    assert {result.status_reason for result in results} == {reason}
