"""Settings of site audits: hosts on this machine, where they are refused, and how audits introduce themselves."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.settings.audit import checked_user_agent, default_user_agent, local_hosts
from tests.service.test_settings import SAFE, load

SHOWN = "from django.conf import settings; print(settings.AUDIT_LOCAL_HOSTS, settings.AUDIT_USER_AGENT)"


def test_hosts_of_this_machine_are_read(tmp_path):
    given = "demo.example=127.0.0.1:8000, WWW.Shop.com=[::1]:18080,münchen.de=127.0.0.9:80"
    expected = {
        "demo.example": ("127.0.0.1", 8000),
        "www.shop.com": ("::1", 18080),
        "xn--mnchen-3ya.de": ("127.0.0.9", 80),
    }
    printed, errors = load("local", tmp_path, SHOWN, AUDIT_LOCAL_HOSTS=given).communicate(timeout=30)
    assert printed.startswith(str(expected)), errors


def test_there_are_none_unless_someone_names_them(tmp_path):
    printed = load("local", tmp_path, SHOWN).communicate(timeout=30)[0]
    assert printed == "{} BrandVisibilityBot/1.0\n"


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "demo.example",
        "demo.example=",
        "=127.0.0.1:80",
        "demo=127.0.0.1:80",
        "de mo.example=127.0.0.1:80",
        "a..b=127.0.0.1:80",
        "demo.example=127.0.0.1",
        "demo.example=localhost:80",
        "demo.example=::1:80",
        "demo.example=[::1]",
        "demo.example=[::zz]:80",
        "demo.example=127.1:80",
        "demo.example=2130706433:80",
    ],
)
def test_an_entry_that_says_nothing_clear_is_refused_with_an_example(entry):
    said = r"AUDIT_LOCAL_HOSTS: .*Write it as demo\.example=127\.0\.0\.1:8000"
    with pytest.raises(ImproperlyConfigured, match=said):
        local_hosts([entry])


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "192.168.1.1", "169.254.169.254", "93.184.216.34", "0.0.0.0", "[fd00::1]", "[::]"]
)
def test_only_addresses_of_this_machine_can_be_named(address):
    with pytest.raises(ImproperlyConfigured, match=r"is not this machine\. Name a loopback address"):
        local_hosts([f"demo.example={address}:80"])


@pytest.mark.parametrize("port", ["0", "65536", "99999"])
def test_a_port_that_does_not_exist_is_refused(port):
    with pytest.raises(ImproperlyConfigured, match=f"port {port}, which does not exist"):
        local_hosts([f"demo.example=127.0.0.1:{port}"])


def test_production_refuses_them(tmp_path):
    process = load("production", tmp_path, **SAFE, AUDIT_LOCAL_HOSTS="demo.example=127.0.0.1:8000")
    printed = process.communicate(timeout=30)[1]
    assert process.returncode != 0
    assert "Unsafe production settings. AUDIT_LOCAL_HOSTS: leave it out" in printed.strip().splitlines()[-1]


def test_the_web_server_says_what_audits_reach_on_this_machine(tmp_path):
    code = (
        "import logging; logging.basicConfig(format='%(message)s'); import django; django.setup(); "
        "from config import starting; starting.check_static_files = starting.check_migrations = lambda: None; "
        "starting.prepare()"
    )
    given = {"AUDIT_LOCAL_HOSTS": "demo.example=127.0.0.1:8000"}
    said = load("local", tmp_path, code, **given).communicate(timeout=60)[1]
    assert said == "AUDIT_LOCAL_HOSTS: site audits reach demo.example on this machine, at 127.0.0.1:8000.\n"
    assert load("local", tmp_path, code).communicate(timeout=60)[1] == ""


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        (["127.0.0.1", "localhost", "[::1]"], "BrandVisibilityBot/1.0"),
        (
            ["10.0.0.5", "web.internal", "App.Acme.com", "acme.de"],
            "BrandVisibilityBot/1.0 (+https://app.acme.com/bot)",
        ),
        ([".acme.com"], "BrandVisibilityBot/1.0 (+https://acme.com/bot)"),
        (["*"], "BrandVisibilityBot/1.0"),
        ([], "BrandVisibilityBot/1.0"),
    ],
)
def test_audits_introduce_themselves_with_a_page_only_where_it_is_known(hosts, expected):
    assert checked_user_agent(default_user_agent(hosts)) == expected


def test_they_introduce_themselves_as_the_operator_says(tmp_path):
    given = {"AUDIT_USER_AGENT": "AcmeBot/2.1 (+https://acme.com/bot)"}
    printed = load("local", tmp_path, SHOWN, **given).communicate(timeout=30)[0]
    assert printed == "{} AcmeBot/2.1 (+https://acme.com/bot)\n"


@pytest.mark.parametrize("text", ["", "Böt/1.0", "(+https://acme.com)", "Bot/1.0\r\nX: y", "1Bot", "Bot\t/1"])
def test_a_name_that_no_request_can_carry_is_refused(text):
    with pytest.raises(ImproperlyConfigured, match=r"AUDIT_USER_AGENT: .* Write it as YourBot/1\.0"):
        checked_user_agent(text)
