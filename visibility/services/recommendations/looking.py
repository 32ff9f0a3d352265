"""One recommendation as its people see it, with what was decided, by whom, and whether it has helped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.models import User
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import may_edit
from visibility.measured.topics import read_topics
from visibility.models import Answer, Proof, Recommendation, StatusChange

MEASUREMENT = "measurement"
SOMEBODY = "somebody who is not (or no longer) on this brand"
_PERSON = "user:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of status. `by` is who made it; empty where the reader may not know."""

    change: StatusChange
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendationDetail:
    """A recommendation with its history, newest first, and its proof. `topic` is what people read for its topic;
    `runs` holds by answer the run of each that is quoted and still stored."""

    recommendation: Recommendation
    brand: Brand
    topic: str
    changes: Sequence[Change]
    proof: Proof | None
    runs: Mapping[UUID, UUID]


@snapshot()
def recommendation_detail(caller: Caller, *, brand_id: UUID, recommendation_id: UUID) -> RecommendationDetail:
    """One recommendation of the brand. Who decided is told to those who may change the brand and to staff who look at
    all brands. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_RECOMMENDATIONS)
    rows = Recommendation.objects.restrict(caller, "view").select_related("brand__owner__plan", "proof")
    row: Recommendation | None = rows.filter(brand=brand_id, pk=recommendation_id).first()
    if row is None:
        raise not_found()
    changes = list(StatusChange.objects.filter(recommendation=row))
    knows_people = caller.reach == "all" or may_edit(caller, brand_id)
    names = _people(caller, row.brand, [change.actor for change in changes]) if knows_people else {}
    return RecommendationDetail(
        recommendation=row,
        brand=row.brand,
        topic=read_topics(row.brand_id).name_of(row.topic) if row.topic else "",
        changes=[Change(change=change, by=_by(change.actor, names, knows_people)) for change in changes],
        proof=row.proof,
        runs=_runs(row),
    )


def _runs(row: Recommendation) -> dict[UUID, UUID]:
    quoted = [item["answer_id"] for item in row.evidence if item.get("answer_id")]
    if not quoted:
        return {}
    return dict(Answer.objects.filter(brand=row.brand_id, pk__in=quoted).values_list("pk", "run_id"))


def _by(actor: str, names: Mapping[str, str], knows_people: bool) -> str:
    if not actor:
        return MEASUREMENT
    return names.get(actor, SOMEBODY) if knows_people else ""


def _people(caller: Caller, brand: Brand, actors: Iterable[str]) -> dict[str, str]:
    """The addresses of the people among the actors: for those of a brand the people who are on it."""
    ends = [actor.removeprefix(_PERSON) for actor in actors if actor.startswith(_PERSON)]
    keys = {int(end) for end in ends if end.isdecimal()}
    people = User.objects.filter(pk__in=keys)
    if caller.reach != "all":
        people = people.filter(Q(pk=brand.owner_id) | Q(collaborations__brand=brand))
    return {f"{_PERSON}{pk}": email for pk, email in people.values_list("pk", "email")}
