"""What people do with the prompts that they keep: add one, change one, archive or restore some at once."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import not_found
from apikeys.scopes import Scope
from apikeys.services.guards import conflict_if_taken
from brands.services.access import editable_brand
from visibility.models import Prompt
from visibility.pipeline.evidence.planning import count_change
from visibility.services.prompts.editing import (
    AddedPrompts,
    PromptDraft,
    add_prompts,
    cleaned_draft,
    edit_prompt,
    require_room,
)
from visibility.services.prompts.writing import editable_prompt


def add_prompt(caller: Caller, *, brand_id: UUID, draft: PromptDraft) -> AddedPrompts:
    """As `add_prompts` with one draft, whose fields refusals name as they are."""
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id)
    return add_prompts(caller, brand=brand, drafts=[cleaned_draft(draft)])


def change_prompt(
    caller: Caller, *, brand_id: UUID, prompt_id: UUID, draft: PromptDraft, seen_version: int
) -> Prompt:
    """Give a prompt of the brand the fields of the draft, unless it changed since the caller saw its version.

    Raises as `edit_prompt`, and not_found for a prompt of another brand.
    """
    prompt = prompt_to_change(caller, brand_id=brand_id, prompt_id=prompt_id)
    return edit_prompt(
        caller,
        prompt=prompt,
        text=draft.text,
        topic=draft.topic,
        stage=draft.stage,
        intent=draft.intent,
        persona=draft.persona,
        locale=draft.locale,
        seen_version=seen_version,
    )


def prompt_to_change(caller: Caller, *, brand_id: UUID, prompt_id: UUID) -> Prompt:
    """A prompt of this brand, for a caller who may change it. Raises not_found and read_only_collaborator."""
    caller.require(Scope.WRITE_PROMPTS)
    prompt = editable_prompt(caller, prompt_id)
    if prompt.brand_id != brand_id:
        raise not_found()
    return prompt


@transaction.atomic
def archive_prompts(caller: Caller, *, brand_id: UUID, prompt_ids: Collection[UUID]) -> int:
    """Ask these prompts of the brand no more, in a few statements; how many were asked before.

    What is not there, is archived already or belongs to a comparison stays as it is. Raises not_found and
    read_only_collaborator for the brand.
    """
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id, lock=True)
    archived: int = Prompt.objects.filter(brand=brand, pk__in=prompt_ids).active().update(archived_at=timezone.now())
    if archived:
        count_change(brand.pk)
    return archived


@transaction.atomic
def restore_prompts(caller: Caller, *, brand_id: UUID, prompt_ids: Collection[UUID]) -> int:
    """Ask these archived prompts of the brand again: all of them, or none where the plan has no room (quota_exceeded)
    or one has a wording that is asked already (conflict); how many were archived."""
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id, lock=True)
    chosen = Prompt.objects.filter(brand=brand, pk__in=prompt_ids, archived_at__isnull=False).tracked()
    require_room(brand, chosen.count())
    with conflict_if_taken(
        "One of these wordings is asked by another prompt already. Restore them one by one to see which."
    ):
        restored: int = chosen.update(archived_at=None)
    if restored:
        count_change(brand.pk)
    return restored
