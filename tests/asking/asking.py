"""Asks every question of a file and judges the answers."""

import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from brands.models import Brand
from tests.asking.counting import Counted
from tests.asking.judging import Outcome, Told, Verdict, judge
from visibility.services.ask.answering import prepare_answer
from visibility.services.content.opportunities import content_report
from visibility.services.overview.portfolio import portfolio
from visibility.services.reading.reporting import recommendations
from visibility.services.reading.scores import visibility_scores
from visibility.services.reading.topics import topic_named

QUESTIONS = Path(__file__).with_name("questions.toml")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a brand, and the facts that its answer has to hold."""

    brand: str
    kind: str
    lang: str
    text: str
    expected: Sequence[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its answer and what was thought of it."""

    question: Question
    answer: str
    verdict: Verdict
    seconds: float


def questions_in(file: Path = QUESTIONS) -> list[Question]:
    """The questions of a file, brand by brand."""
    content = tomllib.loads(file.read_text())
    return [
        Question(brand, row["kind"], row.get("lang", "en"), row["ask"], row["expect"])
        for brand, part in content.items()
        for row in part["questions"]
    ]


def ask_all(caller: Caller, brands: dict[str, Brand], questions: Iterable[Question]) -> list[Judged]:
    """Each question asked of its brand, judged."""
    worlds = {name: _World(caller, brand) for name, brand in brands.items()}
    return [worlds[question.brand].judged(question) for question in questions]


def table(judged: Sequence[Judged]) -> str:
    """How many of each kind, language and brand were answered how, and what went wrong."""
    lines = [f"| | questions | {' | '.join(Outcome)} |", "|---|--:|" + "--:|" * len(Outcome)]
    groups: dict[str, list[Judged]] = {}
    for row in judged:
        for name in ("all", row.question.brand, row.question.lang, row.question.kind):
            groups.setdefault(name, []).append(row)
    for name, rows in groups.items():
        counts = Counter(row.verdict.outcome for row in rows)
        lines.append(f"| {name} | {len(rows)} | " + " | ".join(str(counts[outcome]) for outcome in Outcome) + " |")
    return "\n".join(lines)


class _World:
    """What is known of one brand, read once."""

    def __init__(self, caller: Caller, brand: Brand) -> None:
        self.caller, self.brand, self.counted = caller, brand, Counted(brand)
        queue = recommendations(caller, brand_id=brand.pk, status="open").recommendations
        opportunities = content_report(caller, brand_id=brand.pk).opportunities
        self.first_ids = {
            "recommendation": str(queue[0].id) if queue else "",
            "opportunity": opportunities[0].id if opportunities else "",
        }
        summary = portfolio(caller)
        self.sites = frozenset(str(site.id) for site in summary.sites)
        quota = summary.account.credits
        today = timezone.now().date()
        now = visibility_scores(caller, brand_id=brand.pk, first=today, last=today).now
        self.interval = (now.low, now.high)
        self.credits = frozenset({quota.limit, quota.limit - quota.used})

    def judged(self, question: Question) -> Judged:
        start = time.perf_counter()
        prepared = prepare_answer(self.caller, question=question.text, brand_id=self.brand.pk)
        answer: dict[str, Any] = orjson.loads(prepared().model_dump_json(by_alias=True))
        seconds = time.perf_counter() - start
        told = Told(answer, self.counted, self._topic, self.first_ids, self.sites, self.credits, self.interval)
        return Judged(question, answer["answer"], judge(told, question.expected), seconds)

    def _topic(self, name: str) -> str:
        try:
            return topic_named(self.brand, name)
        except ServiceError:
            return name
