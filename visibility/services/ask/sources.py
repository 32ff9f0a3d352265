"""Facts about the sources that answers cite."""

from collections.abc import Iterator

from django.db.models import Count

from visibility.measured.reading import answers_of, read_basis
from visibility.models import Answer, Citation
from visibility.services.ask.told import MOST, Asked, Told, unmeasured
from visibility.services.now import based_on

_WHOSE = {Citation.Owner.OWN: " (the site's own)", Citation.Owner.COMPETITOR: " (a competitor's)"}


def facts_of_sources(asked: Asked) -> Iterator[Told]:
    """The domains that most answers of now cite."""
    basis = read_basis(asked.brand.pk)
    if not basis.engines:
        yield unmeasured(asked.brand, "cited sources")
        return
    answers = answers_of(basis.compared).filter(state=Answer.State.ANSWERED)
    total = answers.count()
    cited = Citation.objects.filter(answer__in=answers).order_by()
    citing = cited.aggregate(answers=Count("answer", distinct=True))["answers"]
    yield Told(f"{citing} of {total} answers cited sources ({based_on(basis.compared)}).")
    counts = cited.values("domain", "owner").annotate(answers=Count("answer", distinct=True))
    for row in counts.order_by("-answers", "domain")[:MOST]:
        yield Told(f"{row['domain']}{_WHOSE.get(row['owner'], '')} is cited by {row['answers']} of {total} answers.")
