"""Reads of a brand's own names: what it costs when one also means something else."""

from collections import defaultdict

from brands.models import Brand
from visibility.detection import NameCost, name_cost
from visibility.models import Answer, Mention

MOST_ANSWERS = 500
MOST_NAMES = 10


def costs_of_names(brand: Brand) -> list[NameCost]:
    """How often the latest answers hold each name of the brand, and how often they mean it; the main name first."""
    answers = list(
        Answer.objects.answered().filter(brand=brand).order_by("-pk").values_list("pk", "text")[:MOST_ANSWERS]
    )
    meant = Mention.objects.filter(answer__in=[pk for pk, _ in answers], competitor=None)
    starts: defaultdict[int, set[int]] = defaultdict(set)
    for answer, start in meant.visible().values_list("answer", "start"):
        starts[answer].add(start)
    texts = [(text, starts[pk]) for pk, text in answers]
    names = brand.names.filter(competitor=None).values_list("text", flat=True)[:MOST_NAMES]
    return [name_cost(name, texts) for name in names] if texts else []
