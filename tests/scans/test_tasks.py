"""What workers do with messages, and the command that starts a scan."""

import threading
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command

from tests.factories import BrandFactory, RunFactory
from visibility import tasks
from visibility.models import Run
from visibility.services.health import HEARTBEAT_KEY


@pytest.mark.django_db
class TestTasks:
    def test_a_tick_shows_life_fires_and_announces(self, monkeypatch):
        calls = []
        monkeypatch.setattr(tasks, "fire_due", lambda scheduler: calls.append("fire"))
        monkeypatch.setattr(tasks, "announce_due", lambda: calls.append("announce"))
        tasks.tick()
        assert calls == ["announce", "fire"]
        assert cache.get(HEARTBEAT_KEY)

    def test_a_silent_cache_does_not_stop_the_scans(self, monkeypatch):
        def silent(*args):
            raise ConnectionError

        calls = []
        monkeypatch.setattr(tasks.cache, "set", silent)
        monkeypatch.setattr(tasks, "fire_due", lambda scheduler: calls.append("fire"))
        monkeypatch.setattr(tasks, "announce_due", lambda: calls.append("announce"))
        tasks.tick()
        assert calls == ["announce", "fire"]

    def test_a_broken_schedule_does_not_keep_due_runs_waiting(self, monkeypatch):
        calls = []
        monkeypatch.setattr(tasks, "fire_due", lambda scheduler: 1 / 0)
        monkeypatch.setattr(tasks, "announce_due", lambda: calls.append("announce"))
        with pytest.raises(ZeroDivisionError):
            tasks.tick()
        assert calls == ["announce"]

    def test_each_call_works_under_a_name_of_its_own(self, monkeypatch):
        names = []
        monkeypatch.setattr(tasks, "execute", lambda run_id, worker: names.append(worker))
        run = RunFactory()
        tasks.run_scan(str(run.pk))
        tasks.run_scan(str(run.pk))
        assert len(set(names)) == 2
        assert all(len(name) <= Run._meta.get_field("worker").max_length for name in names)

    def test_a_busy_worker_leaves_the_run_to_a_later_tick(self, monkeypatch):
        monkeypatch.setattr(tasks, "_slots", threading.BoundedSemaphore(1))
        run = RunFactory(status="queued", finished_at=None, dispatched_at="2026-01-01T00:00:00Z")
        tasks._slots.acquire()
        tasks.run_scan(str(run.pk))
        run.refresh_from_db()
        assert (run.status, run.dispatched_at) == ("queued", None)
        tasks._slots.release()
        monkeypatch.setattr(tasks, "execute", lambda run_id, worker: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            tasks.run_scan(str(run.pk))
        assert tasks._slots.acquire(blocking=False), "the slot is free again after a failure"

    def test_scans_and_audits_have_places_of_their_own(self, monkeypatch):
        places = {"_slots": threading.BoundedSemaphore(1), "_audits": threading.BoundedSemaphore(1)}
        for name, place in places.items():
            monkeypatch.setattr(tasks, name, place)
        done = []
        monkeypatch.setattr(tasks, "execute", lambda run_id, worker: done.append(str(run_id)))
        scan, audit = RunFactory(status="queued"), RunFactory(status="queued", kind="audit")
        for name, task, free, busy in (
            ("_slots", tasks.run_audit, audit, (tasks.run_scan, scan)),
            ("_audits", tasks.run_scan, scan, (tasks.run_audit, audit)),
        ):
            places[name].acquire()
            task(str(free.pk))
            busy[0](str(busy[1].pk))
            places[name].release()
        assert done == [str(audit.pk), str(scan.pk)]


@pytest.mark.django_db
class TestScanCommand:
    def scan(self, *args):
        out, err = StringIO(), StringIO()
        call_command("scan", *args, stdout=out, stderr=err)
        return out.getvalue().splitlines(), err.getvalue()

    def test_it_prints_how_the_scan_ended_and_its_score(self, cast, prompts, engines):
        [line], _ = self.scan("acme.example", "--inline")
        run = Run.objects.get()
        assert line.startswith("succeeded: score 50.0 (95 %: 29.0 to 71.0 on exactly these questions)")
        assert (run.trigger, run.actor) == ("operator", "command:scan")

    def test_a_second_scan_joins_the_first(self, cast, prompts, engines):
        first, _ = self.scan("acme.example", "--inline")
        again, notes = self.scan(str(cast.brand.pk), "--wait")
        assert again == first
        assert "cooldown" in notes

    def test_without_waiting_it_only_starts(self, cast, prompts, engines):
        lines, _ = self.scan("acme.example")
        assert lines == [str(Run.objects.get(status="queued").pk)]

    def test_a_domain_of_two_brands_is_refused_with_their_ids(self, cast, engines):
        other = BrandFactory(domain="acme.example")
        with pytest.raises(CommandError) as caught:
            self.scan("acme.example")
        assert str(cast.brand.pk) in str(caught.value)
        assert str(other.pk) in str(caught.value)

    def test_an_unknown_brand_and_a_brand_without_prompts_are_told(self, cast, engines):
        with pytest.raises(CommandError, match=r"other\.example"):
            self.scan("other.example")
        with pytest.raises(CommandError, match="no active prompt"):
            self.scan("acme.example")

    def test_waiting_without_a_worker_ends_with_advice(self, cast, prompts, engines, monkeypatch):
        monkeypatch.setattr("visibility.management.commands.scan.WITHOUT_WORKER_SECONDS", 0.1)
        with pytest.raises(CommandError, match="serve"):
            self.scan("acme.example", "--wait")
        assert Run.objects.get().status == "queued"

    def test_a_failed_scan_is_a_failed_command(self, cast, prompts, engines):
        engines("Failing")
        for prompt in prompts:
            prompt.versions.update(text="a refused")
        with pytest.raises(CommandError, match="forbidden"):
            self.scan("acme.example", "--inline")
