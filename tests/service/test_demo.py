"""`serve --demo`: what `make run` shows to a newcomer works as printed, on every start."""

import json
import re
import shlex
import signal
import urllib.error
import urllib.parse
import urllib.request
from datetime import timedelta
from http.cookiejar import CookieJar

import pytest

from apikeys.models import ApiKey
from brands.models import Brand
from tests.factories import UserFactory
from tests.live import DIRECT, live_service, manage, wait_for
from visibility.demo.history import DAYS, SECOND_ENGINE, first_day
from visibility.demo.seeding import OWNER
from visibility.models import DailyScore, Run

pytestmark = pytest.mark.server


def shown(live):
    """What the demo printed, once it is complete."""
    text = wait_for(
        lambda: (printed := live.printed()) and "Ctrl-C stops the service" in printed and printed,
        seconds=300,
        what="the end of the demo",
    )
    login = re.search(r"Staff login +(\S+) +password +(\S+)", text)
    [curl] = re.findall(r"^ +(curl .*)$", text, re.MULTILINE)
    return {"email": login[1], "password": login[2], "key": re.search(r"API key +(\S+)", text)[1], "curl": curl}


def follow(curl):
    """Do what the printed curl line does."""
    program, flag, header, url = shlex.split(curl)
    assert (program, flag) == ("curl", "-H")
    name, value = header.split(": ", 1)
    with DIRECT.open(urllib.request.Request(url, headers={name: value}), timeout=10) as response:
        return response.status, json.load(response)


def signs_in(live, email, password):
    """Whether the admin lets this person in."""
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )
    page = browser.open(f"{live.url}/admin/login/", timeout=10).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    form = {"username": email, "password": password, "csrfmiddlewaretoken": token, "next": "/admin/"}
    answer = browser.open(f"{live.url}/admin/login/", urllib.parse.urlencode(form).encode(), timeout=10)
    return answer.url == f"{live.url}/admin/"


def test_every_start_shows_a_login_a_key_and_a_line_that_work(prepared):
    with live_service("--demo", **prepared) as live:
        first = shown(live)
        status, body = follow(first["curl"])
        assert status == 200
        assert body["trend"][0]["answers"] > 0
        assert signs_in(live, first["email"], first["password"])
        assert not signs_in(live, first["email"], "another password")
        live.process.send_signal(signal.SIGINT)
        assert live.process.wait(15) == 0
    with live_service("--demo", **prepared) as live:
        second = shown(live)
        assert follow(second["curl"])[0] == 200
        with pytest.raises(urllib.error.HTTPError) as refused:
            follow(second["curl"].replace(second["key"], first["key"]))
        assert refused.value.code == 401
        assert json.load(refused.value)["error"] == "invalid_api_key"
        assert signs_in(live, second["email"], second["password"])
    assert ApiKey.objects.filter(revoked_at=None).count() == 1
    assert Run.objects.count() == DAYS, "a second start adds nothing"
    the_whole_history_is_there(Brand.objects.get())


def the_whole_history_is_there(brand):
    """60 days, one fall, one day that cannot be compared, an engine that was last asked some days ago."""
    days = list(DailyScore.objects.filter(brand=brand, competitor=None).order_by("date"))
    assert [day.date for day in days] == [first_day(brand) + timedelta(days=number) for number in range(DAYS)]
    assert all(day.score is not None and day.low < day.score < day.high for day in days)
    verdicts = [day.change["verdict"] for day in days if day.change]
    assert (verdicts.count("moved"), verdicts.count("not_comparable")) == (1, 1)
    assert len({day.score for day in days}) >= 8, "the pages change, and with them the answers"
    asked = [{item["engine"] for item in day.engines} for day in days]
    assert asked[-5:] == [{"local-search", SECOND_ENGINE}] + 4 * [{"local-search"}]


def test_a_demo_that_fails_ends_the_service_with_a_sentence(prepared):
    UserFactory(email=OWNER, is_active=False)
    with live_service("--demo", ready="/healthz", **prepared) as live:
        assert live.process.wait(90) == 1
        assert f"The account {OWNER} is deactivated. Reactivate it first." in live.printed()
        assert "Traceback" not in live.printed()


def test_an_address_that_is_none_is_refused(prepared):
    result = manage(prepared, "run_demo", "--address", "file:///etc/passwd", check=False)
    assert result.returncode == 1
    assert "--address is a web address" in result.stderr
