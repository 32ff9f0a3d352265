"""What is said of a question that is not answered, or not as it was asked: a fact and a step for each reason."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Count

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.detection.rivals.suggesting import name_key
from visibility.insights.suggestions import newest_runs
from visibility.measured.generations import tracked_names_of
from visibility.measured.topics import read_topics
from visibility.models import Answer, CompetitorSuggestion, Prompt, UntrackedName
from visibility.services.ask.about import About, UnknownEngine, UnknownName
from visibility.services.ask.fact import MOST, Fact, Told, fact, site_step, step
from visibility.services.ask.kinds.premises import CHANGES
from visibility.services.ask.refusals import Refusal
from visibility.services.ask.types import Kind, Statement, Step, Value

UNMEASURED = (Kind.RUNS, Kind.NEXT_SCAN, Kind.COST, Kind.AUDIT, Kind.QUOTAS, Kind.CLAIMS, Kind.THEMES, Kind.VOICE)
"""What is told whatever engine, name or period is not known: it rests on no answer."""
_FIGURES = frozenset({Kind.SCORE, Kind.ENGINES, Kind.COMPETITORS, Kind.SURE})
_OF_PROMPTS = _FIGURES | {
    Kind.TOPICS,
    Kind.GAPS,
    Kind.SOURCES,
    Kind.ABSENT_SOURCES,
    Kind.CRITERIA,
    Kind.RECOMMENDATIONS,
    Kind.PROGRESS,
    Kind.PROOFS,
    Kind.CONTENT,
    Kind.PROMPTS,
}
OF_NAMES = _FIGURES | {Kind.CHANGE}
"""What asks for figures of a name, so that a word that may be one is."""
_NARROWED_BY_RIVALS = _FIGURES - {Kind.SURE} | {Kind.CHANGE, Kind.GAPS, Kind.RECOMMENDATIONS, Kind.CONTENT}
_NARROWED_BY_ENGINES = _OF_PROMPTS - {Kind.CRITERIA} | {Kind.CHANGE}
_NARROWED_BY_PERIOD = _FIGURES | {Kind.CHANGE, Kind.RUNS}


def refused(refusal: Refusal, brands: Sequence[Brand]) -> tuple[Statement, Step]:
    """Why the question is not answered at all, in a sentence, and the call that could help."""
    statement = Statement(f"refused_{refusal.name.replace(' ', '_')}")
    if len(brands) != 1 or refusal.tool == "list_sites":
        return statement, step("list_sites", "would_list_sites", {})
    return statement, _step_of_refusal(refusal.tool, brands[0])


def _step_of_refusal(tool: str, brand: Brand) -> Step:
    """The call that could help; of the texts of answers that of a prompt."""
    if tool == "get_prompt_detail":
        prompt = (
            Prompt.objects.filter(brand=brand).active().order_by("created_at").values_list("pk", flat=True).first()
        )
        if prompt is not None:
            return step(tool, "why_not_measured", {"promptId": str(prompt)})
        return site_step("list_prompts", "would_need_prompts", brand)
    if tool == "run_visibility_scan":
        return site_step(tool, "would_scan_now", brand, subject=brand.name)
    return site_step(tool, _WHY_OF_TOOL.get(tool, "would_give_overview"), brand)


_WHY_OF_TOOL = {
    "generate_content_draft": "would_draft",
    "get_visibility_scores": "would_show_days",
}


def blocks(about: About) -> bool:
    """Whether what the question is about has no figures, so that any others would be another's."""
    nobody = about.unknown and not (about.own or about.rivals)
    no_engine = about.unknown_engines and not about.engines
    no_day = _has_no_day(about) and not _asks_of_change(about)
    return bool(nobody or no_engine or no_day or _is_of_unknown_topic(about))


def reasons(caller: Caller, brands: Sequence[Brand], about: About) -> Told:
    """What of the question is not known here: names, engines, days, topics; and the call that would tell."""
    rests_on_answers = not about.kinds or any(kind not in UNMEASURED for kind in about.kinds)
    parts = [_untracked(caller, brands, name) for name in about.unknown if rests_on_answers or not about.own]
    parts += [_no_engine(brands, about, engine) for engine in about.unknown_engines]
    if _has_no_day(about):
        parts.append(_no_day(brands[0], about))
    elif _is_of_unknown_topic(about) and rests_on_answers:
        parts.append(_unknown_topic(brands, about))
    facts = [item for part in parts for item in part.facts]
    return Told(facts, next((part.unknown for part in parts if part.unknown), None))


def notes(about: About, kinds: Sequence[Kind], topics: Sequence[str]) -> list[Fact]:
    """What stands behind the facts of these kinds: what of the question, narrowed to these topics, they do not
    regard."""
    whole = not_narrowed(about, kinds, topics)
    exception = fact("left_out", names=list[Value](about.left_out)) if about.left_out else None
    return [item for item in (whole, exception) if item is not None]


def not_narrowed(about: About, kinds: Sequence[Kind], topics: Sequence[str]) -> Fact | None:
    """Which of these kinds are told without regard to what the question is about; None where all are narrowed."""
    restrictions: Sequence[tuple[list[str], frozenset[Kind]]] = (
        ([rival.name for rival in about.rivals], _NARROWED_BY_RIVALS),
        (list(about.engines), _NARROWED_BY_ENGINES),
        (list(topics), _OF_PROMPTS),
        ([about.period.words] if about.period else [], _NARROWED_BY_PERIOD),
    )
    meant = [kind for kind in kinds if kind not in UNMEASURED and kind not in (Kind.DEFINITIONS, Kind.SITES)]
    whole: dict[Kind, list[str]] = {}
    for words, narrowed in restrictions:
        for kind in meant:
            if words and kind not in narrowed:
                whole.setdefault(kind, []).extend(words)
    places = list(dict.fromkeys(word for words in whole.values() for word in words))
    return fact("not_narrowed", kinds=[kind.value for kind in whole], place=list[Value](places)) if whole else None


def _has_no_day(about: About) -> bool:
    period = about.period
    return bool(
        period
        and about.days
        and not any(
            period.first <= day.day <= period.last and (not about.engines or day.engine in about.engines)
            for day in about.days
        )
    )


def _asks_of_change(about: About) -> bool:
    """Then it is told what changed up to the last measured day."""
    return Kind.CHANGE in about.kinds or any(premise.claimed in CHANGES for premise in about.premises)


def _is_of_unknown_topic(about: About) -> bool:
    return bool(about.unread and not about.narrowing)


def _no_day(brand: Brand, about: About) -> Told:
    days = [day.day for day in about.days if not about.engines or day.engine in about.engines]
    period = about.period
    begin = period.first if period and period.first.year > 1 else None
    item = fact(
        "no_day",
        subject=brand.name,
        engine=list(about.engines) or None,
        begin=begin,
        end=period.last if period else None,
        first=days[-1],
        day=days[0],
    )
    return Told([item], site_step("get_visibility_scores", "would_show_days", brand))


def _unknown_topic(brands: Sequence[Brand], about: About) -> Told:
    """That no prompt is on it, with the topics that there are, and the call that would measure it."""
    topics: list[Value] = []
    if len(brands) == 1:
        named, not_own = read_topics(brands[0].pk).topics, tracked_names_of(brands[0]).vocabulary.not_own
        topics = [topic.name for topic in named if topic.active and topic.is_stated and topic.key not in not_own]
    item = fact("unknown_topic", topic=about.unread, topics=topics[:MOST] or None, more=len(topics[MOST:]) or None)
    if len(brands) != 1:
        return Told([item], step("list_sites", "would_list_sites", {}))
    arguments: dict[str, Value] = {"topic": about.unread, "count": MOST}
    return Told([item], site_step("generate_prompts", "would_ask_of_topic", brands[0], arguments, topic=about.unread))


def _untracked(caller: Caller, brands: Sequence[Brand], name: UnknownName) -> Told:
    """That nothing is counted for a name, with what answers list it, and what would bring it."""
    if Scope.READ_COMPETITORS not in caller.scopes:
        return Told([fact("untracked_hidden", subject=name.text, scope=Scope.READ_COMPETITORS.value)])
    if name.like:
        item = fact("untracked_like", subject=name.text, like=name.like)
        item = replace(item, tool="list_competitors")
        return Told([item], _of_site("list_competitors", "would_list_competitors", brands))
    if len(brands) != 1:
        return Told(
            [fact("untracked_unlisted", subject=name.text)],
            step("list_sites", "would_list_sites", {}),
        )
    named, answers, runs = _listed(brands[0], name.text)
    item = fact(
        "untracked" if named else "untracked_unlisted",
        *runs,
        subject=name.text,
        named=named,
        answers=answers,
    )
    return Told([replace(item, tool="add_competitor")], _step_to_track(brands[0], name.text))


def _step_to_track(brand: Brand, name: str) -> Step:
    """The call that adds it, with the domain that its suggestion guesses."""
    suggestions = CompetitorSuggestion.objects.filter(brand=brand, name__iexact=name).exclude(domain="")
    domain = suggestions.values_list("domain", flat=True).first()
    arguments: dict[str, Value] = {"name": name, **({"domain": domain} if domain else {})}
    key = "would_count" if domain else "would_count_without_domain"
    return site_step("add_competitor", key, brand, arguments, subject=name)


def _of_site(tool: str, key: str, brands: Sequence[Brand]) -> Step:
    return site_step(tool, key, brands[0]) if len(brands) == 1 else step("list_sites", "would_list_sites", {})


def _listed(brand: Brand, name: str) -> tuple[int, int, Sequence[UUID]]:
    """How many of the newest scans' answers list the name among their picks, of how many, and these scans."""
    runs = newest_runs(brand.pk)
    rows = UntrackedName.objects.filter(answer__run__in=runs, lead=name_key(name.split()[0]), name__istartswith=name)
    named = rows.aggregate(answers=Count("answer", distinct=True))["answers"]
    return named, Answer.objects.filter(run__in=runs, state=Answer.State.ANSWERED).counting().count(), runs


def _no_engine(brands: Sequence[Brand], about: About, engine: UnknownEngine) -> Told:
    """That an AI system is no engine here, or could be several, with those that there are."""
    tool, known = "get_visibility_scores", about.known_engines
    if len(engine.candidates) > 1:
        item = fact("engine_ambiguous", engine=engine.words, engines=list(engine.candidates))
    elif len(brands) != 1:
        return Told(
            [fact("engine_of_one_site", engine=engine.words)],
            step("list_sites", "would_list_sites", {}),
        )
    elif known:
        item = fact("no_engine", engine=engine.words, engines=list[Value](known), subject=brands[0].name)
    else:
        item = fact("no_engine_yet", engine=engine.words, subject=brands[0].name)
    return Told([replace(item, tool=tool)], _of_site(tool, "would_list_engines", brands))
