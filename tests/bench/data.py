"""Data of the REST benchmark: accounts with 1, 100 and 1,000 brands, a brand with 1,800 days."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from apikeys import keyformat
from brands.models import Brand
from tests.factories import ApiKeyFactory, UserFactory
from tests.generations import tracked_names_of
from tests.judged import proof_of
from visibility.models import DailyScore, Recommendation, Run

DAYS = 1_800
MS = 1_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """One request to measure."""

    name: str
    path: str
    key: str


def account(brands):
    """A user with this many brands, each with one run, and a key; returns (brands, raw key)."""
    owner, raw = UserFactory(), keyformat.mint()
    ApiKeyFactory(owner=owner, raw=raw)
    rows = Brand.objects.bulk_create(
        [Brand(owner=owner, name=f"Brand {n:04d}", domain=f"b{n}-{owner.pk}.example") for n in range(brands)]
    )
    now = timezone.now()
    Run.objects.bulk_create(
        [
            Run(brand=brand, trigger="agent", status="succeeded", created_at=now - timedelta(day), finished_at=now)
            for brand in rows
            for day in range(3)
        ]
    )
    return rows, raw


def engines_of(day):
    """The figures by engine of one day: other ones on each, so that no day is answered from another's."""
    return [
        {"engine": name, "models": [f"{name}-1"], "score": round(30 + day / 100, 2), "low": 33.1, "high": 49.9,
         "answers": 150, "share_of_voice": 22.2, "share_of_voice_low": 18.0, "share_of_voice_high": 27.1,
         "citation_rate": 12.5, "citation_rate_low": 9.0, "citation_rate_high": 17.0}
        for name in ("chatgpt", "perplexity", "gemini")
    ]  # fmt: skip


def fill_history(brand):
    """1,800 measured days, 60 runs, 20 recommendations."""
    today, generation = timezone.now(), tracked_names_of(brand).generation
    runs = Run.objects.bulk_create(
        [
            Run(
                brand=brand, trigger="schedule", status="succeeded", total=450, done=450, engines=["chatgpt"],
                score=40.0, low=30.0, high=50.0, created_at=today - timedelta(days=n), finished_at=today,
            )
            for n in range(60)
        ]
    )  # fmt: skip
    DailyScore.objects.bulk_create(
        [
            DailyScore(
                generation_id=generation, brand=brand, date=(today - timedelta(days=n)).date(),
                score=41.25, low=33.1, high=49.9, panel_low=38.0, panel_high=44.5,
                prompts=50, topics=17, answers=450, failed=0,
                share_of_voice=22.2, share_of_voice_low=18.0, share_of_voice_high=27.1, prominence=30.0,
                prominence_low=25.0, prominence_high=35.0, citation_rate=12.5, citation_rate_low=9.0,
                citation_rate_high=17.0, engines=engines_of(n), comparable=n < DAYS - 1, runs=[str(runs[n % 60].pk)],
                detector_version="bench",
            )
            for n in range(DAYS)
        ]
    )  # fmt: skip
    _fill_queue(brand)


def _fill_queue(brand):
    """20 open recommendations with factors, each with a proof: those of a topic that was done before."""
    evidence = [{"kind": "answer", "text": "Rival is the one to buy. " * 8, "engine": "chatgpt"}] * 3
    factors = {"answers": 19, "of_answers": 24, "engines": 2, "of_engines": 3, "reach": 0.1, "effect": "likely",
               "effort": "medium"}  # fmt: skip
    proofs = [proof_of(brand, verdict="moved_up", topic=f"topic-{n}") for n in range(20)]
    Recommendation.objects.bulk_create(
        [
            Recommendation(
                brand=brand, kind="topic_gap", subject=f"topic-{n}", topic=f"topic-{n}", title="Answers name a rival",
                priority=n, summary="2 of 3 answers name Rival.", impact="high", effort="medium", evidence=evidence,
                factors=factors, proof=proof,
                payload={"fix_prompt": "Write a page that answers this question. " * 20, "topic_name": f"topic {n}"},
            )
            for n, proof in enumerate(proofs)
        ]
    )  # fmt: skip


def scenarios():
    """Everything that the REST benchmark asks for, with its data made."""
    result, rows, key = [], [], ""
    for count in (1, 100, 1_000):
        rows, key = account(count)
        result.append(Scenario(f"brands, {count:,}", "/api/v1/brands", key))
    brand = rows[0]
    fill_history(brand)
    base = f"/api/v1/brands/{brand.pk}"
    now = timezone.now()
    for days in (30, DAYS):
        begin = int((now - timedelta(days=days - 1)).timestamp() * MS)
        path = f"{base}/visibility?from={begin}&to={int(now.timestamp() * MS)}"
        result.append(Scenario(f"visibility, {days:,} days", path, key))
    result.append(Scenario("brand", base, key))
    result.append(Scenario("recommendations, 20", f"{base}/recommendations", key))
    result.append(Scenario("runs, 60", f"{base}/runs", key))
    return result
