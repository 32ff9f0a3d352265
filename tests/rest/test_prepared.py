"""Statements that are compiled once give what their querysets give, to each caller its own."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Value
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, PreparedInsert
from apikeys.models import CallLog
from apikeys.operators import system_caller
from brands.models import Brand
from tests.factories import BrandFactory, RecommendationFactory, RunFactory
from visibility.models import Recommendation, Run
from visibility.services.reading import statements


@pytest.fixture
def named():
    def build(caller, name):
        return Brand.objects.restrict(caller, "view").filter(name=name).order_by("domain").values_list("domain", "id")

    return Prepared(build)


def domains(prepared, caller, name="Acme"):
    return [domain for domain, _ in prepared.rows(caller, name=name)]


def test_each_caller_gets_its_own_rows(named, cast):
    BrandFactory(owner=cast.stranger, name="Acme", domain="stranger.example")
    BrandFactory(owner=cast.stranger, name="Other", domain="other.example")
    for _ in range(2):  # compiled in the first round, run again in the second
        assert domains(named, Caller.from_user(cast.owner)) == ["acme.example"]
        assert domains(named, Caller.from_user(cast.stranger)) == ["stranger.example"]
        assert domains(named, Caller.from_user(cast.stranger), "Other") == ["other.example"]
        assert domains(named, Caller.from_user(cast.viewer)) == ["acme.example"]
        assert domains(named, system_caller("command:test")) == ["acme.example", "stranger.example"]
        assert domains(named, Caller(actor="nobody")) == []


def test_the_queryset_is_built_once_for_each_kind_of_caller(cast):
    built = []

    def build(caller):
        built.append(caller.reach)
        return Brand.objects.restrict(caller, "view").values_list("pk")

    prepared = Prepared(build)
    for caller in (Caller.from_user(cast.owner), Caller.from_user(cast.stranger), system_caller("x")) * 2:
        prepared.rows(caller)
    assert built == ["own", "all"]


def test_values_of_every_type_come_back_as_the_queryset_gives_them(cast):
    run = RunFactory(brand=cast.brand, engines=["a"], score=1.5)
    RecommendationFactory(brand=cast.brand, first_seen_run=run)
    caller = Caller.from_user(cast.owner)
    for prepared, model, fields in (
        (statements.RUNS, Run, statements.RUN_FIELDS),
        (statements.RECOMMENDATIONS, Recommendation, statements.RECOMMENDATION_FIELDS),
    ):
        expected = list(model.objects.filter(brand=cast.brand).values_list(*fields))
        assert [tuple(row) for row in prepared.rows(caller, brand_id=cast.brand.pk)] == expected


def test_a_choice_is_as_good_as_its_text(cast):
    RecommendationFactory(brand=cast.brand, status="done")
    prepared = Prepared(statements.RECOMMENDATIONS_WITH_STATUS._build)
    for status in (Recommendation.Status.DONE, "done"):
        rows = prepared.rows(Caller.from_user(cast.owner), brand_id=cast.brand.pk, status=status)
        assert len(rows) == 1


def test_a_value_is_never_part_of_the_statement(named, cast):
    hostile = "' OR 1=1 --%s"
    brand = BrandFactory(owner=cast.owner, name=hostile, domain="hostile.example")
    assert [pk for _, pk in named.rows(Caller.from_user(cast.owner), name=hostile)] == [brand.pk]


def test_constants_may_hold_any_character(cast):
    brand = BrandFactory(owner=cast.owner, name="100 %s ' \\ %% Ä", domain="odd.example")

    def build(caller, domain):
        return Brand.objects.filter(name=brand.name, domain=domain).annotate(x=Value("%s'")).values_list("pk", "x")

    prepared = Prepared(build)
    assert [tuple(row) for row in prepared.rows(system_caller("x"), domain="odd.example")] == [(brand.pk, "%s'")]
    assert prepared.rows(system_caller("x"), domain="acme.example") == []


def test_the_log_of_statements_shows_values(named, cast):
    with CaptureQueriesContext(connection) as captured:
        named.rows(Caller.from_user(cast.owner), name="Ac'me")
    [query] = captured.captured_queries
    assert "'Ac''me'" in query["sql"] or "Ac'me" in query["sql"]
    assert "$1" not in query["sql"]


@pytest.fixture
def postgresql(db):
    """The driver's connection."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite keeps statements by itself")
    connection.ensure_connection()
    return connection.connection


@pytest.mark.parametrize("kept", [True, False])
def test_postgresql_keeps_the_statement_if_it_may(postgresql, named, cast, settings, kept):
    settings.DATABASE_PREPARE = kept
    before = kept_by_postgresql()
    for name in ("Acme", "Other"):
        named.rows(Caller.from_user(cast.owner), name=name)
    assert kept_by_postgresql() - before == kept


def test_nothing_else_is_kept_by_the_driver(postgresql, named, cast):
    """It would keep the text, values and all, of every statement."""
    named.rows(Caller.from_user(cast.owner), name="Acme")
    counted = dict(postgresql._prepared._counts)
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s", ["secret" * 1000])
    assert dict(postgresql._prepared._counts) == counted


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_column_may_change_its_type_meanwhile(postgresql, named):
    brand = BrandFactory(name="Acme")
    caller = Caller.from_user(brand.owner)
    assert domains(named, caller) == [brand.domain]
    try:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE brands_brand ALTER COLUMN domain TYPE varchar(400)")
        assert domains(named, caller) == [brand.domain]
        assert domains(named, caller) == [brand.domain]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE brands_brand ALTER COLUMN domain TYPE varchar(253)")


def kept_by_postgresql():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%brands_brand%'")
        return cursor.fetchone()[0]


def test_errors_are_those_of_django(cast):
    class Broken(Value):
        def as_sql(self, compiler, connection):
            return "no_such_column", []

    prepared = Prepared(lambda caller: Brand.objects.annotate(x=Broken(1)).values_list("x"))
    with pytest.raises(DatabaseError), transaction.atomic():
        prepared.rows(system_caller("x"))


def test_an_added_row_is_as_django_would_save_it(key):
    values = {"key_id": key.pk, "door": "rest", "name": "GET /x", "success": True, "duration_ms": 1.25}
    moment = timezone.now()
    CallLog.objects.create(**values, request_id="1", created_at=moment)
    PreparedInsert(CallLog).add(CallLog(**values, request_id="2", created_at=moment))
    rows = list(CallLog.objects.order_by("request_id").values())
    for row in rows:
        row.pop("id"), row.pop("request_id")
    assert rows[0] == rows[1]


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_threads_may_compile_at_the_same_moment(named):
    brand = BrandFactory(name="Acme")

    def ask(_):
        try:
            return domains(named, Caller.from_user(brand.owner))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(40))) == [[brand.domain]] * 40
