"""The process that carries out jobs."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from procrastinate.app import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.django_connector import DjangoConnector
from procrastinate.job_context import JobContext
from procrastinate.worker import Worker
from prometheus_client import REGISTRY

from config.gauges import StateOfService
from config.logs import current_job
from config.monitoring import serve
from visibility.jobs import STALLED_AFTER

CONCURRENCY = 20
"""Jobs at once. Scans wait for engines most of the time; what computes takes turns anyway."""
LOOK_EVERY = 0.5
"""Seconds between two looks for jobs. New ones are announced, those whose lock becomes free are not."""
HEARTBEAT_SECONDS = 5
FINISH_SECONDS = 1
"""How long short jobs may take to end by themselves, before those that wait for engines are asked to stop."""


class Command(BaseCommand):
    help = (
        "Carry out jobs until SIGTERM, then wait up to WORKER_GRACE_SECONDS for answers under way. Exits when the "
        "database goes away: let a supervisor start it again."
    )
    # The checks would import the pages and the agent door, 40 MB that a worker does not need.
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.DATABASE_POOLER:
            raise CommandError(
                "A worker hears of new jobs by PostgreSQL itself, which a pooler keeps from it: give it the "
                "DATABASE_URL of the server, and no DATABASE_POOLER."
            )
        REGISTRY.register(StateOfService())
        serve()
        assert isinstance(app.connector, DjangoConnector)  # noqa: S101 - procrastinate's app for Django has no other
        with app.replace_connector(app.connector.get_worker_connector()) as worker_app:
            asyncio.run(_work(worker_app))


class LeavingWorker(Worker):
    """Shows signs of life until its last job has ended: without them a live job would look stalled to others."""

    async def _shutdown(self, side_tasks: list[asyncio.Task[Any]]) -> None:
        beating = asyncio.create_task(self._update_heartbeat())  # type: ignore[no-untyped-call]
        try:
            await super()._shutdown(side_tasks)
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating


async def name_job(call_next: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker) -> Any:
    """Put the ids of a job and its run into all lines that it logs."""
    current_job.set((str(context.job.id), str(context.job.task_kwargs.get("run_id", ""))))
    return await call_next()


async def _work(app: App) -> None:
    async with app.open_async():
        app.perform_import_paths()  # type: ignore[no-untyped-call]
        worker = LeavingWorker(
            app,
            concurrency=CONCURRENCY,
            delete_jobs="successful",
            fetch_job_polling_interval=LOOK_EVERY,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=STALLED_AFTER,
            shutdown_graceful_timeout=FINISH_SECONDS,
            worker_middleware=[name_job],
        )
        await worker.run()  # type: ignore[no-untyped-call]
