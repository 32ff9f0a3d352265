"""Real answers with something planted into them, imported for a brand as an operator does."""

import io
from collections import defaultdict
from pathlib import Path

import orjson

from brands.models import Brand
from tests.asking.world import BRANDS
from tests.factories import BrandFactory, CompetitorFactory
from tests.imports.conftest import NOW, SYSTEM
from visibility.insights.recommendations.kind import Kind, Standing
from visibility.insights.recommendations.material import Material
from visibility.services.imports.importing import import_answers
from visibility.services.imports.reader import read_answers


class RealAnswers:
    """The records of the file, and which of them count now: those of the latest day of their engine."""

    def __init__(self, folder: Path) -> None:
        lines = (folder / "real-answers" / "answers.jsonl").read_bytes().splitlines()
        self.records = [orjson.loads(line) for line in lines]
        latest: dict[str, str] = defaultdict(str)
        for record in self.records:
            latest[record["engine"]] = max(latest[record["engine"]], record["time"][:10])
        self.now = [record for record in self.records if record["time"][:10] == latest[record["engine"]]]

    def on(self, topic: str, without: str = "") -> list:
        """The records of now on a topic; `without`: those that do not have this name."""
        rows = [record for record in self.now if record["topic"] == topic]
        return [record for record in rows if not without or without.casefold() not in record["text"].casefold()]

    def topics(self, without: str, least: int = 3) -> list[str]:
        """Four of the topics that have so many records without this name: twenty plants over five brands."""
        topics = sorted({record["topic"] for record in self.now})
        fitting = [topic for topic in topics if len(self.on(topic, without)) >= 3 * least]
        return fitting[:: max(1, len(fitting) // 4)][:4]

    def imported(self, name: str) -> Brand:
        """The brand with its competitors and these answers."""
        domain, rivals = BRANDS[name]
        brand = BrandFactory(name=name, domain=domain)
        for rival, address in rivals:
            CompetitorFactory(brand=brand, name=rival, domain=address)
        content = b"".join(orjson.dumps(record) + b"\n" for record in self.records)
        import_answers(SYSTEM, brand=brand, rows=read_answers(io.BytesIO(content), NOW))
        return brand


def opened(kind: Kind, brand: Brand) -> dict:
    """What the kind finds open, by subject: the observation with its words."""
    material = Material(brand)
    rows = [row for row in kind.observe(material) if row.standing is Standing.OPEN]
    return {row.subject: (row, words) for row, words in zip(rows, kind.words(material, rows), strict=True)}
