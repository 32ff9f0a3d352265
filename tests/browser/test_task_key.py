"""An operator issues a key in the admin, reads it once, and it opens both doors to curl."""

import json
import re
import shlex
import shutil
import subprocess

import pytest

from tests.browser.watching import signed_in

ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_list_sites", "arguments": {}}}


@pytest.fixture
def staff(browser, served):
    with signed_in(browser, served.url, served.staff) as tab:
        yield tab


@pytest.fixture(scope="module")
def run():
    """Runs a call with curl, as a terminal does; gives the status and the body."""
    if shutil.which("curl") is None:
        pytest.skip("There is no curl here. On Debian: sudo apt-get install curl")

    def run(call):
        words = [*shlex.split(call), "--silent", "--show-error", "--noproxy", "*", "--write-out", "\n%{http_code}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
        body, status = done.stdout.rsplit("\n", 1)
        return int(status), json.loads(body)

    return run


def test_a_key_is_issued_read_once_and_used_with_curl(staff, served, run):
    page = staff.page
    page.get_by_role("link", name="Admin", exact=True).click()
    page.get_by_role("link", name="API keys", exact=True).click()
    page.get_by_role("link", name=re.compile("add API key", re.IGNORECASE)).click()
    page.get_by_label("Owner").fill(served.owner[0])
    page.get_by_label("Name").fill("Dashboard of the sales team")
    page.get_by_label("reporting: sites").check()
    page.get_by_role("button", name="Issue key").click()
    key = page.get_by_label("The key", exact=True).input_value()
    call = page.get_by_label("A call with the key").input_value()
    assert staff.troubles == []

    status, listed = run(call)
    assert status == 200 and [brand["name"] for brand in listed["brands"] if served.brand.endswith(brand["id"])] == [
        "Norrvik Cycles"
    ]
    sent = shlex.join(["--header", "Content-Type: application/json", "--data", json.dumps(ASKED)])
    status, answer = run(f"{call.replace('/api/v1/brands', '/mcp')} {sent}")
    assert status == 200
    assert "Norrvik Cycles" in {site["name"] for site in answer["result"]["structuredContent"]["sites"]}
    status, refused = run(call.replace(key, f"{key[:-1]}!"))
    assert (status, refused["error"]) == (401, "invalid_api_key")

    page.reload()
    assert "has issued its key already" in page.inner_text("#content")
    assert key not in page.content()
    page.get_by_role("link", name="Details of this key").click()
    assert "Dashboard of the sales team" in page.inner_text("#content") and key not in page.content()
    page.get_by_role("link", name="API keys", exact=True).first.click()
    row = page.locator("#result_list tr", has_text=key[-4:])
    assert "active" in row.inner_text() and key not in page.content()
    assert all("409" in trouble for trouble in staff.troubles)
