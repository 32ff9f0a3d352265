"""`serve --demo`: what `make run` shows to a newcomer works as printed, on every start."""

import json
import re
import shlex
import signal
import subprocess
import urllib.parse
import urllib.request
from datetime import timedelta
from http.cookiejar import CookieJar
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from apikeys.models import ApiKey
from brands.models import Brand
from config.management.commands import run_demo
from tests.factories import UserFactory
from tests.live import live_service, wait_for
from visibility.audit.catalogue import CATALOGUE
from visibility.demo.content import DRAFTS, VIEWER
from visibility.demo.days import DAYS, day_of, first_day
from visibility.demo.history import FIRST_OF_SECOND, SECOND_ENGINE
from visibility.demo.seeding import OWNER
from visibility.demo.website import site_pages
from visibility.models import DailyScore, Proof, Run, Stage, StatusChange

PLANTED = {
    "ACC-01", "ACC-06", "AGT-05", "CIT-06", "DIS-02", "DIS-03", "DIS-06", "DIS-07", "FRE-04", "REN-01", "SCH-01",
    "SCH-04", "STR-04", "STR-06", "STR-07",
}  # fmt: skip
"""Checks that the demo's site fails because it was made to."""
MENDED = {"DIS-04", "ENT-03", "FRE-02", "SCH-05"}
BROKEN = {"AGT-05", "SCH-04"}
"""What its owners mended and broke between the two audits."""


def shown(live):
    """What the demo printed, once it is complete."""
    text = wait_for(
        lambda: (printed := live.printed()) and "Ctrl-C stops the service" in printed and printed,
        seconds=300,
        what="the end of the demo",
    )
    logins = {
        who: (email, password) for who, email, password in re.findall(r"(\w+) login +(\S+) +password +(\S+)", text)
    }
    rest, agent = re.findall(r"^ +(curl .*)$", text, re.MULTILINE)
    key = re.search(r"API key +(\S+)", text)[1]
    return SimpleNamespace(text=text, owner=logins["Owner"], staff=logins["Staff"], key=key, rest=rest, agent=agent)


def follow(curl):
    """The status and the body that the printed line gets."""
    line = [*shlex.split(curl), "--silent", "--show-error", "--noproxy", "*", "--write-out", "\n%{http_code}"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
    body, status = done.stdout.rsplit("\n", 1)
    return int(status), json.loads(body)


def signs_in(live, email, password):
    """Whether the admin lets this person in."""
    return browses(live, "/admin/login/", email, password, then="/admin/").url == f"{live.url}/admin/"


def browses(live, form, email, password, *, then):
    """What the person sees who signs in on this form and wants to go on to a page."""
    return signed_in(live, form, email, password, then=then)[1]


def signed_in(live, form, email, password, *, then):
    """The browser of a person who signed in on this form, and the page that it went on to."""
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )
    page = browser.open(live.url + form, timeout=60).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    sent = {"username": email, "password": password, "csrfmiddlewaretoken": token, "next": then}
    return browser, browser.open(live.url + form, urllib.parse.urlencode(sent).encode(), timeout=60)


@pytest.mark.server
def test_every_start_shows_logins_a_key_and_lines_that_work(prepared):
    with live_service("--demo", **prepared) as live:
        first = shown(live)
        what_is_printed_holds_no_bare_id_no_warning_and_no_password_that_is_old(first.text)
        status, body = follow(first.rest)
        assert status == 200
        assert body["trend"][0]["answers"] > 0
        status, body = follow(first.agent)
        assert status == 200 and "norrvik.example" in json.dumps(body["result"])
        assert signs_in(live, *first.staff)
        assert not signs_in(live, first.staff[0], "another password")
        page = re.search(rf"{live.url}(/brands/\S+)", first.text)[1]
        seen = browses(live, "/login/", *first.owner, then=page)
        assert seen.url == live.url + page and "Norrvik Cycles" in seen.read().decode()
        live.process.send_signal(signal.SIGINT)
        assert live.process.wait(30) == 0
    with live_service("--demo", **prepared) as live:
        second = shown(live)
        assert follow(second.rest)[0] == 200
        status, body = follow(second.rest.replace(second.key, first.key))
        assert (status, body["error"]) == (401, "invalid_api_key")
        assert signs_in(live, *second.staff)
        browser, home = signed_in(live, "/login/", *second.owner, then="/")
        assert home.url == f"{live.url}/"
        its_pages_show_what_was_done(browser, live.url, Brand.objects.get())
    assert ApiKey.objects.filter(revoked_at=None).count() == 1
    assert Run.objects.count() == DAYS + 2, "a second start adds nothing"
    the_whole_history_is_there(Brand.objects.get())
    its_site_is_audited(Brand.objects.get())
    work_was_done_and_proven(Brand.objects.get())


def the_whole_history_is_there(brand):
    """60 days, one fall, one day that cannot be compared: the second engine is asked from then on."""
    days = list(DailyScore.objects.filter(brand=brand, competitor=None).order_by("date"))
    assert [day.date for day in days] == [first_day(brand) + timedelta(days=number) for number in range(DAYS)]
    assert all(day.score is not None and day.low < day.score < day.high for day in days)
    verdicts = [day.change["verdict"] for day in days if day.change]
    assert (verdicts.count("moved"), verdicts.count("not_comparable")) == (1, 1)
    assert len({day.score for day in days}) >= 8, "the pages change, and with them the answers"
    asked = [{item["engine"] for item in day.engines} for day in days]
    alone = FIRST_OF_SECOND - 1
    assert asked == alone * [{"local-search"}] + (DAYS - alone) * [{"local-search", SECOND_ENGINE}]


def its_site_is_audited(brand):
    """Twice, by pages that were served; what is planted there is found, and is something to do."""
    earlier, run = brand.runs.filter(kind="audit").order_by("created_at")
    for audit in (earlier, run):
        assert (audit.status, audit.failed, audit.done) == ("succeeded", 0, len(site_pages()))
    assert earlier.score < run.score
    failed_then = set(earlier.check_results.filter(verdict="failed").values_list("check_id", flat=True))
    failing = set(run.check_results.filter(verdict="failed").values_list("check_id", flat=True))
    assert failing >= PLANTED, PLANTED - failing
    assert failed_then - failing == MENDED and failing - failed_then == BROKEN
    to_do = set(brand.recommendations.filter(kind="audit_finding").values_list("subject", flat=True))
    assert to_do >= {check for check in PLANTED if CATALOGUE[check].matters}


def work_was_done_and_proven(brand):
    """Measured, not written: one page that came back is cited again, another in fine words is not."""
    proofs = {proof.topic: proof for proof in Proof.objects.filter(brand=brand)}
    assert {topic: proof.verdict for topic, proof in proofs.items()} == {"theft": "moved_up", "app": "not_seen"}
    for proof in proofs.values():
        assert proof.done_at.date() == day_of(brand, 43) and proof.judged_at.date() == day_of(brand, 57)
    statuses = set(brand.recommendations.values_list("status", flat=True))
    assert statuses == {"open", "in_progress", "done", "dismissed", "resolved"}
    changes = StatusChange.objects.filter(recommendation__brand=brand)
    assert max(change.changed_at for change in changes).date() <= day_of(brand, DAYS)
    assert {draft.topic for draft in brand.drafts.all()} == set(DRAFTS)
    assert brand.evidence_job.state == "made"
    assert [(member.user.email, member.role) for member in brand.collaborators.all()] == [(VIEWER, "viewer")]


def its_pages_show_what_was_done(browser, url, brand):
    """To the owner, over the real server: audits with what changed, evidence, prompts, work, drafts and people."""

    def page(name, *more, query=""):
        body = browser.open(url + reverse(name, args=[brand.pk, *more]) + query, timeout=120).read().decode()
        return body, " ".join(re.sub(r"<[^>]+>", " ", body).split())

    _, audits = page("audits-page")
    assert re.search(rf"succeeded [\d.]+ \+[\d.]+ \d+ {len(BROKEN)} {len(MENDED)} {len(site_pages())} ", audits)
    assert audits.count(" succeeded ") == 2
    assert "built electric bikes for commuters since 2014" in page("evidence-page")[1]
    for stage in Stage.values:
        assert int(re.search(r"(\d+) prompts that fit", page("prompts-page", query=f"?stage={stage}")[1])[1]) > 1
    for topic, status, said in (
        ("app", "done", "No change that these scans could see"), ("theft", "resolved", "It moved up"),
    ):  # fmt: skip
        work = brand.recommendations.get(kind="own_page_lost", topic=topic)
        assert f"/{work.pk}" in page("recommendations-page", query=f"?status={status}&topic={topic}")[0]
        assert said in page("recommendation-page", work.pk)[1]
    content, _ = page("content-page")
    assert all(reverse("draft-page", args=[draft.pk]) in content for draft in brand.drafts.all())
    assert brand.drafts.count() == len(DRAFTS) and VIEWER in page("people-page")[1]


def what_is_printed_holds_no_bare_id_no_warning_and_no_password_that_is_old(text):
    assert not re.search(r"^\s*[0-9a-f]{8}-[0-9a-f-]{27}\s*$", text, re.MULTILINE), text
    assert "Warning" not in text and "it/s" not in text and "answers/s" not in text
    assert text.count("password ") == 3, text


@pytest.mark.server
def test_a_demo_that_fails_ends_the_service_with_a_sentence(prepared):
    UserFactory(email=OWNER, is_active=False)
    with live_service("--demo", ready="/healthz", **prepared) as live:
        assert live.process.wait(90) == 1
        assert f"The account {OWNER} is deactivated. Reactivate it first." in live.printed()
        assert "Traceback" not in live.printed()


@pytest.mark.django_db
def test_a_demo_that_cannot_be_made_is_refused_in_a_sentence(monkeypatch):
    """`serve` ends with it, as with any task that runs once: see test_supervisor."""
    monkeypatch.setattr(run_demo, "wait_until_ready", lambda address: None)
    UserFactory(email=OWNER, is_active=False)
    with pytest.raises(CommandError, match=f"The account {OWNER} is deactivated. Reactivate it first."):
        call_command("run_demo")


def test_an_address_that_is_none_is_refused():
    with pytest.raises(CommandError, match="--address must be a web address"):
        call_command("run_demo", "--address", "file:///etc/passwd")
