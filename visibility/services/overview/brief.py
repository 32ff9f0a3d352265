"""One site in short, for those who begin to work with it."""

from collections.abc import Sequence
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Alias, Brand, Competitor
from brands.services.access import readable_brand
from visibility.measured.found import read_brand_facts
from visibility.measured.now import read_now
from visibility.measured.reading import read_basis
from visibility.measured.topic_table import TopicTable, read_topic_table, subject_names
from visibility.measured.topics import Topic
from visibility.models import Recommendation
from visibility.resources.brands import BrandResource
from visibility.resources.brief import SiteBrief, Standout
from visibility.resources.competitors import CompetitorResource
from visibility.resources.sources import SourceSummary
from visibility.services.competitors.listing import competitor_resource
from visibility.services.overview.standouts import standouts_of
from visibility.services.reading.now import now_resource
from visibility.services.reading.reporting import recommendations
from visibility.services.reading.sources import top_sources
from visibility.services.reading.topics import meant_topic, named_item
from visibility.services.reading.withheld import WithheldSections
from visibility.services.topics.proposing import undecided_resource

TOP = 5


@snapshot()
def site_brief(caller: Caller, *, brand_id: UUID, topic: str | None = None) -> SiteBrief:
    """Who the brand is, where it stands, what is strong and weak, with evidence, and what to do first; with a `topic`
    what is so of that.

    Parts whose own scope the caller lacks are null and named in `withheld`. Raises insufficient_scope, not_found, and
    invalid_arguments for a topic that there is not.
    """
    caller.require(Scope.READ_SITES)
    brand = readable_brand(caller, brand_id)
    sections = WithheldSections(caller)
    rivals = _competitors(caller, brand) if sections.may_read(Scope.READ_COMPETITORS, "competitors") else None
    basis = read_basis(brand.pk)
    now = read_now(brand, basis) if sections.may_read(Scope.READ_VISIBILITY, *_of_scores(topic)) else None
    table = read_topic_table(basis, subject_names(brand), [row.engine for row in now.averaged] if now else None)
    stored_topic = meant_topic(table.topics, topic) if topic is not None else None
    strong = weak = sources = urgent = undecided = None
    if sections.may_read(Scope.READ_PROMPTS, "undecidedTopics", "strengths", "weaknesses", "sources"):
        undecided = undecided_resource(caller, brand)
        strong, weak, sources = _findings(brand, table, stored_topic, with_rivals=rivals is not None)
    if sections.may_read(Scope.READ_RECOMMENDATIONS, "recommendations"):
        key = stored_topic.key if stored_topic else None
        queue = recommendations(caller, brand_id=brand_id, status=Recommendation.Status.OPEN, known=True, topic=key)
        urgent = queue.recommendations[:TOP]
    now_item = now_resource(now) if now else None
    return SiteBrief(
        site=BrandResource.model_validate(brand),
        undecided_topics=undecided,
        description=brand.description,
        aliases=list(Alias.objects.filter(brand=brand).values_list("text", flat=True)),
        competitors=rivals,
        as_of=now_item.date if now_item else None,
        now=now_item,
        topic=named_item(table, stored_topic.key) if now and stored_topic else None,
        strengths=strong,
        weaknesses=weak,
        sources=sources,
        recommendations=urgent,
        withheld=sections.withheld,
    )


def _findings(
    brand: Brand, table: TopicTable, topic: Topic | None, *, with_rivals: bool
) -> tuple[list[Standout], list[Standout], list[SourceSummary]]:
    """Strengths, weaknesses and the most cited sources, of one topic or all; none before the first measured day."""
    if not table.basis.engines:
        return [], [], []
    subject = read_brand_facts(brand, table.basis)
    strong, weak = standouts_of(table, subject, prompts=topic.prompts if topic else None, with_rivals=with_rivals)
    return strong, weak, top_sources(brand, table.basis, subject, TOP, topic.key if topic else None)


def _of_scores(topic: str | None) -> Sequence[str]:
    """The parts that need the scope of scores."""
    return ("now",) if topic is None else ("now", "topic")


def _competitors(caller: Caller, brand: Brand) -> list[CompetitorResource]:
    rows = Competitor.objects.restrict(caller, "view").filter(brand=brand).prefetch_related("aliases")
    return [competitor_resource(rival) for rival in rows]
