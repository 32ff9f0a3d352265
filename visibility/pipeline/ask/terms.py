"""On which terms a run asks: how patient it is, and how its calls are booked."""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

from visibility.jobs.kinds import RUN
from visibility.jobs.lease import LeaseState, fenced
from visibility.models import ProviderCall, Run
from visibility.pipeline.ask.bookings import Book, Booking
from visibility.pipeline.ask.engines import tariffs_of
from visibility.pipeline.ask.session import Terms
from visibility.pipeline.provider_calls import Booked, Tariff, book, caps_held, new_call, payer_of


def terms_of(run: Run, worker: str, longest: int) -> Terms:
    """The terms of the run in the hands of this worker; `longest` is how many bytes the longest text has."""
    return Terms(
        member=worker,
        patience=settings.SCAN_PROVIDER_PATIENCE_SECONDS,
        grace={
            LeaseState.CANCELLED: settings.SCAN_CANCEL_GRACE_SECONDS,
            LeaseState.STOPPING: settings.SCAN_STOP_GRACE_SECONDS,
        },
        book=_booking(run, worker, longest),
    )


def _booking(run: Run, worker: str, longest: int) -> Book:
    """Books calls of the run for whom it is paid by; who lost the run books none, and gets LeaseLost."""
    tariffs, account = tariffs_of(run.brand), payer_of(run)
    purpose = ProviderCall.Purpose.COMPARISON if run.kind == Run.Kind.COMPARISON else ProviderCall.Purpose.SCAN
    at_most = {name: engine.at_most(longest) for name, engine in tariffs.items()}

    def booked(bookings: Sequence[Booking]) -> Booked:
        calls = [
            new_call(
                tariffs.get(booking.engine, Tariff(booking.engine)),
                purpose,
                at_most.get(booking.engine),
                account=account,
                brand=run.brand,
                run=run,
                key=booking.id,
                answer=booking.answer,
            )
            for booking in bookings
        ]
        with transaction.atomic():
            caps = caps_held(account, run.pk)
            with fenced(RUN, run.pk, worker, RUN.drained):
                return book(calls, caps)

    return booked
