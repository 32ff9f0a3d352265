"""Cells: what the answers of a run say, counted by engine, wording and subject. The one table that figures read."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from math import log2
from operator import or_
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q, Value

from visibility.answers.detect import Reader, competitor_of
from visibility.answers.repeats import day_of, repeated_in
from visibility.detection import Stance
from visibility.engines import LOST_SOURCES
from visibility.models import Answer, Cell, Citation, Mention, PromptVersion, Run, RunEngine
from visibility.models.answers import FOR_A_COUNTRY, AnswerQuerySet

Subject = UUID | None
"""A competitor's id, None for the brand."""
Place = tuple[int, str, str, int]
"""Engine, surface, market and wording of a cell."""
Mentions = Mapping[Subject, list[tuple[int | None, str, int]]]
"""Rank, stance and start of each mention, by subject."""


def write_cells(reader: Reader, run: Run, versions: Collection[int] | None = None) -> None:
    """Count the run's answers to these wordings, or to all, and replace their cells; in the caller's transaction."""
    answers, old, repeated = run.answers.all(), Cell.objects.filter(run=run), repeated_in([run])
    Run.objects.filter(pk=run.pk).update(repeated=len(repeated))
    if versions is not None:
        answers, old = answers.filter(version__in=versions), old.filter(version__in=versions)
    cells = count_cells(reader, run, answers, repeated)
    old.delete()
    Cell.objects.bulk_create(cells)


def write_served(run: Run) -> None:
    """Store which markets the answers of each engine were asked for, and which models they state, and which countries
    where none was asked for."""
    models, countries = ~Q(served_model=""), ~Q(country="") & ~FOR_A_COUNTRY
    stated = {
        "models": ArrayAgg("served_model", filter=models, distinct=True, default=Value([])),
        "countries_of": ArrayAgg("country", filter=countries, distinct=True, default=Value([])),
        "markets_of": ArrayAgg("market", filter=~Q(market=""), distinct=True, default=Value([])),
    }
    with_result = Answer.objects.filter(run=run, state__in=[Answer.State.ANSWERED, Answer.State.ABSENT])
    for row in with_result.order_by().values("engine", "surface").annotate(**stated):
        RunEngine.objects.filter(run=run, engine=row["engine"], surface=row["surface"]).update(
            served_models=row["models"], countries=row["countries_of"], markets=row["markets_of"]
        )


def delete_cells(run_id: UUID) -> None:
    """Delete what was counted of a run; call it inside of the transaction that deletes its answers."""
    Cell.objects.filter(run=run_id).delete()


def count_cells(reader: Reader, run: Run, answers: AnswerQuerySet, repeated: Collection[int]) -> list[Cell]:
    """The cells of a run, not saved, without its `repeated` answers, and those of another country than was asked for.
    The brand has one for each wording that was asked, a competitor only where a count of it is not zero or the prompt
    names it."""
    answers = answers.exclude(state=Answer.State.PENDING)
    mentions, cited = _mentions(answers), _citations(answers)
    unsourced = _unsourced(answers)
    by_place: dict[Place, list[tuple[int, str]]] = defaultdict(list)
    columns = ("run", "engine", "surface", "market", "country", "version", "state")
    for answer in answers.only(*columns):  # `run`: else each answer of `run.answers` would be read again for it
        place = (answer.engine_id, answer.surface, answer.market, answer.version_id)
        by_place[place].append((answer.pk, "" if answer.is_elsewhere else answer.state))
    named = _named(reader, {version for *_, version in by_place})
    day = day_of(run)
    cells = []
    for (engine, surface, market, version), asked in by_place.items():
        states = Counter(state for _, state in asked)
        answered = [pk for pk, state in asked if state == Answer.State.ANSWERED and pk not in repeated]
        seen = {subject for pk in answered for subject in (*mentions.get(pk, ()), *cited.get(pk, ()))}
        for subject in sorted({None, *seen, *named[version]}, key=str):
            cell = Cell(
                brand_id=run.brand_id,
                day=day,
                run=run,
                engine_id=engine,
                surface=surface,
                market=market,
                version_id=version,
                competitor_id=subject,
                answers=len(answered),
                unsourced=len(unsourced.intersection(answered)),
                failed=states[Answer.State.FAILED],
                absent=states[Answer.State.ABSENT],
                named=subject in named[version],
            )
            for pk in answered:
                _count(cell, subject, mentions.get(pk, {}), cited.get(pk, set()))
            cells.append(cell)
    return cells


def _count(cell: Cell, subject: Subject, mentioned: Mentions, cited: set[Subject]) -> None:
    """Add an answer to a cell."""
    cell.cited += subject in cited
    if subject not in mentioned:
        return
    mentions = mentioned[subject]
    stances = {stance for _, stance, _ in mentions}
    rank = min((rank for rank, *_ in mentions if rank), default=0)
    gain = 1 / log2(1 + rank) if rank else 0.0
    cell.mentioned += 1
    cell.ranked += rank > 0
    cell.first += _start(mentions) == min(map(_start, mentioned.values()))
    cell.gain += gain
    cell.gain_squares += gain**2
    cell.recommended += Stance.RECOMMENDED in stances
    cell.cautioned += not stances.isdisjoint((Stance.CAUTIONED, Stance.REJECTED))
    cell.alone += len(mentioned) == 1
    cell.comentions += len(mentioned)
    cell.without_brand += None not in mentioned


def _start(mentions: Iterable[tuple[int | None, str, int]]) -> int:
    return min(start for *_, start in mentions)


def _mentions(answers: AnswerQuerySet) -> Mapping[int, Mentions]:
    """The mentions of each answer by subject; without those that say that the answer knows nothing of it."""
    found: dict[int, dict[Subject, list[tuple[int | None, str, int]]]] = defaultdict(lambda: defaultdict(list))
    visible = Mention.objects.filter(answer__in=answers.values("pk")).visible().order_by()
    for answer, competitor, *mention in visible.values_list("answer", "competitor", "rank", "stance", "start"):
        found[answer][competitor].append(tuple(mention))
    return found


def _citations(answers: AnswerQuerySet) -> Mapping[int, set[Subject]]:
    """Whose pages each answer cites."""
    found: dict[int, set[Subject]] = defaultdict(set)
    owned = Citation.objects.filter(answer__in=answers.values("pk")).exclude(is_own=False, competitor=None)
    for answer, competitor in owned.order_by().values_list("answer", "competitor"):
        found[answer].add(competitor)
    return found


def _unsourced(answers: AnswerQuerySet) -> set[int]:
    """The answers that cite sources of which their provider names none."""
    lost = reduce(or_, (Q(unknown_parts__contains=part) for part in LOST_SOURCES))
    return set(answers.filter(lost, sources=[]).values_list("pk", flat=True))


def _named(reader: Reader, versions: Iterable[int]) -> Mapping[int, set[Subject]]:
    """The subjects that each wording names."""
    named: dict[int, set[Subject]] = {}
    for version in PromptVersion.objects.filter(pk__in=versions):
        named[version.pk] = {competitor_of(key) for key in reader.names_in(version.text)}
    return named
