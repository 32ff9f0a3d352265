"""The demo brand's site: what its server answers, and that it is on the loopback alone."""

import http.client
import json
import re
import socket
import subprocess
import sys
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from config.management.commands import serve
from tests.live import ROOT, free_port, inherited, wait_for
from visibility.demo.content import DOMAIN
from visibility.demo.website import GONE, ORIGIN, REDIRECTS, answer, site_pages

TODAY = date(2026, 3, 31)
PATHS = sorted(site_pages())


@pytest.mark.parametrize("path", PATHS)
def test_each_page_is_whole_and_says_that_it_is_invented(path):
    page = answer(f"{path}?utm_source=x", TODAY)
    assert (page.status, page.content_type) == (200, "text/html; charset=utf-8")
    assert page.body.startswith("<!doctype html>") and page.body.rstrip().endswith("</html>")
    assert "An invented company: this site belongs to a demonstration." in page.body
    assert "$" not in page.body, "every place is filled"


def test_there_are_enough_pages_to_look_at():
    assert 12 <= len(PATHS) <= 20 and f"http://{DOMAIN}" == ORIGIN


def test_planted_defects_are_there():
    bodies = {path: answer(path, TODAY).body for path in PATHS}
    titles = [re.search("<title>(.*)</title>", body)[1] for body in bodies.values()]
    assert len(titles) - len(set(titles)) == 1, "one title twice"
    broken = []
    for path, body in bodies.items():
        for block in re.findall(r'<script type="application/ld\+json">(.*?)</script>', body, re.DOTALL):
            try:
                json.loads(block)
            except ValueError:
                broken.append(path)
    assert broken == ["/bikes/commuter-one"]
    assert [path for path, body in bodies.items() if 'name="robots" content="noindex' in body] == ["/business/lease"]
    assert "€" not in bodies["/bikes/commuter-one"] + bodies["/bikes/station"]
    assert '"2690.00"' in bodies["/bikes/commuter-two"] and "€2,890" in bodies["/bikes/commuter-two"]
    wrong = [path for path, body in bodies.items() if f'rel="canonical" href="{ORIGIN}{path}"' not in body]
    assert wrong == ["/bikes/station"]


def test_reviewed_pages_show_a_recent_day_whenever_they_are_asked_for():
    for today, shown in ((TODAY, "1 March 2026"), (date(2030, 1, 1), "1 December 2029")):
        assert shown in answer("/guides/range", today).body
        assert shown not in answer("/guides/winter", today).body


def test_every_link_leads_to_a_page_or_is_planted():
    linked = {href for path in PATHS for href in re.findall(r'href="(/[^"#]*)"', answer(path, TODAY).body)}
    dead = {href for href in linked if answer(href, TODAY).status == 404}
    assert dead == {"/press/kit"}
    assert {href for href in linked if answer(href, TODAY).status == 301} == {"/shop"}
    for target in REDIRECTS.values():
        assert answer(target, TODAY).status in (200, 301)


def test_the_sitemap_lists_every_page_and_one_that_is_gone():
    listed = re.findall("<loc>(.*?)</loc>", answer("/sitemap.xml", TODAY).body)
    assert listed == [f"{ORIGIN}{path}" for path in [*site_pages(), *GONE]]
    assert answer(GONE[0], TODAY).status == 404
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in answer("/robots.txt", TODAY).body


@pytest.mark.server
def test_it_is_served_on_the_loopback_alone():
    port = free_port()
    command = [sys.executable, "manage.py", "demo_site", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=inherited(), stderr=subprocess.PIPE) as process:
        try:
            home = wait_for(lambda: fetched(port, "/"), what="the site")
            assert (home.status, home.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
            assert fetched(port, "/nothing").status == 404
            moved = fetched(port, "/shop")
            assert (moved.status, moved.headers["Location"]) == (301, "/bikes")
            assert fetched(port, "/", "HEAD").read() == b"" and fetched(port, "/", "POST").status == 501
            with pytest.raises(OSError, match="refused"):
                socket.create_connection(("127.0.0.2", port), timeout=5)
        finally:
            process.terminate()


def fetched(port, path, method="GET"):
    """What the site answers; None while it is not up."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        client.request(method, path, headers={"Host": DOMAIN})
        return client.getresponse()
    except ConnectionRefusedError:
        return None


def test_a_port_that_is_taken_is_refused_in_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"Cannot listen on 127.0.0.1 port {port}"):
            call_command("demo_site", "--port", str(port))


def test_audits_are_told_where_it_is_beside_what_the_operator_named(monkeypatch):
    monkeypatch.setenv("AUDIT_LOCAL_HOSTS", "shop.example=127.0.0.1:9000")
    children = []
    told = serve.add_demo_site(children)["AUDIT_LOCAL_HOSTS"]
    [child] = children
    assert child.command[-3:-1] == ["demo_site", "--port"]
    assert told == f"shop.example=127.0.0.1:9000,{DOMAIN}=127.0.0.1:{child.command[-1]}"


def test_production_serves_none(settings):
    settings.SETTINGS_MODULE = serve.PRODUCTION
    children = []
    assert serve.add_demo_site(children) == {} and children == []
