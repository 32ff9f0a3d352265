"""Comparisons: engines are asked to choose between the brand and each rival, and each answer is judged."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Least, Substr

from apikeys.caller import Caller
from apikeys.errors import invalid
from brands.models import Brand, Competitor
from brands.services.access import readable_brand
from visibility.detection.stance.preference import PreferenceRule
from visibility.models import DailyScore, Preference, Prompt, Run
from visibility.resources.comparisons import (
    ComparedCompetitor,
    ComparedPrompt,
    Comparison,
    EnginePreferences,
    PreferenceQuote,
)
from visibility.services.prompts.material import usual_locale
from visibility.services.scans.head_to_head import QUESTIONS_FOR_EACH, questions_against
from visibility.services.scans.plans import ScanPlan, credits_per_scan, plan_questions
from visibility.services.scans.starting import StartedScan, start_run

MAX_RIVALS = 10
DEFAULT_RIVALS = 5
QUOTES_OF_SIDE = 2
MAX_QUOTE_LENGTH = 500
_Side = Preference.Side
_PREFERS: dict[str, Literal["site", "competitor"]] = {_Side.BRAND: "site", _Side.RIVAL: "competitor"}


def start_comparison(
    caller: Caller, *, brand_id: UUID, trigger: Run.Trigger, competitor_ids: Sequence[UUID] | None = None
) -> StartedScan:
    """Ask the brand's engines to choose between it and each of these rivals, by default the five most visible.

    Returns the comparison that is active, or that started within the last hour, instead, which costs nothing; it has
    a clock of its own beside that of scans. Credits are reserved and settled as those of scans. Raises not_found,
    read_only_collaborator, no_engine_configured, invalid_arguments and quota_exceeded; then nothing is started.
    """
    plan = partial(_plan, caller, competitor_ids)
    return start_run(caller, brand_id=brand_id, kind=Run.Kind.COMPARISON, trigger=trigger, plan=plan)


def comparison_credits(caller: Caller, *, brand_id: UUID) -> int:
    """What a comparison with the most visible rivals would reserve now; 0: there is nothing to ask."""
    brand = readable_brand(caller, brand_id)
    rivals = min(Competitor.objects.filter(brand=brand).count(), DEFAULT_RIVALS)
    return credits_per_scan([brand], {brand.pk: rivals * QUESTIONS_FOR_EACH})[brand.pk]


def _plan(caller: Caller, competitor_ids: Sequence[UUID] | None, brand: Brand) -> ScanPlan:
    rivals = _most_visible(brand) if competitor_ids is None else _chosen(brand, competitor_ids)
    wordings = questions_against(caller, brand=brand, rivals=rivals, locale=usual_locale(brand))
    return plan_questions(brand, wordings)


def _chosen(brand: Brand, ids: Sequence[UUID]) -> list[Competitor]:
    if not 1 <= len(set(ids)) <= MAX_RIVALS:
        raise invalid("competitor_ids", f"Choose 1 to {MAX_RIVALS} competitors, or leave this out.")
    rivals = list(Competitor.objects.filter(brand=brand, pk__in=ids))
    if foreign := set(ids) - {rival.pk for rival in rivals}:
        raise invalid(
            "competitor_ids",
            f"These are not competitors of this site: {', '.join(sorted(map(str, foreign)))}. Use ids "
            "from the list of its competitors, or leave this out for the most visible ones.",
        )
    return rivals


def _most_visible(brand: Brand) -> list[Competitor]:
    """The rivals with the highest scores on the latest measured day; those without one come last, by name."""
    rivals = list(Competitor.objects.filter(brand=brand))
    if not rivals:
        raise invalid("competitor_ids", "There is no competitor to compare with. Add one first.")
    measured = DailyScore.objects.filter(brand=brand, competitor__isnull=False, score__isnull=False)
    scores = dict(measured.order_by("date").values_list("competitor_id", "score"))
    return sorted(rivals, key=lambda rival: (-scores.get(rival.pk, -1.0), rival.name))[:DEFAULT_RIVALS]


def compared_competitors(run: Run) -> list[Competitor]:
    """Those that a comparison asks about, by name; without those that are watched no more."""
    rivals = Prompt.objects.filter(answers__run=run).values("rival")
    return list(Competitor.objects.filter(pk__in=rivals))


def comparison_of(run: Run) -> Comparison:
    """Whom the answers of a comparison prefer, as far as they are analysed, in two statements.

    Rivals that are watched no more are left out.
    """
    judged: dict[UUID, list[_Judged]] = defaultdict(list)
    for row in _judgements(run):
        judged[row["answer__prompt_id"]].append(row)
    compared_prompts = Prompt.objects.filter(answers__run=run, rival__isnull=False).select_related("rival").distinct()
    by_rival: dict[Competitor, list[Prompt]] = defaultdict(list)
    for prompt in compared_prompts.order_by("rival__name", "rival_id", "text"):
        by_rival[prompt.rival].append(prompt)
    return Comparison(
        competitors=[
            ComparedCompetitor(
                competitor=rival.pk,
                name=rival.name,
                prompts=[_prompt(prompt, judged[prompt.pk]) for prompt in prompts],
                **_counted([row for prompt in prompts for row in judged[prompt.pk]]),
            )
            for rival, prompts in by_rival.items()
        ]
    )


_Judged = dict[str, Any]
"""Prompt, engine and answer, the side and rule, and the words that decide."""


def _judgements(run: Run) -> Iterable[_Judged]:
    """Each judged answer of the run, in the order of asking."""
    length = Least(F("end") - F("start"), MAX_QUOTE_LENGTH)
    quoted = Preference.objects.filter(answer__run=run).annotate(quote=Substr("answer__text", F("start") + 1, length))
    columns = ("answer__prompt_id", "answer__engine", "answer_id", "side", "rule", "quote")
    rows: Iterable[_Judged] = quoted.order_by("answer__position").values(*columns)
    return rows


def _prompt(prompt: Prompt, rows: Sequence[_Judged]) -> ComparedPrompt:
    by_engine: dict[str, list[_Judged]] = defaultdict(list)
    for row in rows:
        by_engine[row["answer__engine"]].append(row)
    return ComparedPrompt(
        prompt=prompt.pk,
        text=prompt.text,
        engines=[
            EnginePreferences(engine=engine, quotes=_quotes(by_engine[engine]), **_counted(by_engine[engine]))
            for engine in sorted(by_engine)
        ],
    )


def _counted(rows: Sequence[_Judged]) -> dict[str, int]:
    sides = Counter(row["side"] for row in rows)
    return {
        "answers": len(rows),
        "site_preferred": sides[_Side.BRAND],
        "competitor_preferred": sides[_Side.RIVAL],
        "undecided": sides[_Side.NOBODY],
        "contradictory": sum(row["rule"] == PreferenceRule.CONTRADICTION for row in rows),
    }


def _quotes(rows: Sequence[_Judged]) -> list[PreferenceQuote]:
    """The first words for each side; those that say the same again are left out."""
    quotes: list[PreferenceQuote] = []
    for side, prefers in _PREFERS.items():
        row_by_quote = {row["quote"]: row for row in reversed(rows) if row["side"] == side and row["quote"]}
        first = [row for row in rows if row_by_quote.get(row["quote"]) is row][:QUOTES_OF_SIDE]
        quotes += [
            PreferenceQuote(prefers=prefers, rule=row["rule"], text=row["quote"], answer=row["answer_id"])
            for row in first
        ]
    return quotes
