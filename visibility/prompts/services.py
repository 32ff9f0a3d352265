"""Writes of prompts. A wording is a version that stays on record with its answers."""

import hashlib
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError, conflict, conflict_if_taken, invalid, not_found, quota_exceeded
from apikeys.resources import Quota
from apikeys.text import clean_choice, clean_line
from brands.access import editable_brand
from brands.later import defer_for_brand
from brands.models import Brand
from visibility.models import Prompt, PromptVersion
from visibility.models.prompts import LONGEST_PROMPT, LONGEST_TOPIC, Intent, Stage
from visibility.topics.services import get_or_add_topics

_LOCALE = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|[0-9]{3}))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PromptDraft:
    """A prompt to add. `topic` defaults to the text; the other fields may stay empty: not stated."""

    text: str
    topic: str = ""
    stage: str = ""
    intent: str = ""
    persona: str = ""
    locale: str = ""


@dataclass(frozen=True, slots=True)
class AddedPrompts:
    """The prompts of the drafts; which of them are new, and which were restored from the archive."""

    prompts: Sequence[Prompt]
    created: Sequence[Prompt]
    restored: Sequence[Prompt]


def prompt_digest(text: str, locale: str, competitor: str = "") -> str:
    """The same for equal prompts, SHA-256 as hex: case and white space do not make another wording."""
    parts = [" ".join(text.split()).casefold(), locale, *filter(None, [competitor])]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def prompt_quota(brand: Brand) -> Quota:
    """How many active prompts the plan of the brand's owner allows, and how many there are."""
    used = Prompt.objects.filter(brand=brand).active().count()
    return Quota(limit=brand.owner.limit("max_prompts_per_site"), used=used)


@transaction.atomic
def add_prompts(caller: Caller, *, brand_id: UUID, drafts: Sequence[PromptDraft]) -> AddedPrompts:
    """Add prompts within the quota: all of them or none.

    A wording that is active already is left as it is; one that was archived is restored with its history. Raises
    not_found, read_only_collaborator, quota_exceeded, invalid_arguments that name the draft by its place.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    cleaned: dict[str, PromptDraft] = {}
    for place, draft in enumerate(drafts):
        clean = _clean_at(place, draft)
        cleaned.setdefault(prompt_digest(clean.text, clean.locale), clean)
    # PostgreSQL puts null last: where a wording is both archived and active, the active prompt wins.
    known = {prompt.digest: prompt for prompt in brand.prompts.filter(digest__in=cleaned).order_by("archived_at")}
    restored = [prompt for prompt in known.values() if prompt.archived_at is not None]
    topics = get_or_add_topics(brand, (draft.topic for digest, draft in cleaned.items() if digest not in known))
    created = [
        Prompt(
            brand=brand,
            topic=topics[draft.topic.lower()],
            text=draft.text,
            stage=draft.stage,
            intent=draft.intent,
            persona=draft.persona,
            locale=draft.locale,
            digest=digest,
        )
        for digest, draft in cleaned.items()
        if digest not in known
    ]
    require_room(brand, len(created) + len(restored))
    for prompt in restored:
        prompt.archived_at = None
    Prompt.objects.bulk_update(restored, ["archived_at"])
    if restored:
        defer_for_brand("rescore", brand.pk)
    Prompt.objects.bulk_create(created)
    PromptVersion.objects.bulk_create(_version(caller, prompt) for prompt in created)
    return AddedPrompts([*known.values(), *created], created, restored)


@transaction.atomic
def reword_prompt(caller: Caller, *, brand_id: UUID, prompt_id: UUID, text: str, locale: str | None = None) -> Prompt:
    """Ask a prompt in another wording from now on; the old one stays with its answers.

    Raises not_found, read_only_collaborator, invalid_arguments, conflict for an archived prompt and for a wording
    that another active prompt has.
    """
    prompt = _editable_prompt(caller, brand_id, prompt_id)
    if prompt.archived_at is not None:
        raise conflict(gettext("This prompt is archived. Restore it before you change it."))
    draft = _clean(PromptDraft(text, prompt.topic_name, locale=prompt.locale if locale is None else locale))
    if (draft.text, draft.locale) == (prompt.text, prompt.locale):
        return prompt
    prompt.text, prompt.locale, prompt.version = draft.text, draft.locale, prompt.version + 1
    prompt.digest = prompt_digest(draft.text, draft.locale)
    with _conflict_if_worded():
        prompt.save(update_fields=["text", "locale", "version", "digest"])
    _version(caller, prompt).save(force_insert=True)
    return prompt


@transaction.atomic
def describe_prompt(
    caller: Caller,
    *,
    brand_id: UUID,
    prompt_id: UUID,
    stage: str | None = None,
    intent: str | None = None,
    persona: str | None = None,
) -> Prompt:
    """Say who asks a prompt, and what for; None leaves a field as it is, an empty text says nothing of it.

    No figure changes by it. Raises not_found, read_only_collaborator, invalid_arguments.
    """
    prompt = _editable_prompt(caller, brand_id, prompt_id)
    given = {"stage": stage, "intent": intent, "persona": persona}
    values = {name: getattr(prompt, name) if value is None else value for name, value in given.items()}
    draft = _clean(PromptDraft(prompt.text, prompt.topic_name, locale=prompt.locale, **values))
    prompt.stage, prompt.intent, prompt.persona = draft.stage, draft.intent, draft.persona
    prompt.save(update_fields=["stage", "intent", "persona"])
    return prompt


@transaction.atomic
def move_prompt(caller: Caller, *, brand_id: UUID, prompt_id: UUID, topic: str) -> Prompt:
    """Put a prompt under another topic, which is added if the brand lacks it. Errors as `reword_prompt`."""
    prompt = _editable_prompt(caller, brand_id, prompt_id)
    topics = get_or_add_topics(prompt.brand, [topic])
    prompt.topic = topics[clean_line("topic", topic, longest=LONGEST_TOPIC).lower()]
    prompt.save(update_fields=["topic"])
    defer_for_brand("rescore", brand_id)
    return prompt


@transaction.atomic
def archive_prompt(caller: Caller, *, brand_id: UUID, prompt_id: UUID) -> Prompt:
    """Ask a prompt no more; its history stays. Raises not_found, read_only_collaborator."""
    prompt = _editable_prompt(caller, brand_id, prompt_id)
    if prompt.archived_at is None:
        prompt.archived_at = timezone.now()
        prompt.save(update_fields=["archived_at"])
        defer_for_brand("rescore", brand_id)
    return prompt


@transaction.atomic
def restore_prompt(caller: Caller, *, brand_id: UUID, prompt_id: UUID) -> Prompt:
    """Ask an archived prompt again. Raises not_found, read_only_collaborator, quota_exceeded, conflict."""
    prompt = _editable_prompt(caller, brand_id, prompt_id)
    if prompt.archived_at is not None:
        require_room(prompt.brand, 1)
        prompt.archived_at = None
        with _conflict_if_worded():
            prompt.save(update_fields=["archived_at"])
        defer_for_brand("rescore", brand_id)
    return prompt


def require_room(brand: Brand, count: int) -> None:
    """Raise quota_exceeded unless the locked brand may have so many more active prompts."""
    quota = prompt_quota(brand)
    if count and quota.used + count > quota.limit:
        raise quota_exceeded(gettext_noop("active prompts for each site"), quota.limit, quota.used)


def _editable_prompt(caller: Caller, brand_id: UUID, prompt_id: UUID) -> Prompt:
    """A tracked prompt of a brand that the caller may change; locks the brand. Raises as `editable_brand`."""
    brand = editable_brand(caller, brand_id, lock=True)
    prompt: Prompt | None = brand.prompts.tracked().select_related("topic").filter(pk=prompt_id).first()
    if prompt is None:
        raise not_found()
    return prompt


def _version(caller: Caller, prompt: Prompt) -> PromptVersion:
    return PromptVersion(
        prompt=prompt, number=prompt.version, text=prompt.text, locale=prompt.locale, created_by=caller.actor
    )


def _clean_at(place: int, draft: PromptDraft) -> PromptDraft:
    """As `_clean`; a refusal gives the draft's place, and in its message the line."""
    try:
        return _clean(draft)
    except ServiceError as error:
        raise invalid(
            f"drafts[{place}].{error.details['argument']}",
            gettext("Line {number}: {message}").format(number=place + 1, message=error.message),
        ) from error


def _clean(draft: PromptDraft) -> PromptDraft:
    text = clean_line("text", draft.text, longest=LONGEST_PROMPT)
    return PromptDraft(
        text=text,
        topic=clean_line("topic", draft.topic or text[:LONGEST_TOPIC], longest=LONGEST_TOPIC),
        stage=clean_choice("stage", draft.stage, ["", *Stage.values]),
        intent=clean_choice("intent", draft.intent, ["", *Intent.values]),
        persona=clean_line("persona", draft.persona, longest=200, required=False),
        locale=_clean_locale(draft.locale),
    )


def _clean_locale(text: str) -> str:
    """A language tag in its usual capitals: de, de-AT, zh-Hant-TW; empty: not stated."""
    if not text.strip():
        return ""
    match = _LOCALE.fullmatch(text.strip().replace("_", "-"))
    if match is None:
        raise invalid(
            "locale",
            gettext("{text!r} is no locale. Give a language and a country, such as en-GB.").format(text=text[:100]),
        )
    language, script, country = match.groups()
    parts = (language.lower(), script and script.title(), country and country.upper())
    return "-".join(part for part in parts if part)


def _conflict_if_worded() -> AbstractContextManager[None]:
    return conflict_if_taken(
        gettext("Another active prompt has this wording and locale. Reword it, or archive that one."), argument="text"
    )
