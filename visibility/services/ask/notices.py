"""What an answer begins with where it is not, or not all of, what the question is about."""

from collections.abc import Sequence

from apikeys.text.sentences import joined
from brands.models import Brand
from visibility.services.ask.fact import Fact, listed
from visibility.services.ask.topics import TOPICS, Topic

NOT_RECOGNISED = Fact(
    "The question was not recognised: it names none of the topics that can be asked about here, which are "
    + ", ".join(topic.name for topic in TOPICS)
    + ". What follows is an overview, not an answer."
)
NO_SITE = Fact(
    "No site can be seen with this key: add one on the pages of the service, or have the owner of one share it."
)


def left_out(topics: Sequence[Topic], brands: Sequence[Brand]) -> Fact:
    """That these topics are told of one site only, and of which sites they can be."""
    names = joined([topic.name for topic in topics])
    return Fact(
        f"For several sites there is only an overview of each. For {names}, ask again with the siteId of one: "
        f"{listed(brands)}.",
        tuple(str(brand.pk) for brand in brands),
    )
