"""What follows from the text of a draft: its checks, structured data, and how it differs from the page it revises.

All are made anew whenever the text changes, from what is stored with the draft and what is known of the brand now.
"""

from collections.abc import Mapping
from typing import Any

from apikeys.text.storable import storable
from visibility.measured.evidence import stored_claims, stored_voice
from visibility.models import ContentDraft
from visibility.services.content.revising import difference
from visibility.services.writing import subject_of
from visibility.writers.checks import Guide, check
from visibility.writers.markup import MARK, body_of
from visibility.writers.protocol import WrittenDraft
from visibility.writers.structured import structured_data
from visibility.writers.tasks import DraftFormat, DraftTask, Material


def judged(draft: ContentDraft) -> None:
    """Bring checks, structured data and difference of the latest text up to date; the caller saves the row."""
    task = task_of(draft)
    written = WrittenDraft(title=draft.latest_title, markdown=draft.latest_markdown)
    voice, claims = stored_voice(draft.brand_id), stored_claims(draft.brand_id)
    guide = Guide(voice.content if voice else None, claims.content if claims else ())
    dropped = 0 if draft.edited_at else draft.dropped
    draft.checks = storable([row.model_dump() for row in check(written, task, guide, dropped=dropped)])
    draft.structured_data = storable(structured_data(written, task))
    draft.diff = storable(difference(draft.page_text, written.title, body_of(written.markdown, task)))


def task_of(draft: ContentDraft) -> DraftTask:
    """The task that a stored draft was written for, with the sources that are stored with it."""
    return DraftTask(
        subject=subject_of(draft.brand),
        topic=draft.topic,
        format=DraftFormat(draft.format),
        questions=draft.questions or [draft.topic],
        materials=[_material(row) for row in draft.sources],
        locale=draft.locale,
        criteria=draft.criteria,
    )


def source_rows(task: DraftTask, body: str) -> list[dict[str, object]]:
    """The sources that the text names, as they are stored."""
    marks = set(MARK.findall(body))
    return [
        {
            "mark": material.mark,
            "text": material.text,
            "source": material.source,
            "url": material.url or None,
            "own": material.own,
            "answer_id": material.answer or None,
            "said_by": material.said_by,
            "about": material.about,
            "of": material.of,
        }
        for material in task.materials
        if material.mark in marks
    ]


def _material(row: Mapping[str, Any]) -> Material:
    return Material(
        row["mark"],
        row["text"],
        row["source"],
        row.get("url") or "",
        own=bool(row.get("own")),
        answer=row.get("answer_id") or "",
        said_by=row.get("said_by", ""),
        about=row.get("about", ""),
        of=row.get("of", ""),
    )
