"""One session of asking: the brands as they are in this database, or imported now; then the questions."""

import os
from pathlib import Path

from apikeys.caller import Caller
from apikeys.models import Plan, User
from brands.models import Brand
from tests.asking.asking import QUESTIONS, ask_all, questions_in, table
from tests.asking.judging import Outcome
from tests.asking.world import BRANDS, imported, with_decisions, with_evidence


def show(file: str, *, misses: bool) -> None:
    """Ask the questions of the file and print what was thought of the answers."""
    owner, _ = User.objects.get_or_create(email="you@example.com", defaults={"plan": Plan.objects.get(tier="scale")})
    brands = {brand.name: brand for brand in Brand.objects.filter(owner=owner)}
    if brands.keys() != BRANDS.keys():
        brands = imported(Path(os.environ["REFERENCE_DATA"]) / "real-answers" / "answers.jsonl", owner)
    with_evidence(brands.values())
    with_decisions(brands.values())
    judged = ask_all(Caller.from_user(owner), brands, questions_in(Path(file) if file else QUESTIONS))
    print(table(judged))
    milliseconds = sorted(1000 * row.seconds for row in judged)
    print(f"\nmedian {milliseconds[len(judged) // 2]:.0f} ms, p95 {milliseconds[len(judged) * 95 // 100]:.0f} ms")
    for row in judged if misses else ():
        if row.verdict.outcome != Outcome.RIGHT:
            print(f"\n{row.verdict.outcome} · {row.question.brand} · {row.question.kind} · {row.question.text}")
            print(f"   {'; '.join(row.verdict.reasons)}\n   {row.answer}")
