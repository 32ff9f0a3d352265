"""Cells: what the answers of a run say, counted by engine, wording and subject. The one table that figures read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import log2
from uuid import UUID

from visibility.answers.detect import BRAND, Reader
from visibility.detection import Stance
from visibility.models import Answer, Cell, Citation, Mention, PromptVersion, Run

Subject = UUID | None
"""A competitor's id, None for the brand."""
Place = tuple[int, str, int]
"""Engine, surface and wording of a cell."""
_COUNTED = ("mentioned", "cited", "named")


def write_cells(reader: Reader, run: Run) -> None:
    """Count the run's answers anew, in the caller's transaction."""
    cells = count_cells(reader, run)
    Cell.objects.filter(run=run).delete()
    Cell.objects.bulk_create(cells)


def count_cells(reader: Reader, run: Run) -> list[Cell]:
    """The cells of a run, not saved. The brand has one for each wording that was asked, a competitor where any count
    of it is not zero or the prompt names it."""
    answers = list(
        run.answers.exclude(state=Answer.State.PENDING).values_list("pk", "engine", "surface", "version", "state")
    )
    mentions = _mentions(run)
    cited = _citations(run)
    named = _named(reader, {version for *_, version, _ in answers})
    subjects: set[Subject] = {None, *(UUID(key) for key in reader.domains if key != BRAND)}
    cells: dict[tuple[Place, Subject], Cell] = {}
    for pk, engine, surface, version, state in answers:
        for subject in subjects:
            cell = cells.get(((engine, surface, version), subject))
            if cell is None:
                cell = cells[(engine, surface, version), subject] = Cell(
                    brand_id=run.brand_id,
                    day=run.day or run.created_at.date(),
                    run=run,
                    engine_id=engine,
                    surface=surface,
                    version_id=version,
                    competitor_id=subject,
                    answers=0,
                    named=subject in named[version],
                )
            _count(cell, state, subject, mentions[pk], subject in cited[pk])
    return [
        cell
        for (_, subject), cell in cells.items()
        if subject is None or any(getattr(cell, name) for name in _COUNTED)
    ]


def _count(
    cell: Cell, state: str, subject: Subject, mentioned: Mapping[Subject, list[Mention]], is_cited: bool
) -> None:
    if state == Answer.State.FAILED:
        cell.failed += 1
        return
    cell.answers += 1
    cell.cited += is_cited
    if subject not in mentioned:
        return
    mentions = mentioned[subject]
    stances = {mention.stance for mention in mentions}
    rank = min((mention.rank for mention in mentions if mention.rank), default=0)
    gain = 1 / log2(1 + rank) if rank else 0.0
    cell.mentioned += 1
    cell.ranked += rank > 0
    cell.first += rank == 1
    cell.gain += gain
    cell.gain_squares += gain**2
    cell.recommended += Stance.RECOMMENDED in stances
    cell.cautioned += not stances.isdisjoint((Stance.CAUTIONED, Stance.REJECTED))
    cell.alone += len(mentioned) == 1
    cell.comentions += len(mentioned)
    cell.without_brand += None not in mentioned


def _mentions(run: Run) -> Mapping[int, Mapping[Subject, list[Mention]]]:
    """By answer and subject, without those that say that nothing is known of it: these make nobody visible."""
    found: dict[int, dict[Subject, list[Mention]]] = defaultdict(lambda: defaultdict(list))
    visible = Mention.objects.filter(answer__run=run).exclude(stance=Stance.NOT_FOUND)
    for mention in visible.only("answer_id", "competitor_id", "rank", "stance"):
        found[mention.answer_id][mention.competitor_id].append(mention)
    return found


def _citations(run: Run) -> Mapping[int, set[Subject]]:
    """Whose pages each answer cites."""
    found: dict[int, set[Subject]] = defaultdict(set)
    citations = Citation.objects.filter(answer__run=run).values_list("answer", "is_own", "competitor")
    for answer, is_own, competitor in citations:
        if is_own or competitor:
            found[answer].add(competitor)
    return found


def _named(reader: Reader, versions: Iterable[int]) -> Mapping[int, set[Subject]]:
    """The subjects that each wording names."""
    named: dict[int, set[Subject]] = {}
    for version in PromptVersion.objects.filter(pk__in=versions):
        keys = reader.names_in(version.text)
        named[version.pk] = {None if key == BRAND else UUID(key) for key in keys}
    return named
