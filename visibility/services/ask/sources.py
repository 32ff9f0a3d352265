"""Facts about the sources that answers cite."""

from collections.abc import Iterator

from django.db.models import Count, QuerySet
from django.utils.formats import date_format

from apikeys.text.sentences import joined
from visibility.measured.reading import answers_of, read_basis
from visibility.models import Answer, Citation
from visibility.services.ask.days import days_meant
from visibility.services.ask.fact import MOST, Fact, QuestionContext, unmeasured
from visibility.services.reading.now import based_on

_WHOSE = {Citation.Owner.OWN: " (the site's own)", Citation.Owner.COMPETITOR: " (a competitor's)"}


def facts_of_sources(context: QuestionContext) -> Iterator[Fact]:
    """The domains that most answers cite: of now, or of the engines, prompts and days meant."""
    if context.about.is_narrowed and context.about.days:
        yield from _of_what_is_meant(context)
        return
    basis = read_basis(context.brand.pk)
    if not basis.engines:
        yield unmeasured(context.brand, "cited sources")
        return
    yield from _cited(
        answers_of(basis.compared).filter(state=Answer.State.ANSWERED),
        f"As measured now ({based_on(basis.compared)})",
    )


def _of_what_is_meant(context: QuestionContext) -> Iterator[Fact]:
    about = context.about
    days = days_meant(about.days, about.basis, about.engines, about.period)
    answers = answers_of(days).filter(state=Answer.State.ANSWERED)
    place = ""
    if about.narrowing:
        answers = answers.filter(prompt__in=about.narrowing.prompts)
        place = f" on {about.narrowing}"
    dates = [date_format(day) for day in sorted({engine_day.day for engine_day in days})]
    span = f"On {dates[0]}" if len(dates) == 1 else f"From {dates[0]} to {dates[-1]}"
    yield from _cited(answers, span, f" of {joined(sorted({engine_day.engine for engine_day in days}))}{place}")


def _cited(answers: QuerySet[Answer, Answer], span: str, scope_words: str = "") -> Iterator[Fact]:
    total = answers.count()
    citations = Citation.objects.filter(answer__in=answers).order_by()
    citing = citations.aggregate(answers=Count("answer", distinct=True))["answers"]
    yield Fact(f"{span} {citing} of {total} answers{scope_words} cited sources.")
    counts = citations.values("domain", "owner").annotate(answers=Count("answer", distinct=True))
    for row in counts.order_by("-answers", "domain")[:MOST]:
        yield Fact(f"{row['domain']}{_WHOSE.get(row['owner'], '')} is cited by {row['answers']} of {total} answers.")
