"""A report as a page of documentation: the ten most urgent recommendations of a brand, line by line."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from apikeys.caller import Caller
from brands.models import Brand
from visibility.models import TopicChoice
from visibility.resources.recommendations import Evidence, RecommendationResource
from visibility.services.reading.reporting import recommendations

TOP = 10
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reports"
JUDGEMENTS = Path(__file__).with_name("judgements.toml")
Verdict = Literal["act", "maybe", "no"]
MAX_SHOWN_EVIDENCE = 3


@dataclass(frozen=True)
class Judgement:
    """What a person who reads the recommendation as the brand's owner would do, and why."""

    verdict: Verdict
    why: str


def judgements() -> dict[str, dict[str, Judgement]]:
    """By brand and title."""
    content = tomllib.loads(JUDGEMENTS.read_text()) if JUDGEMENTS.exists() else {}
    return {
        brand: {row["title"]: Judgement(row["verdict"], row["why"]) for row in rows}
        for brand, rows in content.items()
    }


def top_of(caller: Caller, brand: Brand) -> Sequence[RecommendationResource]:
    """The ten that come first."""
    return recommendations(caller, brand_id=brand.pk, status="open").recommendations[:TOP]


def page(brand: Brand, rows: Sequence[RecommendationResource], judged: Mapping[str, Judgement]) -> str:
    """The report in Markdown."""
    head = [f"# {brand.name}: what to do first", "", _scope(brand, rows), ""]
    parts = [_part(number, row, judged.get(row.title)) for number, row in enumerate(rows, start=1)]
    return "\n".join([*head, *parts])


def _scope(brand: Brand, rows: Sequence[RecommendationResource]) -> str:
    own = TopicChoice.objects.filter(brand=brand, is_own=True).count()
    asked = f"408 real answers of two engines to 68 questions on 17 topics, {own} of them its own, without its pages"
    if rows:
        return f"{brand.domain}: the {len(rows)} most urgent of what the service recommends from {asked}."
    return f"{brand.domain}: nothing. In {asked}, no competitor is ahead on a topic of the brand beyond chance."


def _part(number: int, row: RecommendationResource, judgement: Judgement | None) -> str:
    lines = [
        f"## {number}. {row.title}",
        "",
        row.summary,
        "",
        f"- kind `{row.kind}`, priority {row.priority}, effort {row.effort}",
        *(_evidence(item) for item in row.evidence[:MAX_SHOWN_EVIDENCE]),
        f"- **Judged by hand: {judgement.verdict}.** {judgement.why}" if judgement else "- not judged",
        "",
    ]
    return "\n".join(lines)


def _evidence(item: Evidence) -> str:
    where = ", ".join(filter(None, (item.engine, item.url)))
    return f"- {item.kind} ({where}): “{' '.join(item.text.split())}”" if where else f"- {item.kind}: “{item.text}”"
