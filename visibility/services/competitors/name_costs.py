"""What names that also mean something else would cost on the newest answers, before they count in any figure."""

from collections.abc import Collection, Sequence
from itertools import islice

from brands.services.tracked import BrandNames
from visibility.detection.detector import detect
from visibility.detection.names.cost import NameCost, cost_of, spelling_of
from visibility.detection.text.reading import Reading
from visibility.engines.protocol import Source
from visibility.insights.suggestions import newest_runs
from visibility.measured.generations import NO_GENERATION
from visibility.measured.names import TrackedNames, vocabulary_of
from visibility.models import Answer

MAX_ANSWERS = 500
"""The newest answers that a name is looked for in."""
MAX_READ = 100
"""Of those that hold a name, the ones that are read for what it means there: who adds a name waits for it."""
MAX_TEXT = 20_000
"""Characters of an answer that is read; longer ones are passed over."""


def name_costs(names: BrandNames, wanted_names: Collection[str]) -> dict[str, NameCost]:
    """By name: how often it stands in the brand's newest answers, and how often the detector takes it for its owner
    there, with all these names as they are now. The names need not be in any figure yet."""
    if not wanted_names:
        return {}
    answers = _newest(names, wanted_names)
    dictionary = TrackedNames(NO_GENERATION, vocabulary_of(names.brand, names)).dictionary
    spellings = [spelling_of(name) for name in wanted_names]
    looked_at: list[tuple[str, frozenset[int]]] = []
    for answer in answers:
        starts: frozenset[int] = frozenset()
        if any(spelling.search(answer.text) for spelling in spellings):
            reading = Reading(answer.text, [Source(**source) for source in answer.sources])
            mentions = detect(reading, answer.version.text, dictionary)
            starts = frozenset(place for mention in mentions for place in range(mention.start, mention.end))
        looked_at.append((answer.text, starts))
    return {name: cost_of(name, looked_at) for name in wanted_names}


def _newest(names: BrandNames, wanted_names: Collection[str]) -> Sequence[Answer]:
    """The newest answers, up to the last of so many that hold one of the names."""
    of_runs = Answer.objects.filter(run__in=newest_runs(names.brand.pk), state=Answer.State.ANSWERED)
    rows = of_runs.select_related("version").only("text", "sources", "version__text")
    newest = rows.order_by("-run__created_at", "-position")[:MAX_ANSWERS]
    answers, holding = list[Answer](), 0
    for answer in islice(newest.iterator(chunk_size=MAX_READ), MAX_ANSWERS):
        if len(answer.text) > MAX_TEXT:
            continue
        holding += any(name in answer.text for name in wanted_names)
        answers.append(answer)
        if holding == MAX_READ:
            break
    return answers
