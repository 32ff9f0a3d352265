"""Watched names: the companies that answers of now offer and nobody tracks are looked for as if they were tracked."""

from django.db import transaction

from brands.later import defer_advise
from brands.models import Brand
from visibility.answers.detect import NameFinder, write_names
from visibility.counts.reader import select_now
from visibility.counts.untracked import by_answer, companies_behind
from visibility.detection.name_checks import words_among
from visibility.models import Answer, UntrackedName, WatchedName
from visibility.scores.history import lock_history

MOST_WATCHED = 60
"""Names of a brand that are looked for, those that most answers offer."""
MOST_COMPARED = 500
"""Answers whose words show which names are words."""


def watch_names(brand: Brand) -> None:
    """Choose the names that are watched, and read the answers of now for those that were not; called where measuring
    ends. Killed at any line it is done by the next measuring; two may run at once.
    """
    scored = select_now(brand).scored
    if not scored.engines:
        return
    first = min(day for span in scored.engines.values() for day in span)
    # What was taken for a word is judged again when the window has moved.
    WatchedName.objects.filter(brand=brand, is_name=False, since__lt=first).delete()
    offered = by_answer(UntrackedName.objects.offered().filter(answer__in=scored.answers))
    makers = companies_behind(brand, offered.values(), {each.version for each in scored.sums})
    makers = makers[: 2 * MOST_WATCHED]
    watched = WatchedName.objects.filter(brand=brand, is_name=True)
    known = set(watched.filter(since__lte=first).values_list("name", flat=True))
    answers = Answer.objects.filter(brand=brand, day__gte=first).answered().exclude(names_version=0).order_by("pk")
    unknown = [each.name for each in makers if each.name not in known and not each.domain]
    newest = answers.order_by("-day", "-pk").values_list("text", flat=True)[:MOST_COMPARED]
    words = words_among(unknown, newest if unknown else ())
    makers = [each for each in makers if each.name not in words][:MOST_WATCHED]
    new = {each.name: each.domain for each in makers if each.name not in known}
    finder = NameFinder(brand, new)
    read = set(answers.values_list("pk", flat=True)) if new else set()
    rows = list(finder.read(sorted(read)))  # before the transaction: it takes as long as it takes
    with transaction.atomic():
        lock_history(brand.pk)
        watched.exclude(name__in=[each.name for each in makers]).delete()
        no_names = [WatchedName(brand=brand, name=name, since=first, is_name=False) for name in words]
        WatchedName.objects.bulk_create(no_names, ignore_conflicts=True)
        if not new:
            return
        rows += finder.read(answers.exclude(pk__in=read).values_list("pk", flat=True))  # measured meanwhile
        read_before = UntrackedName.objects.mentions().filter(answer__brand=brand, answer__day__gte=first)
        read_before.filter(name__in=new).delete()
        write_names(rows)
        WatchedName.objects.bulk_create(
            [WatchedName(brand=brand, name=name, domain=domain, since=first) for name, domain in new.items()],
            update_conflicts=True,
            unique_fields=["brand", "name"],
            update_fields=["domain", "since", "is_name"],
        )
        defer_advise(brand.pk)
