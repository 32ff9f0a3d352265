"""What many callers do at once, in real threads: limits hold, a name belongs to one, a deletion is whole."""

from contextlib import suppress
from functools import partial
from itertools import count
from threading import Barrier, Event
from time import sleep
from uuid import uuid4

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from brands.brands import create_brand, delete_brand, transfer_brand, update_brand
from brands.competitors import add_competitor
from brands.models import Brand, Collaborator, Competitor, Invitation, Name
from brands.people import accept
from brands.sharing import MOST_LINKS, share
from tests.brands.conftest import new_cast
from tests.factories import BrandFactory, EngineFactory, RunFactory, UserFactory, plan
from tests.live import wait_for
from tests.threads import PATIENCE, at_once
from visibility.models import Run, RunEngine

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def is_waited_for():
    """Whether another connection waits for what this one holds."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    with connection.cursor() as cursor:
        return cursor.execute(waiting).fetchone()[0]


def codes(outcomes):
    return sorted(outcome.code for outcome in outcomes if isinstance(outcome, ServiceError))


def test_twenty_callers_do_not_pass_the_limit_of_sites(system):
    owner = UserFactory(plan=plan("growth"))
    create = partial(create_brand, system, owner=owner)
    outcomes = at_once([partial(create, name=f"N{n}", domain=f"n{n}.com") for n in range(20)])
    assert sum(isinstance(outcome, Brand) for outcome in outcomes) == owner.brands.count() == 5
    assert codes(outcomes) == ["quota_exceeded"] * 15


def test_twenty_callers_do_not_pass_the_limit_of_competitors(system):
    brand = BrandFactory(owner=UserFactory(plan=plan("growth")))
    add = partial(add_competitor, system, brand_id=brand.pk)
    outcomes = at_once([partial(add, name=f"R{n}", domain=f"r{n}.com") for n in range(20)])
    assert sum(isinstance(outcome, Competitor) for outcome in outcomes) == brand.competitors.count() == 10
    assert codes(outcomes) == ["quota_exceeded"] * 10
    brand.refresh_from_db()
    assert brand.names_version == 11


def test_thirty_callers_do_not_pass_the_limit_of_links(system):
    brand = BrandFactory()
    make = partial(share, Caller.from_user(brand.owner), brand_id=brand.pk)
    outcomes = at_once([partial(make, link_id=uuid4()) for _ in range(30)])
    assert sum(isinstance(outcome, tuple) for outcome in outcomes) == brand.share_links.count() == MOST_LINKS
    assert codes(outcomes) == ["conflict"] * 10


def test_a_name_that_twenty_want_at_once_belongs_to_one(system):
    brand = BrandFactory()
    add = partial(add_competitor, system, brand_id=brand.pk)
    calls = [partial(add, name=f"R{n}", domain=f"r{n}.com", aliases=["Wanted"]) for n in range(19)]
    outcomes = at_once([*calls, partial(update_brand, system, brand_id=brand.pk, aliases=["wanted"])])
    assert codes(outcomes) == ["conflict"] * 19
    assert Name.objects.filter(key="wanted").count() == 1
    assert brand.competitors.count() <= 1


def test_an_invitation_is_accepted_once():
    cast = new_cast()
    offer = Invitation.objects.create(
        brand=cast.brand, email=cast.stranger.user.email, invited_by=cast.brand.owner, role="owner"
    )
    outcomes = at_once([partial(accept, cast.stranger, invitation_id=offer.pk)] * 5)
    assert codes(outcomes) == ["not_found"] * 4
    assert Brand.objects.get().owner == cast.stranger.user
    assert not Collaborator.objects.filter(user=cast.stranger.user).exists()


def test_transfers_and_new_brands_at_once_do_not_pass_the_limit(system):
    one, other = UserFactory(plan=plan("growth")), UserFactory(plan=plan("growth"))
    theirs = BrandFactory.create_batch(4, owner=one) + BrandFactory.create_batch(4, owner=other)
    transfers = [
        partial(transfer_brand, system, brand_id=brand.pk, to=other if brand.owner == one else one)
        for brand in theirs
    ]
    create = partial(create_brand, Caller.from_user(one), owner=one)
    outcomes = at_once([*transfers, *(partial(create, name=f"N{n}", domain=f"n{n}.com") for n in range(8))])
    assert set(codes(outcomes)) <= {"quota_exceeded"}
    assert not [outcome for outcome in outcomes if not isinstance(outcome, ServiceError | Brand)]
    assert max(one.brands.count(), other.brands.count()) <= 5


def test_a_brand_is_deleted_whole_while_workers_add_rows_below_it(system):
    brand = new_cast().brand
    run, engine = RunFactory(brand=brand), EngineFactory()
    began, is_over = Barrier(4, timeout=PATIENCE), Event()

    def add_row(number):
        RunEngine.objects.create(run=run, engine=engine, surface=str(number))

    def add_run(number):
        RunFactory(brand=brand)

    def add_both(number):
        with transaction.atomic():
            RunEngine.objects.create(run=run, engine=engine, surface=f"with run {number}")
            RunFactory(brand=brand)

    def work(add):
        """Goes on after failures, as workers do: the brand or run is gone, or a deadlock was ended by its own end."""
        for number in count():
            if number == 10:
                began.wait()
            with suppress(IntegrityError, OperationalError):
                add(number)
            if is_over.is_set():
                return

    def delete():
        began.wait()
        try:
            delete_brand(system, brand_id=brand.pk)
        finally:
            is_over.set()

    workers = [partial(work, add) for add in (add_row, add_run, add_both)]
    assert at_once([delete, *workers]) == [None] * 4
    assert not Brand.objects.exists()
    assert not Run.objects.exists()
    assert not RunEngine.objects.exists()


def test_a_deletion_gives_way_to_a_worker_that_holds_a_run_and_goes_on_after_it(system):
    brand = new_cast().brand
    run, is_held = RunFactory(brand=brand), Event()

    def work():
        with transaction.atomic():
            Run.objects.select_for_update().get(pk=run.pk)
            is_held.set()
            wait_for(is_waited_for)  # by the deletion, which holds the brand
            sleep(0.3)  # who waits longest gives way
            RunFactory(brand=brand)

    def delete():
        is_held.wait(PATIENCE)
        delete_brand(system, brand_id=brand.pk)

    assert at_once([delete, work]) == [None, None]
    assert not Brand.objects.exists()
    assert not Run.objects.exists()
