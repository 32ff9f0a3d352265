"""What an engine that writes has decided on evidence, in ids and words of ours alone; applied whenever it is made."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from brands.models import Brand
from visibility.evidence.resources import Backing, VoiceTrait
from visibility.models import EvidenceItem
from visibility.models.evidence import EvidenceKind

KINDS = (EvidenceKind.CRITERION, EvidenceKind.CLAIM, EvidenceKind.THEME, EvidenceKind.VOICE)
"""Those that can be refined; the number of each is the position of its decisions."""

MOST_JUDGED = 1_000
"""The newest: clauses come and go with the answers."""


class Judged(BaseModel):
    """What a clause of an answer says of a claim of the site."""

    claim: str
    clause: str
    says: Backing


class Stored(BaseModel):
    """The decisions on one kind. `same`: by topic ("" for themes) and key the key that it is counted as, "" for none;
    `tone`: words for how the site sounds."""

    same: dict[str, dict[str, str]] = {}
    judged: list[Judged] = []
    tone: str = ""

    def with_more(self, later: "Stored") -> "Stored":
        """These decisions and later ones, which win. What is counted as another goes where that goes by now."""
        same: dict[str, dict[str, str]] = {}
        for topic in {**self.same, **later.same}:
            newer = later.same.get(topic, {})
            older = {key: newer.get(other, other) for key, other in self.same.get(topic, {}).items()}
            joined = {**older, **newer}
            same[topic] = {key: other for key, other in joined.items() if other not in joined}
        judged = {(each.claim, each.clause): each for each in (*self.judged, *later.judged)}
        return Stored(same=same, judged=list(judged.values())[-MOST_JUDGED:], tone=later.tone or self.tone)


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions on the evidence of a brand. `by`: the engine that decided on each kind."""

    criteria: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    themes: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, Mapping[str, Backing]] = field(default_factory=dict)
    tone: tuple[VoiceTrait, ...] = ()
    by: Mapping[EvidenceKind, str] = field(default_factory=dict)


def decisions_of(brand: Brand) -> Decisions:
    """What is stored of them."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=EvidenceKind.REFINEMENT)
    stored = {KINDS[row.position]: (Stored.model_validate(row.item), row.refined_by) for row in rows}
    empty = Stored(), ""
    claims: dict[str, dict[str, Backing]] = defaultdict(dict)
    for each in stored.get(EvidenceKind.CLAIM, empty)[0].judged:
        claims[each.claim][each.clause] = each.says
    voice, engine = stored.get(EvidenceKind.VOICE, empty)
    return Decisions(
        criteria=stored.get(EvidenceKind.CRITERION, empty)[0].same,
        themes=stored.get(EvidenceKind.THEME, empty)[0].same.get("", {}),
        claims=claims,
        tone=(VoiceTrait(name="tone", value=voice.tone, measured=f"named by {engine}"),) if voice.tone else (),
        by={kind: name for kind, (_, name) in stored.items() if name},
    )
