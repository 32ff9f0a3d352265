"""Prompts that a writer writes: new ones for a brand, and another wording of one."""

from collections import Counter
from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Left

from apikeys.caller import Caller
from apikeys.errors import invalid, not_found
from apikeys.scopes import Scope
from apikeys.services.guards import conflict
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import editable_brand, lock_brand
from visibility.models import Page, Prompt, Stage
from visibility.models.prompts import MAX_PERSONA, MAX_TOPIC
from visibility.resources.prompts import PromptResource
from visibility.resources.writing import GeneratedPrompts, RefinedPrompt, WriterResource
from visibility.services.prompts.editing import (
    PromptDraft,
    add_prompts,
    archive_prompt,
    clean_locale,
    edit_prompt,
    no_room,
    prompt_quota,
    restore_prompt,
)
from visibility.services.prompts.listing import is_branded, names_in_use
from visibility.services.writing import Done, by_engine, by_rule, is_own, own_domains, subject_of
from visibility.writers.protocol import Writer, WrittenPrompt, WrittenPrompts, WrittenWording
from visibility.writers.suggesting import PAGE_BEGINNING
from visibility.writers.tasks import KnownPage, KnownPrompt, PromptsTask, RefineTask
from visibility.writers.words import names_any, wording_key

MAX_PROMPTS = 25
DEFAULT_PROMPTS = 5
INSTRUCTION_LENGTH = 500
MAX_PAGES = 30
MAX_STORED_PAGES = 200


def prepare_prompts(
    caller: Caller,
    *,
    brand_id: UUID,
    count: int = DEFAULT_PROMPTS,
    topic: str = "",
    stage: str = "",
    persona: str = "",
    locale: str = "",
) -> Callable[[], GeneratedPrompts]:
    """Have new prompts written, and return what adds them: as many as fit into the quota, all in one transaction.

    The `locale` is by default that of most prompts. What the brand asks or asked already, in these or nearly these
    words, is left out, as is what names the brand. Preparing is not to be done in a transaction. Raises
    insufficient_scope, not_found, read_only_collaborator, invalid_arguments, quota_exceeded and upstream_unavailable.
    """
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id)
    wishes = _Wishes(brand, count=count, topic=topic, stage=stage, persona=persona, locale=locale)
    room = prompt_quota(brand)
    if room.used >= room.limit:
        raise no_room(room)
    by_an_engine = by_engine(brand.owner, lambda writer: writer.prompts(wishes.task(brand)))
    return lambda: _add(caller, brand, wishes, by_an_engine)


class _Wishes:
    """What the caller wants to be asked, checked."""

    def __init__(self, brand: Brand, *, count: int, topic: str, stage: str, persona: str, locale: str) -> None:
        if not 1 <= count <= MAX_PROMPTS:
            raise invalid("count", f"Ask for 1 to {MAX_PROMPTS} prompts at once.")
        if stage and stage not in Stage.values:
            raise invalid(
                "stage", f"{stage!r} is not a known stage. Choose one of {', '.join(Stage.values)}, or leave it out."
            )
        self.count = count
        self.stage = stage
        self.topic = clean_line("topic", topic, longest=MAX_TOPIC, required=False)
        self.persona = clean_line("persona", persona, longest=MAX_PERSONA, required=False)
        self.locale = clean_locale("locale", locale) or usual_locale(brand)
        names = subject_of(brand).names
        for argument, text in (("topic", self.topic), ("persona", self.persona)):
            if names_any(text, names):
                message = (
                    f"Leave the brand out of the {argument}: people who ask by its name are not looking for one."
                )
                raise invalid(argument, message)

    def task(self, brand: Brand) -> PromptsTask:
        """The task as the brand is now."""
        prompts = Prompt.objects.filter(brand=brand).order_by("created_at", "pk")
        rows = prompts.values_list("text", "topic", "stage", "intent", "locale")
        return PromptsTask(
            subject=subject_of(brand),
            count=self.count,
            existing=[KnownPrompt(*row) for row in rows],
            pages=_own_pages(brand),
            topic=self.topic,
            stage=self.stage,  # type: ignore[arg-type]
            persona=self.persona,
            locale=self.locale,
        )


def _own_pages(brand: Brand) -> list[KnownPage]:
    """The beginnings of the brand's own pages in its corpus."""
    domains = own_domains(brand)
    stored = Page.objects.filter(brand=brand).order_by("url").annotate(beginning=Left("text", PAGE_BEGINNING))
    rows = stored.values_list("url", "title", "beginning")[:MAX_STORED_PAGES]
    own_pages = [KnownPage(title, beginning) for url, title, beginning in rows if is_own(url, domains)]
    return own_pages[:MAX_PAGES]


def usual_locale(brand: Brand) -> str:
    """The locale of most active prompts; empty where most state none."""
    counts = Counter(Prompt.objects.filter(brand=brand).active().order_by("locale").values_list("locale", flat=True))
    return counts.most_common(1)[0][0] if counts else ""


@transaction.atomic
def _add(
    caller: Caller, brand: Brand, wishes: _Wishes, by_an_engine: Done[WrittenPrompts] | None
) -> GeneratedPrompts:
    """Add what was written, as far as it is new now and there is room now: counted by one at a time."""
    brand = editable_brand(caller, brand.pk, lock=True)
    quota = prompt_quota(brand)
    if quota.used >= quota.limit:
        raise no_room(quota)
    task = wishes.task(brand)
    done = by_an_engine or by_rule(lambda writer: writer.prompts(task))
    fresh = _fresh(done.result.prompts, task)[: min(wishes.count, quota.limit - quota.used)]
    if not fresh:
        raise conflict(
            "No new prompt was written: each one that was found is asked already. Give another topic, "
            "stage or persona."
        )
    drafts = [
        PromptDraft(prompt.text, prompt.topic, prompt.stage, prompt.intent, wishes.persona, wishes.locale)
        for prompt in fresh
    ]
    created = add_prompts(caller, brand=brand, drafts=drafts).created
    dictionary = names_in_use(brand)
    return GeneratedPrompts(
        site=brand.pk,
        created=[PromptResource.of(prompt, branded=is_branded(prompt.text, dictionary)) for prompt in created],
        quota=prompt_quota(brand),
        writer=WriterResource.model_validate(done.writer),
    )


def _fresh(written: list[WrittenPrompt], task: PromptsTask) -> list[WrittenPrompt]:
    """What the brand does not ask and never asked in this locale, each once, without its name."""
    known_keys = {wording_key(known.text) for known in task.existing if known.locale == task.locale}
    fresh = []
    for prompt in written:
        key = wording_key(prompt.text)
        if key not in known_keys and not names_any(prompt.text, task.subject.names):
            known_keys.add(key)
            fresh.append(prompt)
    return fresh


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

    done = by_engine(prompt.brand.owner, work) or by_rule(work)
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
        prompt=PromptResource.of(prompt, branded=is_branded(prompt.text, names_in_use(brand))),
        archived=prompt.archived_at is not None,
        earlier=earlier,
        quota=prompt_quota(brand),
        writer=writer,
    )
