"""The tracked names of a brand that also mean something else, for those who add them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from uuid import UUID

from django.db.models.functions import Left

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand, NamePolicy
from brands.services.access import readable_brand
from brands.services.tracked import BrandNames, read_names
from visibility.detection.names.ambiguity import Flag, flag_ambiguous
from visibility.detection.names.cost import MAX_LONGER, LongerName, longer_names
from visibility.detection.names.proposing import SeenName, propose_policy, seen_names
from visibility.insights.suggestions import ids_of_newest
from visibility.models import Answer, Mention
from visibility.resources.competitors import AmbiguousName
from visibility.resources.names import NameCheck, NamePolicyResource
from visibility.services.competitors.name_costs import name_costs
from visibility.services.competitors.name_words import advice_in_words, cost_in_words, longer_in_words

ANSWERS = 300
"""The newest answers that names are looked up in: enough to tell, few enough for a page."""

MOSTLY = 0.9
"""A name that is meant in so many of its places needs no longer one."""

BEGINNING = 20_000
"""Characters of an answer that are looked at."""


def name_flags(names: BrandNames) -> dict[str, Flag]:
    """Each name or alias of the brand and its competitors that needs care, with the reason."""
    flags = {name: flag_ambiguous(name) for name in names.spellings}
    return {name: flag for name, flag in flags.items() if flag}


def warned_names(names: BrandNames, new_names: Iterable[str]) -> list[AmbiguousName]:
    """Those of the new names that need care, with what they would cost on the brand's newest answers. `names` are all
    of the brand, these among them."""
    flags = {name: flag for name in new_names if (flag := flag_ambiguous(name))}
    costs = name_costs(names, flags)
    return [
        AmbiguousName(
            name=name,
            reason=f"{flag.reason}{_asked_for(names, name)}",
            cost=cost_in_words(costs[name]),
            occurrences=costs[name].places,
            counted=costs[name].counted,
            answers=costs[name].answers,
            longer=list(costs[name].longer),
        )
        for name, flag in flags.items()
    ]


def _asked_for(names: BrandNames, name: str) -> str:
    """What the brand's own people can say of a name of theirs: what they sell, by which answers are read."""
    is_told = name not in (names.brand.name, *names.aliases) or names.brand.description.strip()
    return "" if is_told else " Say in the description what you sell: that tells where it is meant."


def warning_of(warned: AmbiguousName) -> str:
    """The warning in sentences, for people."""
    is_misread = warned.counted is not None and warned.counted < MOSTLY * (warned.occurrences or 0)
    advice = advice_in_words(warned.longer) if is_misread else ""
    return " ".join(filter(None, (warned.reason, warned.cost, advice)))


@snapshot()
def name_checks(caller: Caller, *, brand_id: UUID) -> list[NameCheck]:
    """Each name that needs care: why, what people have said of it, how often the newest answers have its letters and
    how often it counted there, and a proposal. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_COMPETITORS)
    return checks_of(read_names(readable_brand(caller, brand_id)))


def checks_of(names: BrandNames) -> list[NameCheck]:
    """As `name_checks`, for services that have checked what the caller may read of the brand with these names."""
    flags = name_flags(names)
    texts = _newest_texts(names.brand)
    counted_places = _counted(texts)
    checks = [_check(names, name, flag, texts, counted_places) for name, flag in flags.items()]
    return [*checks, *_longer_checks(names, set(flags), texts, counted_places)]


def _longer_checks(
    names: BrandNames,
    flagged: Set[str],
    texts: Mapping[UUID, str],
    counted_places: Mapping[UUID, Sequence[int]],
) -> list[NameCheck]:
    """Names that mean one thing alone, but begin longer ones that may be another maker's; and those of which people
    said when they count."""
    answers = [(text, counted_places.get(answer, ())) for answer, text in texts.items()]
    by_name: dict[str, list[LongerName]] = defaultdict(list)
    for longer in longer_names(answers, names.spellings):
        by_name[longer.name].append(longer)
    plain_names = [name for name in names.spellings if name not in flagged]
    return [
        _longer_check(name, by_name[name][:MAX_LONGER], names.policies.get(name.casefold()), answers)
        for name in plain_names
        if name in by_name or name.casefold() in names.policies
    ]


def _longer_check(
    name: str, longer: Sequence[LongerName], policy: NamePolicy | None, answers: Sequence[tuple[str, Sequence[int]]]
) -> NameCheck:
    said = NamePolicyResource.model_validate(policy) if policy else None
    words = [*(said.forbidden_near if said else []), *(item.word for item in longer)]
    proposal = NamePolicyResource(
        case_sensitive=bool(said and said.case_sensitive),
        required_near=said.required_near if said else [],
        forbidden_near=words,
    )
    return NameCheck(
        name=name,
        kind="longer",
        reason=longer_in_words(longer) if longer else "People have said when it counts.",
        policy=None if longer else said,
        proposal=proposal if longer else None,
        occurs_in=sum(name in text for text, _ in answers),
        counted_in=sum(any(text.startswith(name, start) for start in starts) for text, starts in answers),
        answers=len(answers),
    )


def _newest_texts(brand: Brand) -> dict[UUID, str]:
    newest = Answer.objects.filter(run__in=ids_of_newest(brand.pk), state=Answer.State.ANSWERED)
    beginnings = newest.annotate(beginning=Left("text", BEGINNING)).order_by("-run__created_at", "-position")
    return dict(beginnings.values_list("pk", "beginning")[:ANSWERS])


def _counted(texts: Mapping[UUID, str]) -> Mapping[UUID, Sequence[int]]:
    """Where in each answer any mention begins."""
    starts: dict[UUID, list[int]] = defaultdict(list)
    for answer, start in Mention.objects.filter(answer__in=list(texts)).order_by().values_list("answer_id", "start"):
        starts[answer].append(start)
    return starts


def _check(
    names: BrandNames,
    name: str,
    flag: Flag,
    texts: Mapping[UUID, str],
    counted_places: Mapping[UUID, Sequence[int]],
) -> NameCheck:
    by_answer = [list(seen_names(text, name, counted_places.get(answer, ()))) for answer, text in texts.items()]
    occurrences: list[SeenName] = [occurrence for places in by_answer for occurrence in places]
    policy, proposal = names.policies.get(name.casefold()), propose_policy(name, flag.kind, occurrences)
    return NameCheck(
        name=name,
        kind=flag.kind,
        reason=f"{flag.reason}{_asked_for(names, name)}",
        policy=NamePolicyResource.model_validate(policy) if policy else None,
        proposal=NamePolicyResource.model_validate(proposal) if proposal else None,
        occurs_in=sum(bool(places) for places in by_answer),
        counted_in=sum(any(occurrence.counted for occurrence in places) for places in by_answer),
        answers=len(texts),
    )
