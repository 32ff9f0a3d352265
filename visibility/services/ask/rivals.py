"""Facts about competitors: those that the question names beside the brand, and how all of them stand."""

import re
from collections.abc import Iterator, Sequence

from django.utils import timezone

from apikeys.scopes import Scope
from brands.models import Brand
from visibility.resources.competitors import CompetitorItem
from visibility.resources.scores import SubjectFigures
from visibility.services.ask.fact import MOST, Fact, QuestionContext, percent, used
from visibility.services.ask.figures import Subject, facts_by_topic, facts_of_figures
from visibility.services.ask.vocabulary import any_of
from visibility.services.competitors.listing import competitors_of
from visibility.services.reading.scores import visibility_scores

_WHERE = re.compile(rf"\b(?:{any_of(lambda words: words.meaning.where)})", re.IGNORECASE)


def facts_of_rivals(context: QuestionContext) -> Iterator[Fact]:
    """The competitors that the question names, or all of them, beside the brand: by engine where it names some or
    some engine, prompts or days; else by how they stand."""
    about = context.about
    report = competitors_of(context.caller, brand_id=context.brand.pk)
    if (about.rivals or about.is_narrowed) and about.days and report.competitors:
        subjects = _subjects(context, report.competitors)
        if len(about.rivals) == 1 and len(subjects) > 1 and not about.narrowing and _WHERE.search(context.question):
            yield from facts_by_topic(context, subjects[0])
        else:
            yield from facts_of_figures(context, subjects, ranked=not about.rivals)
        return
    ranked = sorted(report.competitors, key=lambda rival: -1 if rival.score is None else -rival.score)
    brand_figures = _own_figures(context) if ranked else None
    if not ranked:
        yield Fact(f"{context.brand.name} has no competitors yet; {used(report.quota)} are in use.")
    if brand_figures is not None and brand_figures.score is not None and ranked:
        yield _ahead(context.brand, brand_figures.score, ranked)
    for rival in ranked[:MOST]:
        yield Fact(f"The competitor {rival.name} {_standing(rival, report.based_on)}.", (str(rival.id),))


def _subjects(context: QuestionContext, rivals: Sequence[CompetitorItem]) -> list[Subject]:
    """Those whom the question names, or all, and the brand beside them where it may be told of."""
    named = [Subject(rival.name, rival.pk) for rival in context.about.rivals]
    brand_subjects = (
        [Subject(context.brand.name)] if context.sections.may_read(Scope.READ_VISIBILITY, "competitors.ahead") else []
    )
    every = [Subject(rival.name, rival.id) for rival in rivals]
    return [*named[:MOST], *brand_subjects] if named else [*brand_subjects, *every]


def _standing(rival: CompetitorItem, based_on: str | None) -> str:
    if rival.score is None:
        return "is not measured yet"
    shares = f"with a share of voice of {percent(rival.share_of_voice)}"
    return f"is mentioned in {percent(rival.score)} of the answers ({based_on}), {shares}"


def _own_figures(context: QuestionContext) -> SubjectFigures | None:
    """The brand's own figures; None before the first measured day, or where they may not be read, which is noted."""
    if not context.sections.may_read(Scope.READ_VISIBILITY, "competitors.ahead"):
        return None
    today = timezone.now().date()
    scores = visibility_scores(context.caller, brand_id=context.brand.pk, first=today, last=today)
    return next((share for share in scores.share_of_voice if share.competitor is None), None)


def _ahead(brand: Brand, brand_score: float, rivals: Sequence[CompetitorItem]) -> Fact:
    """Who is mentioned more often than the brand."""
    ahead = [rival for rival in rivals if rival.score is not None and rival.score > brand_score]
    names = f": {', '.join(rival.name for rival in ahead)}" if ahead else ""
    return Fact(
        f"Of {len(rivals)} watched competitors, {len(ahead) or 'none'} {'is' if len(ahead) < 2 else 'are'} mentioned "
        f"more often than {brand.name}, which is in {percent(brand_score)} of the answers{names}.",
        tuple(str(rival.id) for rival in ahead),
    )
