"""What an engine that writes has decided on evidence; applied whenever evidence is made."""

from pydantic import BaseModel

from brands.models import Brand
from visibility.evidence.resources import Backing
from visibility.models import EvidenceItem
from visibility.models.evidence import EvidenceKind


class Decisions(BaseModel):
    """Decisions on a brand's evidence. `same`: by topic and key of a criterion, the key that it is counted as ("": it
    is no criterion). `judged`: by claim and clause of an answer, what the clause says of the claim."""

    same: dict[str, dict[str, str]] = {}
    judged: dict[str, dict[str, Backing]] = {}

    def merge(self, topic: str, key: str, other: str) -> None:
        """Count a key, and all that was counted as it, as another, or where that one is counted."""
        same = self.same.setdefault(topic, {})
        counted_as = same.get(other, other)
        if key not in ("", counted_as):
            followers = [each for each, now in same.items() if now == key]
            same.update(dict.fromkeys([key, *followers], counted_as))


def stored_decisions(brand: Brand) -> EvidenceItem:
    """The row with a brand's decisions; a new, unsaved one where there are none."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=EvidenceKind.REFINEMENT)
    return rows.first() or EvidenceItem(brand=brand, kind=EvidenceKind.REFINEMENT, position=0, item={})
