"""A database that goes away and comes back: what callers are told meanwhile, and that nothing has to be restarted."""

import json
import os
import subprocess
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from apikeys.accounts import keyformat
from config import postgres
from tests.live import ROOT, WEB, live_process
from tests.postgres import FAST
from tests.service.test_serve import wait_until


def answer_of(url: str, raw_key: str) -> tuple[int, dict[str, str], dict]:
    request = Request(url, headers={"Authorization": f"Bearer {raw_key}"})
    try:
        with urlopen(request, timeout=20) as answer:
            return answer.status, dict(answer.headers), json.load(answer)
    except HTTPError as error:
        return error.code, {name.lower(): text for name, text in error.headers.items()}, json.load(error)


@pytest.fixture
def server(tmp_path):
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o711)
    data = tmp_path / "postgres"
    url = postgres.start(data, **FAST)
    environment = {**os.environ, "DATABASE_URL": url}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True, timeout=60)
    yield data, url
    postgres.stop(data)


@pytest.mark.proof
def test_callers_get_503_until_the_database_is_back(server):
    data, database = server
    with live_process(*WEB, database=database) as live:
        brands, ready = f"{live.url}/api/v1/brands", f"{live.url}/readyz"
        assert answer_of(brands, keyformat.mint())[0] == 401
        assert answer_of(ready, "")[2]["database"] == "ok"
        postgres.stop(data)
        status, headers, body = answer_of(brands, keyformat.mint())
        assert (status, body["error"], headers["retry-after"]) == (503, "unavailable", "5")
        assert body["requestId"] == headers["x-request-id"]
        before = time.monotonic()
        assert answer_of(ready, "")[2]["database"].startswith("away")
        assert time.monotonic() - before < 4, "a load balancer has given up by then"
        assert answer_of(f"{live.url}/healthz", "")[0] == 200
        postgres.start(data, **FAST)
        wait_until(lambda: answer_of(brands, keyformat.mint())[0] == 401, 15)
