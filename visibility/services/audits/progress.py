"""How far an audit under way is, by the pages that it knows of: how many a site has shows only as it is read."""

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from apikeys.caller import Caller
from visibility.models import AuditPage

_State = AuditPage.State


@dataclass(frozen=True, slots=True)
class AuditProgress:
    """Pages that were `fetched`, that `failed`, and that are known and still `waiting`."""

    fetched: int
    failed: int
    waiting: int

    @property
    def known(self) -> int:
        """The pages that the audit is about, as far as they are known by now."""
        return self.fetched + self.failed + self.waiting

    @property
    def percent(self) -> int:
        """How many of the known pages are settled; 0 while none is known."""
        return 100 * (self.fetched + self.failed) // self.known if self.known else 0


def audit_progress(caller: Caller, *, run_id: UUID) -> AuditProgress:
    """The pages of an audit; none of a run that the caller does not see. One statement."""
    pages = AuditPage.objects.restrict(caller, "view").filter(run=run_id).order_by()
    counts = Counter(dict(pages.values_list("state").annotate(number=Count("pk"))))
    return AuditProgress(counts[_State.FETCHED], counts[_State.FAILED], counts[_State.WAITING])
