"""What an answer about a brand has to say, counted from the stored rows without the code that answers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from uuid import UUID

from brands.models import Brand, Competitor
from visibility.models import (
    Answer,
    Citation,
    DailyScore,
    Mention,
    Prompt,
    Recommendation,
    Run,
    UntrackedName,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One answer: `named` are the ids of the subjects that it visibly mentions, None for the brand."""

    id: UUID
    engine: str
    day: date
    topic: str
    prompt: UUID
    named: frozenset[UUID | None]
    domains: frozenset[str]


class Counted:
    """The answers of one brand. None of the prompts names the brand or a competitor."""

    def __init__(self, brand: Brand) -> None:
        self.brand = brand
        self.subjects: dict[str, UUID | None] = {brand.name: None}
        self.subjects |= {rival.name: rival.pk for rival in Competitor.objects.filter(brand=brand)}

    @cached_property
    def rows(self) -> list[Row]:
        """Every answer on record."""
        named: dict[UUID, set[UUID | None]] = {}
        for answer, rival in (
            Mention.objects.filter(answer__brand=self.brand).visible().values_list("answer_id", "competitor_id")
        ):
            named.setdefault(answer, set()).add(rival)
        domains: dict[UUID, set[str]] = {}
        for answer, domain in Citation.objects.filter(answer__brand=self.brand).values_list("answer_id", "domain"):
            domains.setdefault(answer, set()).add(domain)
        answers = Answer.objects.filter(brand=self.brand, state=Answer.State.ANSWERED).select_related("prompt")
        return [
            Row(
                answer.pk,
                answer.engine,
                answer.answered_at.date(),
                answer.prompt.topic,
                answer.prompt_id,
                frozenset(named.get(answer.pk, ())),
                frozenset(domains.get(answer.pk, ())),
            )
            for answer in answers
        ]

    @cached_property
    def days(self) -> Mapping[str, date]:
        """The latest day of each engine."""
        latest: dict[str, date] = {}
        for row in self.rows:
            latest[row.engine] = max(latest.get(row.engine, row.day), row.day)
        return latest

    def of_now(self, topic: str = "", engine: str = "", day: date | None = None) -> list[Row]:
        """The answers of each engine's latest day, or of that day."""
        return [
            row
            for row in self.rows
            if row.day == (day or self.days[row.engine]) and topic in ("", row.topic) and engine in ("", row.engine)
        ]

    def count(self, subject: str, rows: Iterable[Row]) -> tuple[int, int]:
        """k of n."""
        rival, answers = self.subjects[subject], list(rows)
        return sum(rival in row.named for row in answers), len(answers)

    def share(self, subject: str, topic: str) -> float:
        """The subject's part of the answers on a topic, the engines weighing alike."""
        parts = [self.count(subject, self.of_now(topic, engine)) for engine in self.days]
        return sum(named / answers for named, answers in parts if answers) / len(parts)

    @cached_property
    def topics(self) -> list[str]:
        """All topics, the brand's strongest first."""
        names = {row.topic for row in self.rows}
        return sorted(names, key=lambda topic: (-self.share(self.brand.name, topic), topic))

    def score(self, subject: str, engine: str = "") -> float:
        """The mean over the engines, or of one, of the mean over its prompts; in per cent."""
        parts = []
        for name in [engine] if engine else self.days:
            prompts: dict[UUID, list[bool]] = {}
            for row in self.of_now(engine=name):
                prompts.setdefault(row.prompt, []).append(self.subjects[subject] in row.named)
            parts.append(100 * sum(sum(naming) / len(naming) for naming in prompts.values()) / len(prompts))
        return sum(parts) / len(parts)

    def share_of_voice(self, subject: str) -> float:
        """The mean over the engines of the subject's part of all mentions, once for each answer; in per cent."""
        parts = []
        for engine in self.days:
            counts = {name: self.count(name, self.of_now(engine=engine))[0] for name in self.subjects}
            parts.append(100 * counts[subject] / sum(counts.values()))
        return sum(parts) / len(parts)

    def cited(self, topic: str = "", engine: str = "") -> Counter[str]:
        """How many answers of now cite each domain."""
        return Counter(domain for row in self.of_now(topic, engine) for domain in row.domains)

    def absent(self) -> Counter[str]:
        """Cited domains whose answers name a competitor and none the brand, by answers."""
        with_us = {domain for row in self.of_now() if None in row.named for domain in row.domains}
        return Counter(
            domain for row in self.of_now() if row.named - {None} for domain in row.domains if domain not in with_us
        )

    def texts(self, topic: str) -> list[str]:
        """The texts of the answers of now on a topic."""
        ids = [row.id for row in self.of_now(topic)]
        return list(Answer.objects.filter(pk__in=ids).values_list("text", flat=True))

    def listed(self, name: str) -> int:
        """How many answers list an untracked name among their picks."""
        rows = UntrackedName.objects.filter(answer__brand=self.brand, name__istartswith=name)
        return rows.values("answer").distinct().count()

    def stored(self, subject: str) -> DailyScore:
        """The figures of the latest measured day."""
        rows = DailyScore.objects.filter(brand=self.brand, competitor=self.subjects[subject])
        latest: DailyScore = rows.order_by("-date")[0]
        return latest

    def weak_prompts(self) -> set[str]:
        """Prompts whose answers of now never name the brand."""
        named = {row.prompt for row in self.of_now() if None in row.named}
        return {str(row.prompt) for row in self.of_now()} - set(map(str, named))

    def prompts(self) -> int:
        """The active prompts."""
        return Prompt.objects.filter(brand=self.brand).active().count()

    def states(self, topic: str) -> Sequence[int]:
        """The recommendations that are open, in progress, done, resolved and dismissed, of one topic or all."""
        rows = Recommendation.objects.filter(brand=self.brand)
        states = Counter(row.status for row in rows if not topic or self._is_on(row, topic))
        return [states[name] for name in ("open", "in_progress", "done", "resolved", "dismissed")]

    def _is_on(self, row: Recommendation, topic: str) -> bool:
        """It says so; one that is about no topic is on those of the prompts whose answers it quotes."""
        if row.topic:
            return bool(row.topic == topic)
        prompts = {str(answer.prompt) for answer in self.rows if answer.topic == topic}
        return any(item.get("prompt_id") in prompts for item in row.evidence)

    def latest_verdict(self) -> tuple[str, Mapping[str, float]] | None:
        """The recommendation whose proof was judged last, and what was found."""
        judged = Recommendation.objects.filter(brand=self.brand, proof__state="judged").order_by("-proof__judged_at")
        row = judged.select_related("proof").first()
        return (str(row.pk), row.proof.result) if row and row.proof else None

    def latest_outcome(self) -> str:
        """What the proof that was judged last says; empty where none was."""
        judged = Recommendation.objects.filter(brand=self.brand, proof__state="judged").order_by("-proof__judged_at")
        return str(judged.values_list("proof__verdict", flat=True).first() or "")

    def latest_run(self) -> Run:
        """The newest run."""
        run: Run = Run.objects.filter(brand=self.brand).order_by("-created_at")[0]
        return run
