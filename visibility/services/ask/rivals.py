"""Facts about competitors: those that the question names beside the brand, and how all of them stand."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from visibility.competitor_resources import CompetitorItem
from visibility.score_resources import SubjectFigures
from visibility.services.ask.told import MOST, Asked, Told, percent, used
from visibility.services.ask.topics import COMPETITORS
from visibility.services.competitor_list import competitors_of
from visibility.services.scores import visibility_scores
from visibility.writers.words import names_any


def is_named(question: str, names: Iterable[str]) -> bool:
    """Whether the question has one of the names as words, in whatever case."""
    folded = question.casefold()
    return names_any(folded, [name for name in map(str.casefold, names) if name in folded])


def names_a_rival(caller: Caller, brands: Sequence[Brand], question: str) -> bool:
    """Whether the question names a competitor of one of the brands; no to a caller who may not read competitors."""
    if Scope.READ_COMPETITORS not in caller.scopes:
        return False
    rivals = Competitor.objects.for_caller(caller).filter(brand__in=brands).prefetch_related("aliases")
    return any(is_named(question, [rival.name, *(alias.text for alias in rival.aliases.all())]) for rival in rivals)


def facts_of_rivals(asked: Asked) -> Iterator[Told]:
    """The competitors that the question names, beside the brand; all of them where it is about competitors at all."""
    found = competitors_of(asked.caller, brand_id=asked.brand.pk)
    named = [rival for rival in found.competitors if is_named(asked.question, [rival.name, *rival.aliases])]
    ranked = sorted(found.competitors, key=lambda each: -1 if each.score is None else -each.score)
    own = _own_figures(asked) if ranked else None
    day = f" on {found.as_of}" if found.as_of else ""
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
        yield Told(f"The competitor {rival.name} {_standing(rival, found.as_of)}.", (str(rival.id),))


def _standing(rival: CompetitorItem, day: date | None) -> str:
    if rival.score is None:
        return "is not measured yet"
    shares = f"with a share of voice of {percent(rival.share_of_voice)}"
    return f"was mentioned in {percent(rival.score)} of the answers on {day}, {shares}"


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
    span = "" if subject.low is None else f" (95 % interval {subject.low:.1f} to {subject.high:.1f})"
    voice = percent(subject.share_of_voice)
    return f"mentioned in {percent(subject.score)} of the answers{span}, share of voice {voice}"


def _ahead(brand: Brand, own: float, rivals: Sequence[CompetitorItem]) -> Told:
    """Who is mentioned more often than the brand."""
    ahead = [rival for rival in rivals if rival.score is not None and rival.score > own]
    names = f": {', '.join(rival.name for rival in ahead)}" if ahead else ""
    return Told(
        f"Of {len(rivals)} watched competitors, {len(ahead) or 'none'} {'is' if len(ahead) < 2 else 'are'} mentioned "
        f"more often than {brand.name}, which is in {percent(own)} of the answers{names}.",
        tuple(str(rival.id) for rival in ahead),
    )
