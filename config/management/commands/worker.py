"""The process that carries out jobs."""

import asyncio
from typing import Any

from django.core.management.base import BaseCommand
from procrastinate.app import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.django_connector import DjangoConnector

from visibility.jobs import STALLED_AFTER

CONCURRENCY = 20
"""Jobs at once. Scans wait for engines most of the time; what computes takes turns anyway."""
LOOK_EVERY = 0.5
"""Seconds between two looks for jobs. New ones are announced, those whose lock becomes free are not."""


class Command(BaseCommand):
    help = "Carry out jobs until SIGTERM. Exits when the database goes away: let a supervisor start it again."
    # The checks would import the pages and the agent door, 40 MB that a worker does not need.
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        assert isinstance(app.connector, DjangoConnector)  # noqa: S101 - procrastinate's app for Django has no other
        with app.replace_connector(app.connector.get_worker_connector()) as worker_app:
            asyncio.run(_work(worker_app))


async def _work(app: App) -> None:
    async with app.open_async():
        await app.run_worker_async(
            concurrency=CONCURRENCY,
            delete_jobs="successful",
            fetch_job_polling_interval=LOOK_EVERY,
            update_heartbeat_interval=5,
            stalled_worker_timeout=STALLED_AFTER,
            # Heartbeats stop as soon as a worker is asked to end: a longer grace would make a live job look stalled.
            shutdown_graceful_timeout=1,
        )
