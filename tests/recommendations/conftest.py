"""A brand whose answers a test writes day by day."""

import io
import json
from collections.abc import Callable
from copy import copy
from datetime import date

import pytest

from brands.models import Brand
from tests.factories import UserFactory
from tests.mcp.worlds import SYSTEM
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Recommendation, Topic
from visibility.recommendations.advise import recommend
from visibility.recommendations.cards import ShownCard, show

ENGINES = ("chatgpt", "gemini")
DAY = "2026-01-01"
PROMPTS, SAMPLES = 4, 3
Text = Callable[[str, int, int], str]


class World:
    """Kryton and its competitors Zentra and Velmora, asked of two engines about bikes."""

    def __init__(self) -> None:
        self.owner = UserFactory()
        self.brand: Brand | None = None
        self.name = "Kryton"
        self.rivals = [("Zentra", "zentra.example"), ("Velmora", "velmora.example")]

    def measure(self, day: str, text: Text, **more):
        """A day of answers, and what is recommended then."""
        self.answer(day, text, **more)
        recommend(self.brand)
        return self.queue()

    def answer(
        self,
        day: str,
        text: Text,
        *,
        topic: str = "bikes",
        own: bool | None = True,
        cites: Callable[[str, int], list[str]] | None = None,
    ) -> None:
        """A day of answers: `text(engine, prompt, sample)`, `cites(engine, prompt)`."""
        lines = [
            json.dumps(
                {
                    "prompt": f"Which {topic} would you buy for wish {prompt}?",
                    "topic": topic,
                    "engine": engine,
                    "sample": sample + 1,
                    "time": f"{day}T10:00:00Z",
                    "text": text(engine, prompt, sample),
                    "citations": cites(engine, prompt) if cites else [],
                }
            )
            for engine in ENGINES
            for prompt in range(PROMPTS)
            for sample in range(SAMPLES)
        ]
        file = io.StringIO("\n".join(lines))
        new = NewBrand(self.owner, self.name, "kryton.example", competitors=self.rivals)
        self.brand = import_answers(SYSTEM, brand=self.brand.pk if self.brand else new, file=file).brand
        Topic.objects.filter(brand=self.brand, name=topic).update(own=own)

    def loaded(self) -> "World":
        """The same from the database, as a test may change it."""
        world = copy(self)
        world.brand = Brand.objects.get(pk=self.brand.pk)
        world.owner = world.brand.owner
        return world

    def queue(self) -> dict[tuple[str, str], Recommendation]:
        """The recommendations by kind and subject."""
        return {(row.kind, row.subject): row for row in Recommendation.objects.filter(brand=self.brand)}

    def one(self, kind: str) -> Recommendation:
        """The only recommendation of a kind."""
        return Recommendation.objects.get(brand=self.brand, kind=kind)


@pytest.fixture
def world(db, settings) -> World:
    settings.CITED_PAGES_PER_WEEK = 0
    return World()


def named(*names: str) -> str:
    """An answer that lists somebody."""
    listed = "\n".join(f"{place}. **{name}**: a fine bike." for place, name in enumerate(names, start=1))
    return f"Here are the best bikes:\n\n{listed}" if names else "It depends."


def words(row: Recommendation) -> ShownCard:
    """A recommendation as it is shown."""
    return show(row, row.brand)


def day_after(day: str, days: int) -> str:
    """So many days later."""
    return str(date.fromordinal(date.fromisoformat(day).toordinal() + days))
