"""Measured days of a brand, and everything that readers see of them."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from tests.factories import AnswerFactory, RunFactory
from visibility.jobs import kinds
from visibility.models import Citation, DailyScore, Generation, Mention, Run
from visibility.pipeline import runner
from visibility.pipeline.days import panels
from visibility.pipeline.detect import detecting
from visibility.pipeline.finishing import finish
from visibility.pipeline.generations import planning as generations
from visibility.pipeline.generations.planning import plan_outdated
from visibility.pipeline.generations.runner import work_on

DAY = datetime(2026, 3, 10, 12, tzinfo=UTC)
FAR = datetime(2100, 1, 1, tzinfo=UTC)
TEXTS = ["Acme is good.", "Rival is good.", "The Anvil Company is good.", "Rival and Acme.", "Nothing."]
SOURCES = [{"url": "https://shop.example/x", "title": "Shop"}, {"url": "https://acme.example/y", "title": "Acme"}]


def asked_run(brand, wordings, *, day=0, texts=TEXTS, engine="chat", cited=None, **more):
    """A run whose answers have all come and are to be analysed; worker "w" holds it. `cited` are the addresses that
    each answer cites; left out: the same two."""
    held = {"status": "running", "worker": "w", "lease_until": FAR, "finished_at": None}
    at = DAY + timedelta(days=day)
    run = RunFactory(**{"brand": brand, "created_at": at, "total": len(texts), "done": len(texts), **held, **more})
    sources = [[{"url": url} for url in urls] for urls in cited] if cited else [SOURCES] * len(texts)
    for prompt, text, of_answer in zip(wordings, texts, sources, strict=True):
        AnswerFactory(run=run, prompt=prompt, engine=engine, text=text, sources=of_answer, answered_at=at)
    return run


def end(run):
    """Analyse the run and finish it, as its worker does."""
    while not finish([run], "w", runner._detect([run], "w")):
        pass
    run.refresh_from_db()
    return run


def ended_run(brand, wordings, **more):
    """A run as the pipeline leaves it."""
    return end(asked_run(brand, wordings, **more))


def rescored(brand):
    """Notice what changed and do all the work that follows, clearing included; gives the one generation left.

    Leases of dead workers and delays after failures are over.
    """
    plan_outdated()
    Generation.objects.update(lease_until=None, not_before=timezone.now())
    while (job := Generation.objects.exclude(state="current").first()) is not None:
        work_on(job.pk, "w")
    return Generation.objects.get(brand=brand)


def figures(brand):
    """Everything that readers see of the brand's measurement, in a form to compare across generations."""
    ignored = ("id", "generation_id", "panel_id")
    rows = DailyScore.objects.filter(brand=brand).order_by("date", "competitor_id").values()
    found = Mention.objects.filter(answer__brand=brand).order_by("answer", "start", "competitor").values()
    cited = Citation.objects.filter(answer__brand=brand).order_by("answer", "position").values()
    runs = Run.objects.filter(brand=brand).order_by("created_at", "pk")
    return (
        *([{key: value for key, value in row.items() if key not in ignored} for row in each]
          for each in (rows, found, cited)),
        list(runs.values_list("pk", "score", "low", "high")),
    )  # fmt: skip


def fresh(brand):
    """The same figures computed from nothing, as first measurements are."""
    Generation.objects.filter(brand=brand).delete()
    for run in Run.objects.filter(brand=brand).order_by("created_at"):
        run.status, run.worker, run.lease_until, run.score = "running", "w", FAR, None
        run.save()
        end(run)
    return figures(brand)


def use_detector(monkeypatch, version):
    """Go on as a worker of the release with this version of the detector."""
    for module in (generations, detecting):
        monkeypatch.setattr(module, "DETECTOR", version)
    for module in (kinds, panels):
        monkeypatch.setattr(module, "DETECTOR_VERSION", str(version))


def scores(brand, competitor=None):
    """The score of each day."""
    rows = DailyScore.objects.filter(brand=brand, competitor=competitor).order_by("date")
    return list(rows.values_list("score", flat=True))
