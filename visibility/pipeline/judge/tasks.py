"""Which names of a run's answers a judge is to decide, and what was decided before."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from brands.services.tracked import read_names
from visibility.detection.detector import open_names
from visibility.detection.text.reading import Reading
from visibility.detection.types import BRAND, Judged, OpenName
from visibility.engines.protocol import Source
from visibility.measured.names import TrackedNames
from visibility.models import Answer, NameJudgement, Run
from visibility.writers.judging import NameTask

MAX_PIECES = 3
"""Pieces of an answer that a judge is shown: the first that hold the name."""
AROUND = 150
"""Characters before and behind the name in each."""
CHUNK = 100


@dataclass(frozen=True, slots=True)
class OpenTask:
    """What is to be decided in one answer."""

    answer: UUID
    task: NameTask

    @property
    def key(self) -> tuple[UUID, str, str]:
        """What is decided once."""
        return self.answer, self.task.name, self.task.domain


def open_tasks(run: Run, tracked: TrackedNames) -> Iterator[OpenTask]:
    """The names in the run's answers that nothing tells of and nobody was asked about, in the order of asking."""
    owners = _owners(run, tracked)
    answers = Answer.objects.filter(run=run, state=Answer.State.ANSWERED).select_related("version")
    read = answers.only("text", "sources", "position", "version__text").order_by("position")
    for answer in read.iterator(chunk_size=CHUNK):
        asked_names = set(NameJudgement.objects.filter(answer=answer).values_list("name", "domain"))
        reading = Reading(answer.text, [Source(**source) for source in answer.sources])
        places: dict[tuple[str, str], list[OpenName]] = defaultdict(list)
        for place in open_names(reading, answer.version.text, tracked.dictionary):
            places[place.subject, place.name].append(place)
        for (subject, name), open_places in places.items():
            owner, domain, description = owners[subject]
            if (name, domain) not in asked_names:
                pieces = [_piece(answer.text, place) for place in open_places[:MAX_PIECES]]
                question = answer.version.text
                yield OpenTask(answer.pk, NameTask(name, owner, domain, description, question, pieces))


def judged_in(answers: Sequence[Answer], tracked: TrackedNames) -> dict[UUID, Judged]:
    """What was decided of names in these answers, by answer; only for owners that still have the domain."""
    subjects = {domain: subject for subject, own in tracked.domains.by_subject.items() for domain in own}
    rows = NameJudgement.objects.filter(answer__in=answers).exclude(meant=None).order_by()
    decided: dict[UUID, dict[tuple[str, str], bool]] = defaultdict(dict)
    for answer, name, domain, meant in rows.values_list("answer_id", "name", "domain", "meant"):
        if domain in subjects:
            decided[answer][subjects[domain], name] = meant
    return dict(decided)


def _owners(run: Run, tracked: TrackedNames) -> Mapping[str, tuple[str, str, str]]:
    """The name, domain and description of each subject."""
    names = read_names(run.brand)
    owners = {str(pk): (rival.name, rival.domain, "") for pk, rival in names.rivals.items()}
    own = (run.brand.name, run.brand.domain, run.brand.description)
    known = {**owners, BRAND: own}
    first_domains = {subject: next(iter(domains), "") for subject, domains in tracked.domains.by_subject.items()}
    return {subject: known.get(subject, (domain, domain, "")) for subject, domain in first_domains.items()}


def _piece(text: str, place: OpenName) -> str:
    return text[max(0, place.start - AROUND) : place.end + AROUND]
