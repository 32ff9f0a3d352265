"""What the answers of now cite."""

from uuid import UUID

from apikeys.caller import Caller
from visibility.resources.sources import SourceReport

MAX_SOURCES = 50
"""Of a full report; the doors show fewer."""


def source_report(
    caller: Caller, *, brand_id: UUID, topic: str | None = None, engine: str | None = None, absent: bool = False
) -> SourceReport:
    """The sources of the answers of now; `absent`: only those whose answers name a competitor and never the brand.

    Requires read:prompts. Raises not_found, and invalid_arguments for a topic or an engine that there is not.
    """
    raise NotImplementedError
