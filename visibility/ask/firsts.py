"""Whom answers pick first, whether somebody tracks the name or not."""

from collections import Counter
from collections.abc import Collection
from math import inf

from django.db.models import Min

from apikeys.text import marked
from visibility.ask.context import Context
from visibility.models import Mention

LEAST_PICKS = 2
"""Answers that have to pick a name that nobody tracks."""
MOST, MOST_ASKED = 3, 8
"""Names, unless first picks were asked for, and if they were."""


def firsts_sentence(context: Context) -> str:
    """How many of the answers that facts count pick whom first: those picked most, who was asked for, and the brand.
    Empty where no answer counts."""
    selection, names = context.selection, context.names
    rows = [each for each in selection.of_figure.sums if not each.named and each.subject in names]
    own = [each for each in rows if each.subject is None]
    if not own:
        return ""
    picks = Counter(dict.fromkeys([*names.values(), *context.offered], 0))
    for row in rows:
        if not isinstance(row.subject, str):
            picks[names[row.subject]] += row.first
    picks.update(_untracked_firsts(context, {(each.engine, each.surface, each.version) for each in own}))
    ranked, tracked = sorted(picks, key=lambda name: (-picks[name], name)), {*names.values()}
    number = MOST_ASKED if context.measure else MOST
    most = [name for name in ranked if picks[name] >= (1 if name in tracked else LEAST_PICKS)][:number]
    shown = [name for name in ranked if name in (*most, context.brand.name, context.asked)]
    parts = [f"{marked(name)}{'' if name in tracked else ' (not tracked) at least'} {picks[name]}" for name in shown]
    where = context.where if context.measure else ""
    return f"First picks{where}: {', '.join(parts)} of {sum(each.answers for each in own)} answers."


def _untracked_firsts(context: Context, places: Collection[tuple[str, str, int]]) -> Counter[str]:
    """By company that nobody tracks, in how many answers of these engines, surfaces and wordings its name is offered
    before all tracked ones."""
    answers = context.selection.answers
    rows = answers.values_list("pk", "engine__name", "surface", "version")
    counting = {pk for pk, *place in rows if tuple(place) in places}
    mentions = Mention.objects.filter(answer__in=answers, rank__gt=0).visible().order_by()
    ranked = mentions.values_list("answer").annotate(Min("rank"), Min("start"))
    tracked = {pk: (rank, start) for pk, rank, start in ranked}
    picks = Counter[str]()
    for pk, (first, *_) in context.untracked_names.items():
        rank, start = tracked.get(pk, (None, inf))
        company = context.company_of.get(first.name)
        if pk in counting and rank != 1 and first.start < start and company:
            picks[company] += 1
    return picks
