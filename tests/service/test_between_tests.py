"""What one test leaves for the next: nothing of its own, and all that migrations made."""

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command

from apikeys.models import Plan
from tests.factories import BrandFactory


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_flush_takes_what_a_test_wrote_and_leaves_what_migrations_made():
    before = [list(model.objects.order_by("pk").values()) for model in (Plan, Permission)]
    assert all(before)
    brand = BrandFactory()
    Plan.objects.exclude(pk=brand.owner.plan_id).delete()
    call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)
    assert not type(brand).objects.exists()
    assert [list(model.objects.order_by("pk").values()) for model in (Plan, Permission)] == before
