"""What a page reads in a snapshot is read once; outside of one, and where something may be written, each time."""

import pytest
from django.db import transaction

from apikeys.caller import Caller
from apikeys.db.snapshot import remembered, snapshot
from brands.models import Brand
from brands.services.access import readable_brand
from brands.services.tracked import read_names
from tests.factories import AliasFactory, BrandFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_reading_costs_nothing_again(django_assert_num_queries):
    brand = BrandFactory()
    caller = Caller.from_user(brand.owner)
    with snapshot():
        first = readable_brand(caller, brand.pk), read_names(brand)
        with django_assert_num_queries(0):
            assert readable_brand(caller, brand.pk) is first[0]
            assert read_names(Brand(pk=brand.pk)) is first[1]


def test_what_one_caller_may_read_is_not_given_to_another(refused):
    brand, strangers = BrandFactory(), UserFactory.create_batch(2)
    with snapshot():
        readable_brand(Caller.from_user(brand.owner), brand.pk)
        for stranger in strangers:
            refused("not_found", readable_brand, Caller.from_user(stranger), brand.pk)


def test_the_next_snapshot_reads_anew():
    brand = BrandFactory()
    for count in range(3):
        with snapshot():
            assert len(read_names(brand).aliases) == count
        AliasFactory(brand=brand)


def test_a_transaction_that_writes_sees_what_it_wrote():
    brand = BrandFactory()
    with transaction.atomic(), snapshot():
        assert read_names(brand).aliases == []
        AliasFactory(brand=brand, text="Acme Two")
        assert read_names(brand).aliases == ["Acme Two"]


def test_outside_of_a_snapshot_nothing_is_kept_also_after_an_error():
    calls = []

    @remembered
    def read(number):
        calls.append(number)
        return number

    with pytest.raises(ZeroDivisionError), snapshot():
        read(1), read(1), read(2)
        raise ZeroDivisionError
    assert calls == [1, 2]
    read(1), read(1)
    assert calls == [1, 2, 1, 1]
