"""The refusal of an engine that was never asked."""

from collections.abc import Collection
from uuid import UUID

from apikeys.errors import invalid
from visibility.models import DailyScore


def require_asked(brand_id: UUID, engine: str, measured: Collection[str]) -> None:
    """Raise invalid_arguments, with those that were, unless the engine is among the `measured` ones or was asked on
    any day."""
    if engine in measured:
        return
    # The figures of earlier days are known, too: then there is just nothing to show in this window.
    every = {*measured, *_ever_measured(brand_id)}
    if engine not in every:
        known = f"Measured there: {', '.join(sorted(every))}." if every else "No engine was measured there."
        raise invalid("engine", f"No engine of this name was ever asked for this site. {known}")


def _ever_measured(brand_id: UUID) -> set[str]:
    rows = DailyScore.objects.filter(brand=brand_id, competitor=None).order_by().values_list("engines", flat=True)
    return {item["engine"] for engines in rows for item in engines}
