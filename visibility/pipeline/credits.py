"""What a run costs: reserved when it starts, settled once against the month of the reservation when it ends."""

from django.db.models import F
from django.db.models.functions import Least
from django.utils import timezone

from apikeys.models import Usage
from apikeys.services.usage import give_back
from visibility.models import Run
from visibility.pipeline.provider_calls import settle_lost


def settle(run: Run) -> None:
    """Keep one credit for each answer that came and give the rest back; a second call changes nothing.

    Calls that nobody waits for any more are given up.

    Call it in the transaction that ends the run.
    """
    settle_lost(run.pk)
    settled = Run.objects.filter(pk=run.pk, settled_at=None).update(
        settled_at=timezone.now(), credits_spent=Least(F("done"), F("credits_reserved"))
    )
    if not settled:
        return
    run.refresh_from_db(fields=["credits_spent", "credits_reserved", "settled_at"])
    if run.credits_account and run.credits_month:
        unused = run.credits_reserved - run.credits_spent
        give_back(run.credits_account, Usage.Kind.CREDITS, run.credits_month, unused)
