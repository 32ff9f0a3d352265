"""Which facts answer a question: corrected premises first, then what each kind tells, then what is not known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from apikeys.caller import Caller
from apikeys.models import User
from brands.models import Brand
from visibility.resources.writing import Withheld
from visibility.services.ask.about import About
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step, step
from visibility.services.ask.kinds.account import told_of_account
from visibility.services.ask.kinds.premises import CHANGED, CHANGES, fact_of_premise
from visibility.services.ask.kinds.readers import READERS
from visibility.services.ask.kinds.sites import facts_of_sites
from visibility.services.ask.refusals import OUT_OF_SCOPE, SECRETS, WHY
from visibility.services.ask.types import Claimed, Kind, Premise, Statement, Step
from visibility.services.ask.unanswered import UNMEASURED, blocks, notes, reasons, refused
from visibility.services.reading.withheld import WithheldSections

NOTICE, PREMISE, PORTFOLIO, NOTE = "notice", "premise", "portfolio", "note"
"""What facts are called that are of no kind: what is not known here, what a question takes for granted, sites, and
what the facts do not regard."""
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
    is not so, or not known. `payer` is whose plan pays for an engine: the owner's where it is about one `brand`.
    `is_elsewhere`: it asks for nothing of this service, and one sentence says so."""

    refusal: Statement | None = None
    said: Sequence[NamedFact] = ()
    facts: Sequence[NamedFact] = ()
    unknown: Step | None = None
    withheld: Sequence[Withheld] = ()
    payer: User | None = field(default=None, repr=False)
    brand: Brand | None = field(default=None, repr=False)
    is_elsewhere: bool = False


def gather(caller: Caller, brands: Sequence[Brand], question: str, about: About) -> Gathered:
    """The facts of the question, of one brand or of several."""
    brand = brands[0] if len(brands) == 1 else None
    payer = brand.owner if brand else caller.user
    if about.refusal is not None:
        statement, unknown = refused(about.refusal, brands)
        return Gathered(
            refusal=statement,
            unknown=unknown,
            payer=payer,
            brand=brand,
            is_elsewhere=about.refusal.name in (SECRETS, OUT_OF_SCOPE),
        )
    if not brands:
        return _without_site(caller, about)
    not_known = reasons(caller, brands, about)
    kinds = [kind for kind in about.kinds if kind in UNMEASURED] if blocks(about) else list(about.kinds)
    if not kinds and not not_known.facts:
        return replace(_not_understood(brands), payer=payer, brand=brand)
    sections = WithheldSections(caller)
    if len(brands) == 1:
        gathered = _of_one(QuestionContext(caller, brands[0], question, sections, about), kinds)
    else:
        gathered = _of_several(caller, brands, about, kinds, sections)
    said = [*_notices(not_known.facts), *gathered.said]
    withheld = list(sections.withheld)
    gathered = replace(gathered, said=said, withheld=withheld, payer=payer, brand=brand)
    return replace(gathered, unknown=not_known.unknown or gathered.unknown)


def _notices(facts: Sequence[Fact]) -> list[NamedFact]:
    return _named(NOTICE, facts, "list_sites", leading=len(facts))


def _named(name: str, facts: Sequence[Fact], tool: str, *, leading: int = 1) -> list[NamedFact]:
    """The facts by their ids; the first so many lead."""
    return [
        NamedFact(f"{name}-{number}", item.tool or tool, item, leads=number <= leading)
        for number, item in enumerate(facts, start=1)
    ]


def _without_site(caller: Caller, about: About) -> Gathered:
    section = told_of_account(caller, []) if Kind.QUOTAS in about.kinds else Told()
    facts = _named(Kind.QUOTAS.value, section.facts, READERS[Kind.QUOTAS].tool)
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
    premises = _premises(context)
    every = _once_premises_are_checked(premises, kinds)
    readable = [kind for kind in every if context.sections.may_read(READERS[kind].scope, kind.value)]
    sections = {kind: READERS[kind].read(context) for kind in readable}
    facts = _in_turn(context, sections, MAX_FACTS - len(premises), repeated=bool(premises))
    behind = notes(context.about, [kind for kind in readable if kind in kinds], context.topic_names)
    facts += _named(NOTE, behind, "list_prompts", leading=len(behind))
    steps = [section.unknown for section in sections.values() if section.unknown]
    if WHY.search(context.about.rest):
        steps.sort(key=lambda unknown: unknown.why.key != "why_not_measured")
    checked = [_placed(context, Kind.SCORE, item) for _, item in premises]
    said = _named(PREMISE, checked, "get_visibility_scores", leading=len(premises))
    return Gathered(said=said, facts=facts, unknown=steps[0] if steps else None)


def _premises(context: QuestionContext) -> list[tuple[Premise, Fact]]:
    """What the question takes for granted, each against the figures; nothing where what it names has none."""
    premises = () if blocks(context.about) else context.about.premises
    checked = [(premise, fact_of_premise(context, premise)) for premise in premises]
    return [(premise, item) for premise, item in checked if item is not None]


def _once_premises_are_checked(premises: Sequence[tuple[Premise, Fact]], kinds: Sequence[Kind]) -> list[Kind]:
    """Where the brand is left out indeed, what is known of that comes before what the question asks; where a change
    is taken for granted, what there was."""
    is_behind = any(
        item.statement.values["verdict"] != "false"
        and premise.claimed in (_OWN_FAULTS if premise.subject.id is None else _RIVALS_MERITS)
        for premise, item in premises
    )
    of_change = any(premise.claimed in CHANGES for premise, _ in premises)
    return list(dict.fromkeys([*(BEHIND if is_behind else ()), *([Kind.CHANGE] if of_change else ()), *kinds]))


_OWN_FAULTS = (Claimed.NOT_NAMED, Claimed.BEHIND)
_RIVALS_MERITS = (Claimed.AHEAD, Claimed.LEADS)
_REPEATING = frozenset({"score", "compared", "ranking", "ranking_first", "unchanged", *CHANGED})
"""Sentences that a premise's own has said."""


def _in_turn(
    context: QuestionContext, sections: Mapping[Kind, Told], limit: int, *, repeated: bool
) -> list[NamedFact]:
    """The first of each kind, then in turn what supports them, at most so many in all."""
    columns = []
    for kind, section in sections.items():
        facts = [_placed(context, kind, item) for item in section.facts]
        column = _named(kind.value, facts, READERS[kind].tool)
        is_said = repeated and bool(facts) and facts[0].statement.key in _REPEATING
        columns.append(column[1:] if is_said else column)
    in_turn = [named for row in zip_longest(*columns) for named in row if named is not None]
    return in_turn[: max(limit, 2)]


def _placed(context: QuestionContext, kind: Kind, item: Fact) -> Fact:
    """The fact as one of the site; what the account may use is none of it."""
    return item if item.site or kind in OF_THE_ACCOUNT else replace(item, site=context.brand.pk)


def _of_several(
    caller: Caller, brands: Sequence[Brand], about: About, kinds: Sequence[Kind], sections: WithheldSections
) -> Gathered:
    """How each site stands; the account's quotas; and what is told of a single one only."""
    facts: list[NamedFact] = []
    others_alone = about.rivals and not about.own
    if not blocks(about) and not others_alone and any(kind != Kind.QUOTAS for kind in kinds):
        site_facts, withheld = facts_of_sites(caller, brands)
        sections.withheld += withheld
        facts += _named(PORTFOLIO, site_facts[:MAX_SITES], "get_portfolio_summary", leading=MAX_SITES)
    if Kind.QUOTAS in kinds:
        account = told_of_account(caller, brands).facts
        facts += _named(Kind.QUOTAS.value, account, READERS[Kind.QUOTAS].tool, leading=len(account))
    apart = [kind for kind in kinds if kind not in TOLD_OF_SITES and kind != Kind.QUOTAS]
    readable = [kind for kind in apart if sections.may_read(READERS[kind].scope, kind.value)]
    if not readable:
        return Gathered(facts=facts)
    names = [brand.name for brand in brands[:MOST]]
    notice = fact(
        "several_sites", *(brand.pk for brand in brands), kinds=[kind.value for kind in readable], sites=[*names]
    )
    return Gathered(said=_notices([notice]), facts=facts, unknown=step("list_sites", "would_list_sites", {}))
