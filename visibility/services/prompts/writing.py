"""Prompts that a writer writes: new ones for a brand, and another wording of one."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import not_found
from apikeys.scopes import Scope
from apikeys.services.guards import conflict
from apikeys.text.validation import clean_line
from brands.services.access import editable_brand, lock_brand
from visibility.measured.topics import read_topics
from visibility.models import Prompt, ProviderCall
from visibility.resources.prompts import PromptResource
from visibility.resources.writing import RefinedPrompt, WriterResource
from visibility.services.prompts.editing import (
    archive_prompt,
    edit_prompt,
    prompt_quota,
    restore_prompt,
)
from visibility.services.prompts.listing import is_branded, names_in_use
from visibility.services.writing import Done, by_engine, by_rule, subject_of
from visibility.writers.protocol import Writer, WrittenWording
from visibility.writers.tasks import RefineTask

MAX_PROMPTS = 25
DEFAULT_PROMPTS = 5
INSTRUCTION_LENGTH = 500
MAX_PAGES = 30
MAX_STORED_PAGES = 200


def prepare_refinement(caller: Caller, *, prompt_id: UUID, instruction: str) -> Callable[[], RefinedPrompt]:
    """Have a prompt worded anew, and return what stores the wording as its new version; its history stays.

    Preparing is not to be done in a transaction. Raises insufficient_scope, not_found, read_only_collaborator,
    invalid_arguments, quota_exceeded, upstream_unavailable, and conflict for an archived prompt, for a wording that
    another active prompt has, for one that changes nothing, and where the prompt was changed meanwhile.
    """
    caller.require(Scope.WRITE_PROMPTS)
    prompt = editable_prompt(caller, prompt_id)
    if prompt.archived_at is not None:
        raise conflict("This prompt is archived. Restore it before you change it.")
    task = RefineTask(
        subject=subject_of(prompt.brand),
        text=prompt.text,
        instruction=clean_line("instruction", instruction, longest=INSTRUCTION_LENGTH),
        locale=prompt.locale,
    )

    def work(writer: Writer) -> WrittenWording:
        return writer.refine(task)

    done = by_engine(prompt.brand.owner, work, purpose=ProviderCall.Purpose.WRITER, brand=prompt.brand) or by_rule(
        work
    )
    return lambda: _reword(caller, prompt, done)


def archived_prompt(caller: Caller, *, prompt_id: UUID) -> RefinedPrompt:
    """Ask the prompt no more: its history stays and its place in the quota is free. Repeating it changes nothing.

    Raises insufficient_scope, not_found, read_only_collaborator, and conflict for a question of comparisons.
    """
    caller.require(Scope.WRITE_PROMPTS)
    prompt = archive_prompt(caller, prompt=editable_prompt(caller, prompt_id))
    return _refined(prompt, earlier=prompt.text, writer=None)


def restored_prompt(caller: Caller, *, prompt_id: UUID) -> RefinedPrompt:
    """Ask an archived prompt again.

    Raises as `archived_prompt`, quota_exceeded where the plan has no room for it, and conflict where another active
    prompt has its wording.
    """
    caller.require(Scope.WRITE_PROMPTS)
    prompt = restore_prompt(caller, prompt=editable_prompt(caller, prompt_id))
    return _refined(prompt, earlier=prompt.text, writer=None)


def editable_prompt(caller: Caller, prompt_id: UUID) -> Prompt:
    """The prompt with its brand, which the caller may change; not_found and read_only_collaborator."""
    prompt: Prompt | None = Prompt.objects.restrict(caller, "view").filter(pk=prompt_id).first()
    if prompt is None:
        raise not_found()
    prompt.brand = editable_brand(caller, prompt.brand_id)
    return prompt


@transaction.atomic
def _reword(caller: Caller, prompt: Prompt, done: Done[WrittenWording]) -> RefinedPrompt:
    lock_brand(prompt.brand)
    current: Prompt | None = Prompt.objects.filter(pk=prompt.pk).only("version").first()
    if current is None:
        raise not_found()
    if current.version != prompt.version:
        raise conflict("The prompt was changed while this wording was written. Look at it and call again.")
    refined = edit_prompt(caller, prompt=prompt, text=done.result.text)
    if refined.version == prompt.version:
        raise conflict("The instruction changes nothing in this wording. Say what should be different.")
    return _refined(refined, earlier=prompt.text, writer=WriterResource.model_validate(done.writer))


def _refined(prompt: Prompt, *, earlier: str, writer: WriterResource | None) -> RefinedPrompt:
    brand = prompt.brand
    return RefinedPrompt(
        site=brand.pk,
        prompt=PromptResource.of(
            prompt,
            topic=read_topics(brand.pk).name_of(prompt.topic),
            branded=is_branded(prompt.text, names_in_use(brand)),
        ),
        archived=prompt.archived_at is not None,
        earlier=earlier,
        quota=prompt_quota(brand),
        writer=writer,
    )
