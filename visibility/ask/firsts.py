"""Whom answers pick first, whether somebody tracks the name or not."""

from collections import Counter
from collections.abc import Collection
from math import inf

from django.db.models import Min

from apikeys.text import marked
from visibility.ask.context import LEAST_ANSWERS, Context
from visibility.models import Mention

MOST = 3


def firsts_sentence(context: Context) -> str:
    """How many of the answers that facts count pick whom first: those picked most, who was asked for, and the brand.
    Empty where no answer counts."""
    selection, meant = context.selection, context.meant
    names = {subject: marked(name) for subject, name in context.names.items()}
    rows = [each for each in selection.of_figure.sums if not each.named and each.subject in names]
    own = [each for each in rows if each.subject is None]
    if not own:
        return ""
    picks = Counter(dict.fromkeys([*names.values(), *map(_untracked, context.offered)], 0))
    for row in rows:
        if not isinstance(row.subject, str):
            picks[names[row.subject]] += row.first
    picks.update(_untracked_firsts(context, {(each.engine, each.surface, each.version) for each in own}))
    asked = {names[None], _untracked(meant.name or ""), *(marked(each.name) for each in meant.competitors)}
    ranked = sorted(picks, key=lambda name: (-picks[name], name))
    most = [name for name in ranked if picks[name] >= (1 if name in names.values() else LEAST_ANSWERS)][:MOST]
    shown = ", ".join(f"{name} {picks[name]}" for name in ranked if name in most or name in asked)
    return f"First picks: {shown} of {sum(each.answers for each in own)}."


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
            picks[_untracked(company)] += 1
    return picks


def _untracked(name: str) -> str:
    return f"{marked(name)} (not tracked)"
