"""The topics of a brand: how everybody stands on each."""

from uuid import UUID

from apikeys.caller import Caller
from brands.models import Brand
from visibility.resources.topics import TopicReport


def topic_report(caller: Caller, *, brand_id: UUID, engine: str | None = None) -> TopicReport:
    """The table topic × brand × engine of now. Requires read:visibility. Raises not_found, and invalid_arguments for
    an engine that was never asked."""
    raise NotImplementedError


def topic_named(brand: Brand, name: str) -> str:
    """The topic of the brand's prompts that is meant by a name, as it is stored; upper and lower case, dashes and
    spaces make no difference. Raises invalid_arguments, which lists the topics that there are."""
    raise NotImplementedError
