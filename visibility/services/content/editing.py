"""What people do with a draft: they edit it, each over the version that they have read, and take it along."""

from dataclasses import dataclass
from typing import Literal, get_args
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.scopes import Scope
from apikeys.services.guards import conflict
from apikeys.text.file_names import file_stem
from apikeys.text.storable import storable
from apikeys.text.untrusted import clean, holds_marks
from apikeys.text.validation import clean_line
from brands.services.access import editable_brand
from visibility.models import ContentDraft
from visibility.resources.writing import Draft
from visibility.services.content.judging import judged, task_of
from visibility.services.content.opportunities import draft_resource, readable_draft
from visibility.writers.markup import body_of, finished
from visibility.writers.protocol import MAX_DRAFT_LENGTH, MAX_TITLE_LENGTH
from visibility.writers.publishing import as_html, as_markdown

ExportFormat = Literal["markdown", "html"]
_TYPES = {"markdown": ("md", "text/markdown; charset=utf-8"), "html": ("html", "text/html; charset=utf-8")}


@dataclass(frozen=True, slots=True)
class Exported:
    """A draft as a file."""

    filename: str
    content_type: str
    body: str


@transaction.atomic
def edit_draft(caller: Caller, *, draft_id: UUID, markdown: str, title: str, version: int) -> Draft:
    """Replace the text of a draft; the checks are made anew. What was written first is kept beside it.

    `version` is the one that the caller has read. The lists at the end (facts still needed, sources) follow the text.
    Raises insufficient_scope, not_found, read_only_collaborator, invalid_arguments, and conflict where somebody has
    edited it since: then nothing is overwritten.
    """
    caller.require(Scope.WRITE_CONTENT)
    title = clean_line("title", title, longest=MAX_TITLE_LENGTH)
    text = _text(markdown)
    draft = readable_draft(caller, draft_id)
    editable_brand(caller, draft.brand_id, lock=True)
    draft = ContentDraft.objects.select_related("brand").select_for_update(of=("self",)).get(pk=draft_id)
    if draft.version != version:
        when = f" at {draft.edited_at:%Y-%m-%d %H:%M} UTC" if draft.edited_at else ""
        raise conflict(
            f"{draft.edited_by or 'Somebody'} has edited this draft{when}, after you opened it. Your text was not "
            "saved: copy it, read the new version, and put your changes into that.",
            reason="edited_meanwhile",
            version=draft.version,
        )
    task = task_of(draft)
    body = body_of(text, task, before=draft.latest_markdown)
    if not body:
        raise invalid("markdown", "The text is empty. Give the whole text of the draft.")
    draft.edited_title, draft.edited_markdown = title, storable(finished(body, task))
    draft.edited_by, draft.edited_at, draft.version = caller.actor, timezone.now(), draft.version + 1
    judged(draft)
    draft.save()
    return draft_resource(draft)


def exported(caller: Caller, *, draft_id: UUID, format: str) -> Exported:
    """The latest text of a draft as a file: `markdown`, or `html` as a page of its own with its structured data.

    Raises insufficient_scope, not_found, and invalid_arguments for another format.
    """
    caller.require(Scope.READ_CONTENT)
    if format not in get_args(ExportFormat):
        raise invalid(
            "format", f"{format!r} is not a known format. Choose one of {', '.join(get_args(ExportFormat))}."
        )
    draft = readable_draft(caller, draft_id)
    ending, content_type = _TYPES[format]
    title, text = draft.latest_title, draft.latest_markdown
    body = as_html(title, text, draft.structured_data, draft.locale) if format == "html" else as_markdown(title, text)
    return Exported(f"{file_stem(title) or 'draft'}.{ending}", content_type, body)


def _text(markdown: str) -> str:
    """The text without invisible characters, its line breaks as everywhere."""
    text = clean("\n".join(markdown.splitlines())).strip()
    if not text:
        raise invalid("markdown", "The text is empty. Give the whole text of the draft.")
    if len(text) > MAX_DRAFT_LENGTH:
        raise invalid(
            "markdown",
            f"The text has {len(text):,} characters; at most {MAX_DRAFT_LENGTH:,} are allowed. Shorten it.",
        )
    if holds_marks(text):
        raise invalid(
            "markdown", "The text contains “untrusted-quote” after a <, which this service uses. Remove it."
        )
    return text
