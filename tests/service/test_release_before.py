"""The release before still reads and writes on the tables of this one, so that processes are replaced one by one.

Its code runs in processes of its own, on a database that this release has migrated. It is the newest tag, or the
commit that RELEASE_BEFORE names.
"""

import asyncio
import json
import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from urllib.request import Request

import pytest
from django.conf import settings
from django.test import Client

from brands.models import Brand
from tests.engines.provider import running_provider
from tests.factories import make_key
from tests.live import DIRECT, ROOT, WEB, Live, live_process, own_database, wait_for
from tests.runs.conftest import SYSTEM, make_brand, make_engine
from visibility import jobs
from visibility.models import Answer, Cell, DailyScore, Engine, Run
from visibility.runs.services import start_scan
from visibility.scores.history import METHOD
from visibility.scores.recount import rescore

pytestmark = pytest.mark.proof

PROMPTS = 10
IMPORTED = [
    {"prompt": f"Where to buy shoes number {n}?", "engine": "gpt", "time": "2026-01-05T10:00:00Z", "text": text}
    for n, text in enumerate(("Acme or Globex.", "Globex.", "Acme is best."))
]


@dataclass(frozen=True)
class Before:
    """The running web server and worker of the release before, and a brand that this release has measured."""

    folder: Path
    database: str
    web: Live
    worker: Live
    brand: Brand
    key: str

    def rest(self, part: str) -> dict:
        return self._read(Request(f"{self.web.url}/api/v1/brands/{self.brand.pk}{part}", headers=self._key()))

    def call(self, tool: str, **arguments: object) -> dict:
        params = {"name": f"svc_{tool}", "arguments": {"siteId": str(self.brand.pk), **arguments}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        headers = {**self._key(), "Accept": "application/json", "Content-Type": "application/json"}
        result = self._read(Request(f"{self.web.url}/mcp", body, headers))["result"]
        assert not result["isError"], result
        return result["structuredContent"]

    def _key(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def _read(self, request: Request) -> dict:
        with DIRECT.open(request, timeout=60) as answer:
            return json.load(answer)


def git(*command: str) -> bytes:
    try:
        return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"The release before is not here to be run: git {' '.join(command)}: {error}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The code of the release before."""
    commit = os.environ.get("RELEASE_BEFORE") or git("describe", "--tags", "--abbrev=0", "HEAD^").decode().strip()
    folder = tmp_path_factory.mktemp("before")
    with tarfile.open(fileobj=BytesIO(git("archive", commit))) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def before(folder, django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), running_provider() as provider, own_database() as database:
        patch = pytest.MonkeyPatch()
        patch.setenv("OPENAI_API_KEY", "sk-right-key-of-the-tests")
        Engine.objects.exclude(name="local-search").update(is_enabled=False)
        brand = make_brand(prompts=PROMPTS, samples=1, region="CH")
        make_engine("gpt", "gpt-5?text=Acme, Globex or Initech: {n}", f"{provider}/1")
        make_engine("mini", "gpt-5-mini?text=Globex leads: {n}", f"{provider}/2")
        measure_here(brand)
        environment = {"PUBLIC_URL": "{url}", "SECRET_KEY": settings.SECRET_KEY, "WEB_WORKERS": "1", "DEBUG": "1"}
        own = {"database": database, "folder": folder, **environment}
        worker = (sys.executable, "manage.py", "worker")
        with live_process(*WEB, **own) as web, live_process(*worker, ready="", METRICS_PORT="0", **own) as working:
            yield Before(folder, database, web, working, brand, make_key(owner=brand.owner)[1])
        patch.undo()


def measure_here(brand):
    """A scan of the day before by this release, in which one prompt got no AI answer."""
    run = start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.WEB).run
    asyncio.run(jobs.ask.func(str(run.pk)))
    Answer.objects.filter(pk=run.answers.first().pk).update(state="absent", text="", sources=[])
    day = run.day - timedelta(days=1)
    run.answers.update(day=day)
    Run.objects.filter(pk=run.pk).update(day=day, created_at=run.created_at - timedelta(days=1))
    jobs.measure.func(str(run.pk))


def scores(brand):
    rows = DailyScore.objects.filter(brand=brand).order_by("date", "competitor")
    return list(rows.values_list("date", "competitor", "score", "low", "high"))


def has_ended(run):
    run.refresh_from_db()
    return not run.is_active


def test_it_reads_what_this_release_measured(before):
    key, path = make_key(owner=before.brand.owner)[1], f"/api/v1/brands/{before.brand.pk}/visibility"
    ours = Client().get(path, headers={"Authorization": f"Bearer {key}"}).json()
    theirs = before.rest("/visibility")
    names = theirs["trend"][0].keys() - {"engines"}  # of which more is written now
    assert [{name: day[name] for name in names} for day in theirs["trend"]] == [
        {name: day[name] for name in names} for day in ours["trend"]
    ]


@pytest.mark.parametrize(
    "tool",
    [
        "get_site_brief",
        "get_visibility_scores",
        "get_latest_scan",
        "get_recommendations",
        "list_competitors",
        "list_prompts",
        "get_competitor_gaps",
    ],
)
def test_its_tools_answer(before, tool):
    assert before.call(tool)


@pytest.mark.parametrize("page", ["", "/answers", "/competitors", "/prompts", "/sources", "/todo", "/settings"])
def test_its_pages_are_shown_to_who_signed_in_here(before, page):
    client = Client()
    client.force_login(before.brand.owner)
    cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"}
    request = Request(f"{before.web.url}/brands/{before.brand.pk}{page}", headers=cookie)
    with DIRECT.open(request, timeout=60) as answer:
        assert (answer.status, answer.url) == (200, request.full_url)


def test_it_scans_and_this_release_reads_the_same_figures(before):
    started = before.call("run_visibility_scan", idempotencyKey="scan")
    run = Run.objects.get(pk=started["run"]["id"])
    wait_for(lambda: has_ended(run), seconds=60)
    assert (run.status, run.done) == (Run.Status.SUCCEEDED, 2 * PROMPTS)
    written = scores(before.brand)
    rescore(before.brand.pk)
    assert scores(before.brand) == written


def test_it_imports_and_counts(before, tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(json.dumps, IMPORTED)))
    command = [sys.executable, "manage.py", "import_answers", str(file), "--brand", str(before.brand.pk)]
    environment = {**os.environ, "DATABASE_URL": before.database, "VAR_DIR": str(tmp_path / "var")}
    subprocess.run(command, cwd=before.folder, env=environment, check=True, timeout=120)
    cells = Cell.objects.filter(brand=before.brand, day="2026-01-05", competitor=None)
    assert sorted(cells.values_list("answers", "mentioned")) == [(1, 0), (1, 1), (1, 1)]


def test_its_worker_counts_again_and_the_one_of_this_release_after_it(before):
    before.call("add_competitor", idempotencyKey="initech", name="Initech", domain="initech.example")
    brand = before.brand
    wait_for(lambda: not Brand.objects.get(pk=brand.pk).is_recounting, seconds=60)
    assert Cell.objects.filter(brand=brand, competitor__names__text="Initech").exists()
    Brand.objects.filter(pk=brand.pk).update(method_version=METHOD - 1)
    written = scores(brand)
    rescore(brand.pk)
    assert scores(brand) == written
    assert set(Cell.objects.filter(brand=brand, absent=1).values_list("market", flat=True)) == {"und-CH"}
    assert Brand.objects.get(pk=brand.pk).method_version == METHOD


def test_nothing_of_it_failed(before):
    assert "Traceback" not in before.web.printed() + before.worker.printed()
