"""Finds the prompts that imported answers belong to, and adds those that the brand does not have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from brands.models import Brand
from visibility.models import PromptVersion
from visibility.services.prompts.editing import PromptDraft, add_prompts, prompt_digest


@dataclass(frozen=True, slots=True)
class Wording:
    """One version of a prompt."""

    prompt: UUID
    version: int


def wording_digest(text: str) -> str:
    """The identity of an imported wording: the files name no locale."""
    return prompt_digest(text, "")


def wordings_of(brand: Brand) -> Mapping[str, Wording]:
    """Every wording that the brand has or had, by digest: rather of an active prompt, rather the current one."""
    versions = PromptVersion.objects.filter(prompt__brand=brand, locale="").select_related("prompt")
    ranked = sorted(
        versions,
        key=lambda version: (
            version.prompt.archived_at is None,
            version.number == version.prompt.version,
            version.pk,
        ),
    )
    return {wording_digest(version.text): Wording(version.prompt_id, version.pk) for version in ranked}


def add_wordings(caller: Caller, brand: Brand, drafts: Sequence[PromptDraft]) -> int:
    """Add prompts within the plan of the brand's owner, and return how many.

    Raises quota_exceeded with `needed`, the number of prompts that the file would add.
    """
    try:
        return len(add_prompts(caller, brand=brand, drafts=drafts).created)
    except ServiceError as refusal:
        if refusal.code != ErrorCode.QUOTA_EXCEEDED:
            raise
        message = f"The file needs {len(drafts):,} more prompts; nothing was imported. {refusal.message}"
        raise ServiceError(refusal.code, message, **refusal.details, needed=len(drafts)) from refusal
