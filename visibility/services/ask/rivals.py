"""Facts about competitors: those that the question names beside the brand, and how all of them stand."""

from collections.abc import Iterator, Sequence

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from brands.services.names import names_of
from visibility.competitor_resources import CompetitorItem
from visibility.score_resources import SubjectFigures
from visibility.services.ask.told import MOST, Asked, Told, interval, percent, used
from visibility.services.ask.topics import COMPETITORS
from visibility.services.competitor_list import competitors_of
from visibility.services.scores import visibility_scores
from visibility.writers.words import names_any


def names_a_rival(caller: Caller, brands: Sequence[Brand], question: str) -> bool:
    """Whether the question names a competitor of one of the brands; no to a caller who may not read competitors."""
    if Scope.READ_COMPETITORS not in caller.scopes:
        return False
    rivals = Competitor.objects.for_caller(caller).filter(brand__in=brands).prefetch_related("aliases")
    return any(names_any(question, names_of(rival)) for rival in rivals)


def facts_of_rivals(asked: Asked) -> Iterator[Told]:
    """The competitors that the question names, beside the brand; all of them where it is about competitors at all."""
    found = competitors_of(asked.caller, brand_id=asked.brand.pk)
    named = [rival for rival in found.competitors if names_any(asked.question, [rival.name, *rival.aliases])]
    ranked = sorted(found.competitors, key=lambda each: -1 if each.score is None else -each.score)
    own = _own_figures(asked) if ranked else None
    day = f" ({found.based_on})" if found.based_on else ""
    for rival in named[:MOST]:
        yield Told(
            f"The competitor {rival.name} ({rival.domain}){day}: {_figures(rival)}{_beside(asked.brand, own)}.",
            (str(rival.id),),
        )
    if named and not COMPETITORS.is_meant(asked.question):
        return
    if not ranked:
        yield Told(f"{asked.brand.name} has no competitors yet; {used(found.quota)} are in use.")
    if own is not None and own.score is not None and ranked:
        yield _ahead(asked.brand, own.score, ranked)
    for rival in [each for each in ranked if each not in named][:MOST]:
        yield Told(f"The competitor {rival.name} {_standing(rival, found.based_on)}.", (str(rival.id),))


def _standing(rival: CompetitorItem, based_on: str | None) -> str:
    if rival.score is None:
        return "is not measured yet"
    shares = f"with a share of voice of {percent(rival.share_of_voice)}"
    return f"is mentioned in {percent(rival.score)} of the answers ({based_on}), {shares}"


def _own_figures(asked: Asked) -> SubjectFigures | None:
    """The brand's own figures; None before the first measured day, or where they may not be read, which is noted."""
    if not asked.parts.may_read(Scope.READ_VISIBILITY, "competitors.ahead"):
        return None
    today = timezone.now().date()
    scores = visibility_scores(asked.caller, brand_id=asked.brand.pk, first=today, last=today)
    return next((share for share in scores.share_of_voice if share.competitor is None), None)


def _beside(brand: Brand, own: SubjectFigures | None) -> str:
    return "" if own is None else f"; {brand.name} itself: {_figures(own)}"


def _figures(subject: SubjectFigures) -> str:
    if subject.score is None:
        return "not measured yet"
    voice = percent(subject.share_of_voice)
    return f"mentioned in {percent(subject.score)} of the answers{interval(subject)}, share of voice {voice}"


def _ahead(brand: Brand, own: float, rivals: Sequence[CompetitorItem]) -> Told:
    """Who is mentioned more often than the brand."""
    ahead = [rival for rival in rivals if rival.score is not None and rival.score > own]
    names = f": {', '.join(rival.name for rival in ahead)}" if ahead else ""
    return Told(
        f"Of {len(rivals)} watched competitors, {len(ahead) or 'none'} {'is' if len(ahead) < 2 else 'are'} mentioned "
        f"more often than {brand.name}, which is in {percent(own)} of the answers{names}.",
        tuple(str(rival.id) for rival in ahead),
    )
