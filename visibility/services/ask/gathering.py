"""Which facts answer a question: corrected premises first, then what each kind tells, then what is not known."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from uuid import UUID

from apikeys.caller import Caller
from apikeys.models import User
from brands.models import Brand
from visibility.resources.writing import Withheld
from visibility.services.ask.about import About
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step, step
from visibility.services.ask.kinds.account import told_of_account
from visibility.services.ask.kinds.premises import CHANGES, fact_of_premise
from visibility.services.ask.kinds.readers import READERS
from visibility.services.ask.kinds.sites import facts_of_sites
from visibility.services.ask.refusals import WHY
from visibility.services.ask.types import Claimed, Kind, Premise, Statement, Step
from visibility.services.ask.unanswered import UNMEASURED, blocks, not_narrowed, reasons, refused
from visibility.services.reading.withheld import WithheldSections

NOTICE, PREMISE, PORTFOLIO = "notice", "premise", "portfolio"
"""What facts are called that are of no kind: what is not known here, what a question takes for granted, sites."""
MAX_FACTS = MOST + 1
"""What answers, and what supports it. Of several kinds each tells its first."""
MAX_SITES = 20
TOLD_OF_SITES = frozenset({Kind.SCORE, Kind.CHANGE, Kind.RUNS, Kind.NEXT_SCAN, Kind.SITES, Kind.RECOMMENDATIONS})
"""What the overview of several sites tells."""
OF_THE_ACCOUNT = (Kind.QUOTAS, Kind.SITES)
BEHIND = (Kind.GAPS, Kind.ABSENT_SOURCES)
"""What is told of where it goes wrong, once a premise of that is confirmed."""


@dataclass(frozen=True, slots=True)
class NamedFact:
    """A fact with its id and its tool. `leads`: it stands in the answer whatever its length."""

    id: str
    tool: str
    fact: Fact
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Gathered:
    """What an answer is made of. `refusal`: it is not answered. `said` begin it, whoever writes: what of the question
    is not so, or not known. `payer` is whose plan pays for an engine: the owner's where it is about one brand."""

    refusal: Statement | None = None
    said: Sequence[NamedFact] = ()
    facts: Sequence[NamedFact] = ()
    unknown: Step | None = None
    withheld: Sequence[Withheld] = ()
    payer: User | None = field(default=None, repr=False)


def gather(caller: Caller, brands: Sequence[Brand], question: str, about: About) -> Gathered:
    """The facts of the question, of one brand or of several."""
    payer = brands[0].owner if len(brands) == 1 else caller.user
    if about.refusal is not None:
        statement, unknown = refused(about.refusal, brands)
        return Gathered(refusal=statement, unknown=unknown, payer=payer)
    if not brands:
        return _without_site(caller, about)
    not_known = reasons(caller, brands, about)
    kinds = [kind for kind in about.kinds if kind in UNMEASURED] if blocks(about) else list(about.kinds)
    if not kinds and not not_known.facts:
        return replace(_not_understood(brands), payer=payer)
    sections = WithheldSections(caller)
    if len(brands) == 1:
        gathered = _of_one(QuestionContext(caller, brands[0], question, sections, about), kinds)
    else:
        gathered = _of_several(caller, brands, about, kinds, sections)
    said = [*_notices(not_known.facts), *gathered.said]
    withheld = list(sections.withheld)
    return replace(gathered, said=said, unknown=not_known.unknown or gathered.unknown, withheld=withheld, payer=payer)


def _notices(facts: Sequence[Fact]) -> list[NamedFact]:
    return [_named(NOTICE, number, "list_sites", told, leads=True) for number, told in enumerate(facts, start=1)]


def _named(name: str, number: int, tool: str, told: Fact, *, leads: bool = False) -> NamedFact:
    return NamedFact(f"{name}-{number}", told.tool or tool, told, leads)


def _without_site(caller: Caller, about: About) -> Gathered:
    told = told_of_account(caller, []) if Kind.QUOTAS in about.kinds else Told()
    tool = READERS[Kind.QUOTAS].tool
    facts = [_named(Kind.QUOTAS.value, number, tool, each) for number, each in enumerate(told.facts, start=1)]
    return Gathered(said=_notices([fact("no_site")]), facts=facts, payer=caller.user)


def _not_understood(brands: Sequence[Brand]) -> Gathered:
    """One sentence, and where to begin: no figures, which would be taken for an answer."""
    if len(brands) == 1:
        unknown = site_step("get_site_brief", "would_give_overview", brands[0])
    else:
        unknown = step("list_sites", "would_list_sites", {})
    return Gathered(refusal=Statement("not_recognised"), unknown=unknown)


def _of_one(context: QuestionContext, kinds: Sequence[Kind]) -> Gathered:
    """What each kind tells of one brand, behind what the question takes for granted."""
    premises_held = () if blocks(context.about) else context.about.premises
    held = [(premise, told) for premise in premises_held if (told := fact_of_premise(context, premise))]
    premises = [told for _, told in held]
    asked, kinds = kinds, _once_premises_are_held(held, kinds)
    readable = [kind for kind in kinds if context.sections.may_read(READERS[kind].scope, kind.value)]
    told_by_kind = {kind: READERS[kind].read(context) for kind in readable}
    facts = _ordered(told_by_kind, context.brand.pk, MAX_FACTS - len(premises), repeated=bool(premises))
    if (whole := not_narrowed(context.about, [kind for kind in readable if kind in asked])) is not None:
        facts.append(NamedFact(f"{NOTICE}-9", "list_prompts", whole, leads=True))
    unknown = next((told.unknown for told in told_by_kind.values() if told.unknown), None)
    if WHY.search(context.about.rest):
        unknown = _reasons(told_by_kind) or unknown
    said = [
        _named(PREMISE, number, "get_visibility_scores", _placed(told, Kind.SCORE, context.brand.pk), leads=True)
        for number, told in enumerate(premises, start=1)
    ]
    return Gathered(said=said, facts=facts, unknown=unknown)


def _once_premises_are_held(held: Sequence[tuple[Premise, Fact]], kinds: Sequence[Kind]) -> list[Kind]:
    """Where the brand is left out indeed, what is known of that comes before what the question asks; where a change
    is taken for granted, what there was."""
    is_behind = any(
        told.statement.values["verdict"] != "false"
        and premise.claimed in (_OWN_FAULTS if premise.subject.id is None else _RIVALS_MERITS)
        for premise, told in held
    )
    of_change = any(premise.claimed in CHANGES for premise, _ in held)
    return list(dict.fromkeys([*(BEHIND if is_behind else ()), *([Kind.CHANGE] if of_change else ()), *kinds]))


_OWN_FAULTS = (Claimed.NOT_NAMED, Claimed.BEHIND)
_RIVALS_MERITS = (Claimed.AHEAD, Claimed.LEADS)


def _reasons(told_by_kind: dict[Kind, Told]) -> Step | None:
    """The step that says that reasons are not measured, of whichever kind has it."""
    steps = [told.unknown for told in told_by_kind.values() if told.unknown]
    return next((unknown for unknown in steps if unknown.why.key == "why_not_measured"), None)


_REPEATING = frozenset({"score", "compared", "ranking", "ranking_first", "unchanged", "changed", "drifted"})
"""Sentences that a premise's own has said."""


def _placed(told: Fact, kind: Kind, site: UUID) -> Fact:
    """The fact as one of the site; what the account may use is none of it."""
    return told if told.site or kind in OF_THE_ACCOUNT else replace(told, site=site)


def _ordered(told_by_kind: dict[Kind, Told], site: UUID, limit: int, *, repeated: bool) -> list[NamedFact]:
    """The first of each kind, then in turn what supports them, at most so many in all."""
    columns = [
        [
            _named(kind.value, number, READERS[kind].tool, _placed(each, kind, site), leads=number == 1)
            for number, each in enumerate(told.facts, start=1)
            if not (repeated and number == 1 and each.statement.key in _REPEATING)
        ]
        for kind, told in told_by_kind.items()
    ]
    in_turn = [each for row in zip_longest(*columns) for each in row if each is not None]
    return in_turn[: max(limit, 2)]


def _of_several(
    caller: Caller, brands: Sequence[Brand], about: About, kinds: Sequence[Kind], sections: WithheldSections
) -> Gathered:
    """How each site stands; the account's quotas; and what is told of a single one only."""
    facts: list[NamedFact] = []
    others_alone = about.rivals and not about.own
    if not blocks(about) and not others_alone and any(kind != Kind.QUOTAS for kind in kinds):
        site_facts, withheld = facts_of_sites(caller, brands)
        sections.withheld += withheld
        facts += [
            _named(PORTFOLIO, number, "get_portfolio_summary", told, leads=True)
            for number, told in enumerate(site_facts[:MAX_SITES], start=1)
        ]
    if Kind.QUOTAS in kinds:
        told = told_of_account(caller, brands)
        facts += [
            _named(Kind.QUOTAS.value, number, READERS[Kind.QUOTAS].tool, each, leads=True)
            for number, each in enumerate(told.facts, start=1)
        ]
    apart = [kind for kind in kinds if kind not in TOLD_OF_SITES and kind != Kind.QUOTAS]
    readable = [kind for kind in apart if sections.may_read(READERS[kind].scope, kind.value)]
    if not readable:
        return Gathered(facts=facts)
    names = [brand.name for brand in brands[:MOST]]
    notice = fact(
        "several_sites", *(brand.pk for brand in brands), kinds=[kind.value for kind in readable], sites=[*names]
    )
    return Gathered(said=_notices([notice]), facts=facts, unknown=step("list_sites", "would_list_sites", {}))
