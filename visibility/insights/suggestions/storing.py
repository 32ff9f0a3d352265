"""Keeps the suggestions of a brand in step with its newest runs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apikeys.text.untrusted import clean
from brands.models import Brand
from brands.services.policies import tracked_names
from visibility.detection.rivals.suggesting import name_key, said_at
from visibility.insights.suggestions.gathering import newest_runs
from visibility.insights.suggestions.reading import Candidate, read_candidates
from visibility.models import Answer, CompetitorSuggestion, Generation, UntrackedName

MOST = 50
"""Suggestions of one brand: those that most answers offer."""
EXAMPLES = 3
AT_ONCE = 2_000
"""Names that are deleted in one statement."""

_DERIVED = (
    "name", "domain", "answers", "of_answers", "prompts", "engines", "topics", "first_seen", "last_seen", "quote",
    "examples",
)  # fmt: skip


@transaction.atomic
def refresh_suggestions(brand: Brand) -> None:
    """Derive the suggestions anew from the current generation; names of older runs are forgotten.

    Dismissed ones stay dismissed, whatever comes. Call it under the lock of the brand's row. Can be repeated.
    """
    runs = newest_runs(brand.pk)
    # By the generation, which is the brand's: joined with the brand's answers, or in a DELETE with itself, the table
    # takes minutes where PostgreSQL believes both to be empty, as it does of tables that it analysed before their
    # first rows were committed.
    current = list(Generation.objects.filter(brand=brand, state=Generation.State.CURRENT))
    rows = UntrackedName.of_all_generations.filter(generation__in=current).order_by()
    _forget_older(rows, runs)
    tracked = set(map(name_key, tracked_names(brand)))
    untracked = [
        candidate
        for candidate in read_candidates(rows, runs)
        if tracked.isdisjoint({candidate.key, name_key(candidate.name)})
    ][:MOST]
    of_answers = Answer.objects.filter(run__in=runs, state=Answer.State.ANSWERED).counting().count()
    _write(brand, untracked, of_answers)


def _forget_older(rows: QuerySet[UntrackedName], runs: Sequence[UUID]) -> None:
    """Delete the names of other runs than these, by what was read, table by table."""
    answers = set(Answer.objects.filter(run__in=runs).order_by().values_list("pk", flat=True))
    older = [pk for pk, answer in rows.values_list("pk", "answer_id").iterator() if answer not in answers]
    for start in range(0, len(older), AT_ONCE):
        rows.filter(pk__in=older[start : start + AT_ONCE]).delete()


def _write(brand: Brand, candidates: Sequence[Candidate], of_answers: int) -> None:
    stored = {
        row.key: row for row in CompetitorSuggestion.objects.filter(brand=brand).select_for_update(of=("self",))
    }
    quotes = _quotes({candidate.places[0] for candidate in candidates})
    created: list[CompetitorSuggestion] = []
    changed: list[CompetitorSuggestion] = []
    for candidate in candidates:
        row = stored.pop(candidate.key, None)
        (changed if row else created).append(row := row or CompetitorSuggestion(brand=brand, key=candidate.key))
        row.name = candidate.name
        row.domain = _clear_domain(candidate.domains)
        row.answers, row.of_answers, row.prompts = candidate.answers, of_answers, candidate.prompts
        row.engines, row.topics = candidate.engines, candidate.topics
        row.first_seen = min(row.first_seen or candidate.first_seen, candidate.first_seen)
        row.last_seen = candidate.last_seen
        row.quote = quotes.get(candidate.places[0], "")
        row.examples = list(dict.fromkeys(str(answer) for answer, _ in candidate.places))[:EXAMPLES]
    CompetitorSuggestion.objects.bulk_create(created)
    CompetitorSuggestion.objects.bulk_update(changed, _DERIVED)
    stale_ids = [row.pk for row in stored.values() if row.dismissed_at is None]
    CompetitorSuggestion.objects.filter(pk__in=stale_ids).delete()


def _quotes(places: set[tuple[UUID, int]]) -> dict[tuple[UUID, int], str]:
    """What is said at each place, one answer's text at a time."""
    starts: dict[UUID, list[int]] = defaultdict(list)
    for answer, start in places:
        starts[answer].append(start)
    texts = Answer.objects.filter(pk__in=starts).order_by().values_list("pk", "text")
    return {
        (answer, start): clean(said_at(text, start))
        for answer, text in texts.iterator(chunk_size=20)
        for start in starts[answer]
    }


def _clear_domain(domains: Mapping[str, int]) -> str:
    """The domain that more answers cite than all others together; empty where there is none."""
    best = max(domains, key=lambda domain: (domains[domain], domain), default="")
    return best if best and 2 * domains[best] > sum(domains.values()) else ""
