"""The topics of which nobody knows whether they are the brand's business: its owner is asked once."""

from brands.models import Brand
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.relevance import Concern
from visibility.measured.topics import Topic


def undecided_topics(brand: Brand) -> list[Topic]:
    """Those that are answered now, of which nothing is recommended until somebody says; by name. Empty before the
    first measured day."""
    material = Material(brand)
    if not material.basis.engines:
        return []
    unknown = {topic for topic, concern in material.concerns.items() if concern is Concern.UNKNOWN}
    return [topic for topic in material.topics.topics.topics if topic.key in unknown]
