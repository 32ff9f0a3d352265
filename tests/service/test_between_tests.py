"""What one test leaves for the next: nothing of its own, and all that migrations made."""

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command

from apikeys.models import Plan
from brands.models import Brand
from tests.factories import BrandFactory
from tests.worlds import world


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_flush_takes_what_a_test_wrote_and_leaves_what_migrations_made():
    before = [list(model.objects.order_by("pk").values()) for model in (Plan, Permission)]
    assert all(before)
    brand = BrandFactory()
    Plan.objects.exclude(pk=brand.owner.plan_id).delete()
    call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)
    assert not type(brand).objects.exists()
    assert [list(model.objects.order_by("pk").values()) for model in (Plan, Permission)] == before


def rows():
    return list(Brand.objects.order_by("pk").values())


class TestWorlds:
    """The first test makes a world and spoils it; the second finds it as it was made, also in a flushed database."""

    made = []

    def make(self):
        self.made.append(BrandFactory(name="Of a world"))

    def began(self):
        world("of this test", self.make)
        return rows()

    @pytest.mark.django_db
    def test_a_test_may_spoil_its_world(self):
        first = self.began()
        assert [row["name"] for row in first] == ["Of a world"]
        Brand.objects.update(name="Spoilt")
        BrandFactory()
        assert rows() != first

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("time", [1, 2])
    def test_the_next_one_finds_it_as_it_was_made(self, time):
        [row] = self.began()
        assert row["name"] == "Of a world"
        assert len(self.made) == 1, "made once"
        other = BrandFactory()
        assert other.domain != row["domain"], "numbers of factories go on behind it"
        assert other.owner_id != row["owner_id"], "and so do those of rows"

    @pytest.mark.django_db
    def test_a_world_only_adds(self):
        def takes_away():
            Plan.objects.exclude(tier="scale").delete()

        with pytest.raises(AssertionError, match="changes rows of apikeys_plan"):
            world("takes away", takes_away)
