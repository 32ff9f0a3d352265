"""Analyses answers for mentions and citations. Can be repeated at any time from what is stored."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import QuerySet

from brands.models import Competitor
from visibility.detection.detector import detect
from visibility.detection.text.reading import Reading
from visibility.detection.types import BRAND, FoundMention
from visibility.engines.protocol import Source
from visibility.insights.suggestions import newest_runs, untracked_names
from visibility.measured.names import DETECTOR, MIXED, TrackedNames
from visibility.models import Answer, Citation, Generation, Mention, Preference, Run, RunScore, UntrackedName
from visibility.pipeline.detect.citing import citations_of
from visibility.pipeline.detect.judging import preference_of
from visibility.pipeline.detect.reusing import Origin, copied_citations, copied_findings
from visibility.pipeline.detect.sighting import keep_first_days
from visibility.pipeline.judge.tasks import judged_in

CHUNK = 100
"""Answers that are held in memory, and stored in one transaction, at a time."""

AHEAD = 10
"""As many while answers are on their way, which must not be kept waiting for long."""

Guard = Callable[[], AbstractContextManager[None]]
"""Opens the transaction that a chunk is written in; a fenced one for the worker of a run."""


class Superseded(Exception):
    """The generation is no longer one that anything is added to: begin again with the brand's current one."""


@dataclass(slots=True)
class _Findings:
    mentions: list[Mention] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    untracked: list[UntrackedName] = field(default_factory=list)
    preferences: list[Preference] = field(default_factory=list)


def analyse(tracked: TrackedNames, run: Run, guard: Guard, origin: Origin | None = None) -> Iterator[int]:
    """Analyse the run's answers, chunk by chunk, and give how many each chunk held.

    What is found belongs to the generation of the tracked names. Findings and how far they reach are stored in one
    transaction, so that a repeat after a crash goes on where the last chunk ended and nothing is found twice. The
    run's answers must all be there. `origin` is a generation that findings can be taken over from. Raises Superseded,
    and writes nothing, when the generation has been replaced.
    """
    run_score = _reached(tracked, run)
    while run_score.stage == RunScore.Stage.ANALYSING:
        chunk = list(_following(run_score)[:CHUNK])
        _look_at(tracked, run, run_score, chunk, guard, origin, ended=len(chunk) < CHUNK)
        yield len(chunk)


def analyse_early(tracked: TrackedNames, run: Run, guard: Guard) -> Iterator[int]:
    """As `analyse`, while answers are still on their way: up to the first that is not there, a few at a time.

    Gives how many answers it analysed, 0 where there are none now, and has no end.
    """
    run_score = _reached(tracked, run)
    pending = Answer.objects.filter(run=run, state=Answer.State.PENDING).order_by("position")
    while True:
        missing = pending.values_list("position", flat=True).first()
        chunk = [] if missing is None else list(_following(run_score).filter(position__lt=missing)[:AHEAD])
        if chunk:
            _look_at(tracked, run, run_score, chunk, guard, None, ended=False)
        yield len(chunk)


def _reached(tracked: TrackedNames, run: Run) -> RunScore:
    """How far the run is analysed for the tracked."""
    run_score: RunScore | None = RunScore.objects.filter(generation=tracked.generation, run=run).first()
    return run_score or RunScore(generation_id=tracked.generation, run=run)


def _following(run_score: RunScore) -> QuerySet[Answer]:
    answers = Answer.objects.filter(
        run=run_score.run_id, state=Answer.State.ANSWERED, position__gt=run_score.position
    )
    following: QuerySet[Answer] = answers.select_related("version", "prompt").only(*_READ).order_by("position")
    return following


def _look_at(
    tracked: TrackedNames,
    run: Run,
    run_score: RunScore,
    chunk: Sequence[Answer],
    guard: Guard,
    origin: Origin | None,
    *,
    ended: bool,
) -> None:
    """Analyse a chunk, and store what was found and how far that reaches in one transaction."""
    findings = _find(tracked, chunk, origin, suggesting=run.pk in newest_runs(run.brand_id))
    with guard():
        _hold_generation(tracked)
        _store(tracked, findings)
        counting = {answer.pk for answer in chunk if _topic(answer) not in tracked.vocabulary.not_own}
        keep_first_days(
            tracked, run, chunk, [citation for citation in findings.citations if citation.answer_id in counting]
        )
        _advance(run_score, chunk, ended)


def _topic(answer: Answer) -> str:
    """The topic as people choose it."""
    return answer.prompt.topic or str(answer.prompt_id)


def _reading(answer: Answer) -> Reading:
    return Reading(answer.text, [Source(**source) for source in answer.sources])


_READ = ("text", "sources", "position", "answered_at", "version__text", "prompt__rival", "prompt__topic")


def _find(tracked: TrackedNames, chunk: Sequence[Answer], origin: Origin | None, *, suggesting: bool) -> _Findings:
    """All that is analysed for in an answer, in one reading of it."""
    counting = [answer for answer in chunk if _topic(answer) not in tracked.vocabulary.not_own]
    suggesting_from = counting if suggesting else []
    if origin and (same := copied_findings(tracked, origin, chunk)):
        known = {answer.pk for answer in suggesting_from if _topic(answer) not in origin.not_own}
        untracked = [name for name in same.untracked if name.answer_id in known]
        for answer in suggesting_from:
            untracked += untracked_names(tracked, answer, _reading(answer)) if answer.pk not in known else []
        return _Findings([*same.mentions], [*same.citations], untracked, [*same.preferences])
    findings, copies = _Findings(), copied_citations(tracked, origin, chunk)
    judged = judged_in(chunk, tracked)
    for answer in chunk:
        read = _reading(answer)
        mentions = detect(read, answer.version.text, tracked.dictionary, judged.get(answer.pk))
        findings.mentions += [_mention(tracked, answer, mention) for mention in mentions]
        findings.citations += citations_of(tracked, answer, read) if copies is None else []
        findings.untracked += untracked_names(tracked, answer, read) if answer in suggesting_from else []
        findings.preferences += filter(None, [preference_of(tracked, answer, mentions)])
    findings.citations += copies or []
    return findings


def _hold_generation(tracked: TrackedNames) -> None:
    """Keep the generation from being replaced, and cleared away, until the transaction ends.

    While workers of two releases run, or after a return to an older one, scans end with another detector than the
    one that made the figures. These are then of no single detector, and history is analysed again.
    """
    generations = Generation.objects.filter(pk=tracked.generation).exclude(state=Generation.State.RETIRED)
    detector = generations.select_for_update(no_key=True).values_list("detector", flat=True).first()
    if detector is None:
        raise Superseded
    if detector not in (DETECTOR, MIXED):
        generations.update(detector=MIXED)


def _store(tracked: TrackedNames, findings: _Findings) -> None:
    """Store what was found, but for competitors that are removed meanwhile."""
    watched = Competitor.objects.filter(pk__in=[UUID(subject) for subject in tracked.subjects if subject != BRAND])
    competitor_ids = {None, *watched.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)}
    for citation in findings.citations:
        if citation.competitor_id not in competitor_ids:
            citation.competitor_id = None
    Mention.objects.bulk_create(
        (mention for mention in findings.mentions if mention.competitor_id in competitor_ids), batch_size=500
    )
    Citation.objects.bulk_create(findings.citations, batch_size=500)
    UntrackedName.objects.bulk_create(findings.untracked, batch_size=500)
    Preference.objects.bulk_create(findings.preferences, batch_size=500)


def _advance(run_score: RunScore, chunk: Sequence[Answer], ended: bool) -> None:
    run_score.analysed += len(chunk)
    if chunk:
        run_score.position = chunk[-1].position
    if ended:
        run_score.stage = RunScore.Stage.ANALYSED
    run_score.save()


def _mention(tracked: TrackedNames, answer: Answer, mention: FoundMention) -> Mention:
    return Mention(
        generation_id=tracked.generation,
        answer=answer,
        competitor_id=UUID(mention.subject) if mention.subject != BRAND else None,
        start=mention.start,
        end=mention.end,
        text=mention.text[:300],
        rank=mention.rank,
        rule=mention.rule[:40],
        rank_rule=mention.rank_rule,
        stance=mention.stance.value,
        quote_start=mention.quote_start,
        quote_end=mention.quote_end,
    )
