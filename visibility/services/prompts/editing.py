"""Add, change, archive and restore the prompts of a brand. Wordings are versions: what was asked stays on record."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ServiceError, invalid, not_found
from apikeys.resources import Quota
from apikeys.services.guards import conflict, conflict_if_taken
from apikeys.services.usage import quota_exceeded
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.models import Intent, Prompt, PromptVersion, Purpose, Stage
from visibility.models.prompts import MAX_PERSONA, MAX_PROMPT, MAX_TOPIC
from visibility.pipeline.evidence.planning import count_change
from visibility.pipeline.generations.planning import count_move

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
    """One prompt for each draft, in their order; which of them are new, and which came back from the archive."""

    prompts: list[Prompt]
    created: list[Prompt]
    restored: list[Prompt]


def prompt_digest(text: str, locale: str, rival: str = "") -> str:
    """SHA-256 (hex) of the wording, its locale after a NUL; case and white space do not make another wording.

    In a comparison the `rival` follows after another NUL: a prompt that people keep may have the same wording.
    """
    parts = [" ".join(text.split()).casefold(), locale, *filter(None, [rival])]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def prompt_quota(brand: Brand) -> Quota:
    """How many active prompts the plan of the brand's owner allows, and how many there are."""
    return quota_of(brand, Prompt.objects.filter(brand=brand).active().count())


def quota_of(brand: Brand, active: int) -> Quota:
    """As `prompt_quota`, of a brand whose active prompts are counted."""
    return Quota(limit=brand.owner.limit("max_prompts_per_site"), used=active)


def no_room(quota: Quota) -> ServiceError:
    """The refusal of another active prompt."""
    return quota_exceeded("active prompts for each site", quota.limit, quota.used)


@transaction.atomic
def add_prompts(caller: Caller, *, brand: Brand, drafts: Sequence[PromptDraft]) -> AddedPrompts:
    """Add prompts within the quota of active prompts of the brand owner's plan: all of them or none.

    A wording that is active already is returned as it is; one that was archived is restored with its history.
    Raises quota_exceeded, or invalid_arguments naming the draft by its place (`drafts[0].text`).
    """
    brand = editable_brand(caller, brand.pk, lock=True)
    cleaned = [cleaned_draft(draft, place=f"drafts[{index}].") for index, draft in enumerate(drafts)]
    digests = [prompt_digest(draft.text, draft.locale) for draft in cleaned]
    known = known_prompts(brand, digests)
    restored = [prompt for prompt in known.values() if prompt.archived_at is not None]
    fresh = {
        digest: _new_prompt(brand, draft, digest)
        for digest, draft in zip(reversed(digests), reversed(cleaned), strict=True)
        if digest not in known
    }
    created = [fresh[digest] for digest in dict.fromkeys(digests) if digest in fresh]
    require_room(brand, len(created) + len(restored))
    for prompt in restored:
        prompt.archived_at = None
    Prompt.objects.bulk_update(restored, ["archived_at"])
    Prompt.objects.bulk_create(created)
    PromptVersion.objects.bulk_create(_version(caller, prompt) for prompt in created)
    if restored:
        count_change(brand.pk)
    return AddedPrompts([(known | fresh)[digest] for digest in digests], created, restored)


@transaction.atomic
def edit_prompt(
    caller: Caller,
    *,
    prompt: Prompt,
    text: str | None = None,
    topic: str | None = None,
    stage: str | None = None,
    intent: str | None = None,
    persona: str | None = None,
    locale: str | None = None,
    seen_version: int | None = None,
) -> Prompt:
    """Change what is given; None leaves a field as it is. Another text or locale makes a new version.

    Moved between a topic that is the brand's own and one that is not, its history is counted anew.
    Raises conflict for an archived prompt, for a wording that another active prompt of the brand has, and where its
    version is no longer the one that the caller has seen, if that is given.
    """
    prompt = _locked(caller, prompt)
    if seen_version not in (None, prompt.version):
        raise conflict(f"Somebody changed this prompt meanwhile: it is now “{prompt.text}”. Look at it, then save.")
    if prompt.archived_at is not None:
        raise conflict("This prompt is archived. Restore it before you change it.")
    changes = {"text": text, "topic": topic, "stage": stage, "intent": intent, "persona": persona, "locale": locale}
    current = PromptDraft(prompt.text, prompt.topic, prompt.stage, prompt.intent, prompt.persona, prompt.locale)
    draft = cleaned_draft(replace(current, **{name: value for name, value in changes.items() if value is not None}))
    before = prompt.topic or str(prompt.pk)
    is_new_wording = (draft.text, draft.locale) != (prompt.text, prompt.locale)
    for name in changes:
        setattr(prompt, name, getattr(draft, name))
    prompt.digest = prompt_digest(draft.text, draft.locale)
    prompt.version += is_new_wording
    with _wording_taken():
        prompt.save(update_fields=[*changes, "digest", "version"])
    if is_new_wording:
        _version(caller, prompt).save(force_insert=True)
    count_change(prompt.brand_id)
    count_move(prompt, before)
    return prompt


@transaction.atomic
def archive_prompt(caller: Caller, *, prompt: Prompt) -> Prompt:
    """Ask the prompt no more; its history stays. One that is archived already stays as it is."""
    prompt = _locked(caller, prompt)
    if prompt.archived_at is None:
        prompt.archived_at = timezone.now()
        prompt.save(update_fields=["archived_at"])
        count_change(prompt.brand_id)
    return prompt


@transaction.atomic
def restore_prompt(caller: Caller, *, prompt: Prompt) -> Prompt:
    """Ask an archived prompt again, within the quota; conflict when its wording is active in another prompt."""
    prompt = _locked(caller, prompt)
    if prompt.archived_at is not None:
        require_room(prompt.brand, 1)
        prompt.archived_at = None
        with _wording_taken():
            prompt.save(update_fields=["archived_at"])
        count_change(prompt.brand_id)
    return prompt


def _locked(caller: Caller, prompt: Prompt) -> Prompt:
    """The prompt afresh, its brand held."""
    brand = editable_brand(caller, prompt.brand_id, lock=True)
    fresh: Prompt | None = Prompt.objects.filter(brand=brand, pk=prompt.pk).first()
    if fresh is None:
        raise not_found()
    if fresh.purpose != Purpose.VISIBILITY:
        raise conflict(
            "Comparisons write this question themselves, so it cannot be changed. Add a prompt of your own."
        )
    fresh.brand = brand
    return fresh


def known_prompts(brand: Brand, digests: Iterable[str]) -> dict[str, Prompt]:
    """Prompts of the brand by digest: the active one, else the one archived last."""
    rows = Prompt.objects.filter(brand=brand, digest__in=set(digests))
    ranked = sorted(rows, key=lambda prompt: (prompt.archived_at is None, prompt.archived_at or prompt.created_at))
    return {prompt.digest: prompt for prompt in ranked}


def require_room(brand: Brand, more: int) -> None:
    """Raise quota_exceeded unless the held brand may have `more` active prompts."""
    quota = prompt_quota(brand)
    if more and quota.used + more > quota.limit:
        raise no_room(quota)


def _new_prompt(brand: Brand, draft: PromptDraft, digest: str) -> Prompt:
    return Prompt(
        brand=brand,
        text=draft.text,
        topic=draft.topic,
        stage=draft.stage,
        intent=draft.intent,
        persona=draft.persona,
        locale=draft.locale,
        digest=digest,
    )


def _version(caller: Caller, prompt: Prompt) -> PromptVersion:
    return PromptVersion(
        prompt=prompt, number=prompt.version, text=prompt.text, locale=prompt.locale, created_by=caller.actor
    )


def cleaned_draft(draft: PromptDraft, *, place: str = "") -> PromptDraft:
    """The draft as it is stored; `place` names it in errors."""
    text = clean_line(f"{place}text", draft.text, longest=MAX_PROMPT)
    topic = clean_line(f"{place}topic", draft.topic, longest=MAX_TOPIC, required=False)
    return PromptDraft(
        text=text,
        topic=topic or text[:MAX_TOPIC],
        stage=_one_of(f"{place}stage", draft.stage, Stage.values),
        intent=_one_of(f"{place}intent", draft.intent, Intent.values),
        persona=clean_line(f"{place}persona", draft.persona, longest=MAX_PERSONA, required=False),
        locale=clean_locale(f"{place}locale", draft.locale),
    )


def _one_of(argument: str, value: str, choices: list[str]) -> str:
    if value and value not in choices:
        raise invalid(
            argument, f"{value!r} is not a known {argument}. Choose one of {', '.join(choices)}, or leave it empty."
        )
    return value


def clean_locale(argument: str, value: str) -> str:
    """A language with optional script and region in their customary case (`en-GB`), or empty."""
    if not value.strip():
        return ""
    match = _LOCALE.fullmatch(value.strip().replace("_", "-"))
    if match is None:
        raise invalid(
            argument, f"{value!r} is not a known locale. Give a language with an optional region, such as en-GB."
        )
    language, script, region = match.groups(default="")
    return "-".join(part for part in (language.lower(), script.title(), region.upper()) if part)


def _wording_taken() -> AbstractContextManager[None]:
    return conflict_if_taken("Another active prompt of this brand has this wording and locale. Change that one.")
