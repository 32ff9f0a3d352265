"""The admin: each page opens for who may and for nobody else; bad input says why and changes nothing."""

import io
import json
import time
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apikeys.accounts.operators import system_caller
from apikeys.connect.operators import enter_app
from apikeys.connect.tokens import connect
from apikeys.models import ApiKey, CallLog, Plan, User
from apikeys.scopes import ALL_SCOPES
from apikeys.staff import ServiceAdmin
from brands.models import Brand, Collaborator, Invitation, ShareLink
from brands.people import invite
from brands.sharing import share
from tests.factories import (
    BrandFactory,
    CollaboratorFactory,
    CompetitorFactory,
    EngineFactory,
    KeyFactory,
    UserFactory,
    plan,
)
from tests.people.browser import Browser, text_of
from visibility.imports.services import import_answers
from visibility.models import Answer, ChangeRecord, Mention, Prompt, RunEngine, Topic

pytestmark = pytest.mark.django_db
USERS, BRANDS = "/admin/apikeys/user/", "/admin/brands/brand/"
OURS = ("apikeys", "brands", "visibility")
MEASURED = ("answer", "dailyscore", "changerecord")


def address(model, page, *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def call(key, **fields):
    return CallLog.objects.create(key=key, door="rest", name="GET /", success=True, duration_ms=1, **fields)


def measure(system, brand, number):
    """A brand's prompts in two topics, a run with answers that name and cite it, its scores, a change."""
    lines = [
        {
            "prompt": f"Best {word} {number}?",
            "topic": f"{word} {number}",
            "engine": "chatgpt",
            "time": f"2026-01-{1 + number:02}T10:00:00Z",
            "text": f"1. **{brand.name}** is best.\n2. {number}",
            "citations": [f"https://{brand.domain}/{number}", "https://example.org/"],
        }
        for word in ("bike", "lock")
    ]
    import_answers(system, brand=brand.pk, file=io.StringIO("\n".join(map(json.dumps, lines))))
    day = date(2026, 1, 1) + timedelta(number)
    days = {"began": day, "known_on": day, "reported_until": day, "state_since": day, "after_day": day}
    ChangeRecord.objects.create(brand=brand, **days, known_by="confirmed", before=1, before_days=1, after=2, delta=1)


def connect_app(row):
    """Something that is connected with a key."""
    app = enter_app(system_caller("command:test"), name="An app", redirect_uris=["https://app.example/callback"])
    connect(key=row, app=app, scopes=["read:sites"], challenge="", redirect_uri=app.redirect_uris[0])


def populate(system, times=1):
    """Some rows of every kind."""
    for number in range(times):
        brand = BrandFactory(owner=UserFactory())
        CompetitorFactory(brand=brand)
        CollaboratorFactory(brand=brand)
        row = KeyFactory(owner=brand.owner, created_by=system.user)
        call(row)
        connect_app(row)
        invite(system, brand_id=brand.pk, email=f"guest{brand.owner.pk}@example.com", role="viewer")
        share(system, brand_id=brand.pk, link_id=uuid4())
        Group.objects.create(name=f"{number} {brand.pk}")
        measure(system, brand, 0)


def enlarge(answer, topic):
    """More of what the pages of an answer, its run, its prompt and a topic list."""
    answer.prompt.versions.model.objects.bulk_create(
        answer.prompt.versions.model(prompt=answer.prompt, number=number, text=f"{number}") for number in range(2, 12)
    )
    competitors = [CompetitorFactory(brand=answer.brand) for _ in range(10)]
    quote = {"rule": "name", "stance": "neutral", "quote_start": 0, "quote_end": 5}
    Mention.objects.bulk_create(
        Mention(answer=answer, competitor=competitor, start=place, end=place + 1, **quote)
        for place, competitor in enumerate(competitors)
    )
    RunEngine.objects.bulk_create(
        RunEngine(run=answer.run, engine=EngineFactory(name=f"engine-{number}"), surface="app")
        for number in range(10)
    )
    Prompt.objects.bulk_create(
        Prompt(brand=topic.brand, topic=topic, text=f"{number}", digest=f"{number}") for number in range(10)
    )


def pages_of(row, model_admin):
    """The pages of a row, by name."""
    names = ["change", "delete", "history", *(act.slug for act in getattr(model_admin, "acts", ()))]
    return {name: address(type(row), name, row.pk) for name in names}


def test_every_page_of_every_model_opens_for_a_superuser_and_for_nobody_without_permission(system, browser, clerk):
    populate(system)
    stranger, nobody = Client(), Client()
    stranger.force_login(clerk())
    refused_to_all = set()
    for model, model_admin in admin.site._registry.items():
        pages = {name: address(model, name) for name in ("changelist", "add")}
        if row := model.objects.first():
            pages |= pages_of(row, model_admin)
        for name, page in pages.items():
            status = browser.client.get(page).status_code
            assert status in (200, 403), page
            if status == 403:
                refused_to_all.add((model._meta.model_name, name))
            assert stranger.get(page).status_code in (302, 403), page  # 302: for them there is no such row
            assert nobody.get(page)["Location"].startswith("/admin/login/?next="), page
            if isinstance(model_admin, ServiceAdmin):
                assert stranger.post(page).status_code in (302, 403), page
    # What cannot be written by hand has no page for it.
    assert {pair for pair in refused_to_all if pair[0] != "procrastinatejob"} == {
        ("apikey", "delete"),
        ("engine", "delete"),
        ("run", "delete"),
        ("providercall", "add"),
        ("user", "delete"),
        ("app", "delete"),
        ("connection", "add"),
        ("connection", "delete"),
        ("enginechange", "add"),
        ("mail", "add"),
        ("brandchange", "add"),
        ("brandchange", "delete"),
        ("calllog", "add"),
        ("calllog", "delete"),
        ("prompt", "add"),
        ("prompt", "delete"),
        ("sharelink", "add"),
        ("topic", "add"),
        ("topic", "delete"),
        *((name, page) for name in MEASURED for page in ("add", "delete")),
    }


def test_every_write_of_an_act_needs_its_own_permission(system, clerk):
    populate(system)
    for model, model_admin in admin.site._registry.items():
        for act in getattr(model_admin, "acts", ()):
            row = (User.objects.filter(is_staff=False) if model is User else model.objects).first()
            page = address(model, act.slug, row.pk)
            others = {other.permission for other in model_admin.acts} - {act.permission}
            views = {f"{model._meta.app_label}.view_{model._meta.model_name}", "brands.view_brand"}
            without, with_it = clerk(*others, *views), clerk(act.permission, *views)
            for person, status in ((without, 403), (with_it, 200)):
                client = Client()
                client.force_login(person)
                assert client.get(page).status_code == status, (page, status)
                if status == 403:
                    assert client.post(page, {"reason": "x"}).status_code == 403, page
                opened = client.get(address(model, "change", row.pk)).content.decode()
                assert (page in opened) == (status == 200 and act.applies(row)), "only who may act is shown the way"


def test_lists_and_pages_take_the_same_statements_for_one_row_and_for_many(system, browser):
    populate(system)
    rows = {model: model.objects.first() for model in admin.site._registry if model._meta.app_label in OURS}
    pages = [address(model, "changelist") for model in rows]
    pages += [address(model, "change", row.pk) for model, row in rows.items() if row]

    def statements():
        counts = {}
        for page in pages:
            browser.client.get(page)
            with CaptureQueriesContext(connection) as captured:
                browser.open(page)
            counts[page] = len(captured)
        return counts

    few = statements()
    populate(system, 3)
    brand = rows[Brand]
    for number in range(3):
        measure(system, brand, 1 + number)
        CompetitorFactory(brand=brand)
        CollaboratorFactory(brand=brand)
        call(KeyFactory(owner=brand.owner))
        connect_app(ApiKey.objects.last())
    enlarge(rows[Answer], rows[Topic])
    many = statements()
    assert {page: (few[page], many[page]) for page in pages if many[page] > few[page]} == {}
    assert max(many.values()) <= 20, many


def test_an_account_is_made_changed_and_given_a_password_that_is_shown_once(browser, operator, person):
    add = f"{USERS}add/"
    bad = {"email": person.email.upper(), "plan": plan().pk}
    assert "exists already. Use that one" in text_of(browser.submit(add, **bad))
    invitation = browser.submit(add, email="New@example.com", plan=plan().pk)
    assert "Copy this link now" in text_of(invitation) and "no-store" in invitation["Cache-Control"]
    user = User.objects.with_email("new@example.com")
    page = f"{USERS}{user.pk}/"
    assert (user.plan, user.has_usable_password()) == (plan(), False)
    answer = browser.submit(f"{page}set-password/")
    assert "no-store" in answer["Cache-Control"] and answer["Referrer-Policy"] == "no-referrer"
    [password] = [word for word in text_of(answer).split() if User.objects.get(pk=user.pk).check_password(word)]
    assert password not in text_of(browser.open(f"{page}change/"))
    assert password not in str(LogEntry.objects.values())
    browser.submit(f"{page}change/", first_name="Ann", own_max_sites="7", plan=plan("free").pk)
    user.refresh_from_db()
    assert (user.first_name, user.own_max_sites, user.plan, user.check_password(password)) == (
        "Ann",
        7,
        plan("free"),
        True,
    )
    assert "Ensure this value is greater" in text_of(browser.submit(f"{page}change/", own_max_samples="0"))
    assert "Credits 0 of 200" in text_of(browser.open(f"{page}change/"))


def test_an_account_is_deactivated_and_reactivated_by_acts(browser, operator, person):
    page = f"{USERS}{person.pk}/"
    assert "its keys, its password, its sessions" in text_of(browser.open(f"{page}deactivate/"))
    assert "is deactivated" in text_of(browser.open(browser.submit(f"{page}deactivate/")["Location"]))
    assert not User.objects.get(pk=person.pk).is_active
    assert "is deactivated. Reactivate it first" in text_of(browser.submit(f"{page}set-password/"))
    browser.submit(f"{page}reactivate/")
    assert User.objects.get(pk=person.pk).is_active
    refused = browser.submit(f"{USERS}{operator.pk}/deactivate/")
    assert "You cannot deactivate the account that you are signed in with" in text_of(refused)


def test_roles_are_for_superusers_and_accounts_of_staff_too(browser, operator, clerk, person):
    clerk_browser = Browser(clerk("apikeys.view_user", "apikeys.change_user", "apikeys.set_password_user"))
    page = f"{USERS}{person.pk}/change/"
    assert "is_superuser" not in clerk_browser.form(page)
    fields = clerk_browser.form(page) | {"is_superuser": ["on"], "is_staff": ["on"], "first_name": ["Ann"]}
    clerk_browser.client.post(page, fields)
    person.refresh_from_db()
    assert (person.first_name, person.is_staff, person.is_superuser) == ("Ann", False, False)
    for slug in ("set-password", "deactivate"):
        assert clerk_browser.client.get(f"{USERS}{operator.pk}/{slug}/").status_code == 403
    assert clerk_browser.client.post(f"{USERS}{operator.pk}/change/", fields).status_code == 403
    browser.submit(page, is_staff="on", user_permissions=[])
    person.refresh_from_db()
    assert person.is_staff
    own = browser.submit(f"{USERS}{operator.pk}/change/", is_superuser=[])
    assert "You cannot take the superuser role from yourself" in text_of(own)
    client = clerk_browser.client
    assert client.get("/admin/auth/group/").status_code == client.get("/admin/auth/group/add/").status_code == 403


def test_plans_are_edited_and_deleted_through_the_service(browser):
    page = f"/admin/apikeys/plan/{plan('free').pk}/"
    browser.submit(f"{page}change/", credits_per_month="300")
    assert plan("free").credits_per_month == 300
    assert "exists already" in text_of(browser.submit(f"{page}change/", tier="scale"))
    UserFactory(plan=plan("free"))
    answer = browser.submit(f"{page}delete/")
    assert "Move them to another plan first" in text_of(browser.open(answer["Location"]))
    User.objects.filter(plan=plan("free")).update(plan=None)
    browser.submit(f"{page}delete/")
    assert not Plan.objects.filter(tier="free").exists()


def test_a_brand_is_made_named_transferred_and_deleted(browser, person):
    add = {"owner": person.email, "name": "Acme", "domain": "https://www.Acme.example/"}
    assert "Give a country code" in text_of(browser.submit(f"{BRANDS}add/", **add, region="1A"))
    browser.submit(f"{BRANDS}add/", **add, aliases="ACME Tools\n\nAcmee", domains="acme.test")
    brand = Brand.objects.get()
    assert (brand.owner, brand.domain, brand.samples) == (person, "acme.example", 3)
    assert {name.text for name in brand.names.all()} == {"Acme", "ACME Tools", "Acmee"}
    page = f"{BRANDS}{brand.pk}/"
    version = brand.names_version
    browser.submit(f"{page}change/", cadence="daily")
    brand.refresh_from_db()
    assert (brand.cadence, brand.names_version) == ("daily", version)
    browser.submit(f"{page}change/", aliases="Acmee")
    assert {name.text for name in brand.names.all()} == {"Acme", "Acmee"}
    small = UserFactory(plan=plan("free"))
    BrandFactory(owner=small)
    assert "allows 1 sites" in text_of(browser.submit(f"{page}transfer/", to=small.email))
    assert "No account has this email address" in text_of(browser.submit(f"{page}transfer/", to="x@example.com"))
    other = UserFactory()
    browser.submit(f"{page}transfer/", to=other.email.upper())
    brand.refresh_from_db()
    assert brand.owner == other
    assert "Names: 2" in text_of(browser.open(f"{page}delete/"))
    browser.submit(f"{page}delete/")
    assert not Brand.objects.filter(pk=brand.pk).exists()


def test_people_and_invitations_are_added_from_the_page_of_their_brand(browser, person):
    brand = BrandFactory(name="Acme", domain="acme.example")
    page = f"{BRANDS}{brand.pk}/change/"

    def add(model, **fields):
        return browser.submit(f"/admin/brands/{model}/add/?brand={brand.pk}", **fields)

    add("collaborator", user=person.email, role="viewer")
    assert "works on this brand already" in text_of(add("collaborator", user=person.email, role="editor"))
    collaborator = Collaborator.objects.get()
    browser.submit(address(Collaborator, "change", collaborator.pk), role="editor")
    add("invitation", email="guest@example.com", role="owner")
    assert "is invited already" in text_of(add("invitation", email="GUEST@example.com", role="viewer"))
    words = text_of(browser.open(page))
    for expected in (f"{person.email} (editor)", "guest@example.com (owner)"):
        assert expected in words
    for row in (collaborator, Invitation.objects.get()):
        browser.submit(address(type(row), "delete", row.pk))
        assert not type(row).objects.exists()
    for wrong in ("x", "00000000-0000-0000-0000-000000000000", "1'--"):
        answer = browser.submit(f"/admin/brands/invitation/add/?brand={wrong}", email="a@example.com", role="viewer")
        assert answer.status_code == 200 and "error" in text_of(answer)
    assert not Invitation.objects.exists()


def test_competitors_are_looked_at_on_the_page_of_their_brand(browser):
    rival = CompetitorFactory(brand=BrandFactory())
    assert f"{rival.name} {rival.domain}" in text_of(browser.open(f"{BRANDS}{rival.brand.pk}/change/"))


def test_operators_see_and_end_links_and_make_none(browser, system):
    brand = BrandFactory()
    link, token = share(system, brand_id=brand.pk, link_id=uuid4(), filters="period=14")
    words = text_of(browser.open(address(ShareLink, "change", link.pk)))
    assert "period=14" in words and link.digest not in words and token not in words
    assert str(link) in text_of(browser.open(f"{BRANDS}{brand.pk}/change/"))
    browser.submit(address(ShareLink, "delete", link.pk))
    assert not ShareLink.objects.exists()


def test_brands_are_seen_by_who_may_view_them_and_changed_by_nobody_else(clerk):
    brand = BrandFactory()
    page = f"{BRANDS}{brand.pk}/change/"
    viewer = Browser(clerk("brands.view_brand"))
    words = text_of(viewer.open(page))
    assert brand.domain in words and "Transfer" not in words
    assert viewer.client.post(page, {"name": "Mine"}).status_code == 403
    blind = Browser(clerk("brands.view_collaborator", "brands.change_collaborator"))
    collaborator = CollaboratorFactory(brand=brand)
    assert collaborator.user.email not in text_of(blind.open("/admin/brands/collaborator/"))
    blind.open(address(Collaborator, "change", collaborator.pk), status=302)


def test_the_call_log_is_found_by_key_door_code_and_owner_and_never_counted_to_its_end(browser):
    one, two = (KeyFactory(scopes=sorted(ALL_SCOPES), name=name) for name in ("Looker", "Agent"))
    call(one)
    CallLog.objects.create(key=two, door="mcp", name="ask", success=False, error_code="not_found", duration_ms=1)
    log = "/admin/apikeys/calllog/"
    for query, expected in (
        ("", 2),
        (f"?key={one.pk}", 1),
        ("?door__exact=mcp", 1),
        ("?success__exact=0", 1),
        ("?error_code=not_found", 1),
        ("?error_code=unavailable", 0),
        (f"?q={two.owner.email}", 1),
        ("?q=looker", 1),
        ("?q=nothing", 0),
        (f"?created_at__gte={timezone.now():%Y-%m-%dT00:00:00Z}", 2),
    ):
        with CaptureQueriesContext(connection) as captured:
            page = browser.open(log + query)
        assert f"{expected} call" in text_of(page), query
        counts = [each["sql"] for each in captured if "COUNT" in each["sql"] and "calllog" in each["sql"]]
        assert counts and all("LIMIT 10000" in sql for sql in counts), counts
    assert browser.client.get(f"{log}?key=x").status_code == 302


@pytest.mark.proof
def test_a_call_log_of_a_million_rows_opens_in_a_second(browser):
    key = KeyFactory()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO apikeys_calllog"
            " (key_id, door, name, success, error_code, duration_ms, request_id, created_at, count)"
            " SELECT %s, 'rest', 'GET /', true, '', 1, '', now() - make_interval(secs => n), 1"
            " FROM generate_series(1, 1000000) AS n",
            [key.pk],
        )
        cursor.execute("ANALYZE apikeys_calllog")
    for query in ("", f"?key={key.pk}", "?door__exact=mcp", "?error_code=not_found", "?q=Reporting", "?p=100"):
        browser.open(f"/admin/apikeys/calllog/{query}")
        started = time.perf_counter()
        browser.open(f"/admin/apikeys/calllog/{query}")
        assert time.perf_counter() - started < 1, query


def test_pages_carry_no_inline_script_or_style(system, browser):
    """The policy of the service refuses both."""
    populate(system)
    for model, model_admin in admin.site._registry.items():
        row = model.objects.first()
        if model._meta.app_label not in OURS or not row:
            continue
        for page in (address(model, "changelist"), *pages_of(row, model_admin).values()):
            answer = browser.client.get(page)
            content = answer.content.decode()
            assert "default-src 'self'" in answer["Content-Security-Policy"]
            assert "<style" not in content and " style=" not in content and "<script>" not in content, page
