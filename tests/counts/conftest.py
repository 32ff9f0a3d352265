"""Small worlds of imported answers, counted by hand."""

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from apikeys.accounts.operators import system_caller
from brands.models import Brand
from tests.factories import UserFactory
from visibility.imports.services import NewBrand, import_answers

SYSTEM = system_caller("command:test")


def asked(
    engine: str, day: int, *named: str, of: int = 4, topic: str = "locks", samples: int = 1, **more: Any
) -> Iterator[dict[str, Any]]:
    """One engine's answers on a day of January to `of` prompts on a topic: the first answer names the first of
    `named`, the second the second and so on; the others name nobody."""
    for prompt in range(of):
        for sample in range(1, samples + 1):
            yield {
                "prompt": f"Which {topic} for wish {prompt}?",
                "topic": topic,
                "engine": engine,
                "sample": sample,
                "text": f"{named[prompt]}." if prompt < len(named) else f"Nobody makes it, {day}/{prompt}/{engine}.",
                "time": f"2026-01-{day:02}T10:00:00Z",
                **more,
            }


def measured(*answers: Iterable[dict[str, Any]], rivals: tuple[str, ...] = ("Zentra",), **options: Any) -> Brand:
    """A brand Kryton with these answers and competitors."""
    competitors = [(rival, f"{rival.lower()}.example") for rival in rivals]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=competitors)
    lines = (json.dumps(line) for each in answers for line in each)
    return import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(lines)), **options).brand


def add(brand: Brand, *answers: Iterable[dict[str, Any]]) -> None:
    """More answers of the brand."""
    lines = (json.dumps(line) for each in answers for line in each)
    import_answers(SYSTEM, brand=brand.pk, file=io.StringIO("\n".join(lines)))
    brand.refresh_from_db()
