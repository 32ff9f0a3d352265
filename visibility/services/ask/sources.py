"""Facts about the sources that answers cite."""

from collections.abc import Iterator

from django.db.models import Count

from visibility.models import Answer, Citation
from visibility.recommendations.facts import latest_day
from visibility.services.ask.told import MOST, Asked, Told, unmeasured

_WHOSE = {Citation.Owner.OWN: " (the site's own)", Citation.Owner.COMPETITOR: " (a competitor's)"}


def facts_of_sources(asked: Asked) -> Iterator[Told]:
    """The domains that most answers of the latest measured day cite."""
    day = latest_day(asked.brand)
    if day is None:
        yield unmeasured(asked.brand, "cited sources")
        return
    answers = Answer.objects.filter(run__in=day.runs, engine__in=day.engines, state=Answer.State.ANSWERED)
    total = answers.count()
    cited = Citation.objects.filter(answer__in=answers).order_by()
    citing = cited.aggregate(answers=Count("answer", distinct=True))["answers"]
    yield Told(f"On {day.date} {citing} of {total} answers cited sources.")
    counts = cited.values("domain", "owner").annotate(answers=Count("answer", distinct=True))
    for row in counts.order_by("-answers", "domain")[:MOST]:
        yield Told(f"{row['domain']}{_WHOSE.get(row['owner'], '')} is cited by {row['answers']} of {total} answers.")
