"""New prompts for a brand: written, shown, and added as far as the plan has room."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.scopes import Scope
from apikeys.services.guards import conflict
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.measured.topics import read_topics
from visibility.models import Prompt, ProviderCall, Stage
from visibility.models.prompts import MAX_PERSONA, MAX_TOPIC
from visibility.resources.writing import CoveredCell, CreatedPrompt, GeneratedPrompts, ProposedPrompt, WriterResource
from visibility.services.prompts.editing import PromptDraft, add_prompts, clean_locale, no_room, prompt_quota
from visibility.services.prompts.effects import effects_of
from visibility.services.prompts.listing import is_branded, names_in_use
from visibility.services.prompts.material import material_of, usual_locale
from visibility.services.writing import Done, by_engine, by_rule, engine_writes, subject_of
from visibility.writers.protocol import WrittenPrompt, WrittenPrompts
from visibility.writers.tasks import PromptsTask
from visibility.writers.words import names_any, wording_key

MAX_PROMPTS = 25
DEFAULT_PROMPTS = 5
DRY_RUN_BY_RULE = (
    "An engine writes here: without dryRun it words other questions. These are by the embedded writer, which "
    "costs nothing."
)


def prepare_prompts(
    caller: Caller,
    *,
    brand_id: UUID,
    count: int = DEFAULT_PROMPTS,
    topic: str = "",
    stage: str = "",
    persona: str = "",
    locale: str = "",
    dry_run: bool = False,
) -> Callable[[], GeneratedPrompts]:
    """Have new prompts written, and return what adds them: as many as fit into the quota, all in one transaction.

    The `locale` is by default that of most prompts. What the brand asks or asked already, in these or nearly these
    words, is left out, as is what names the brand. With `dry_run` they are shown, no engine is asked and nothing is
    added. Preparing is not to be done in a transaction. Raises insufficient_scope, not_found,
    read_only_collaborator, invalid_arguments, quota_exceeded and upstream_unavailable.
    """
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id)
    wishes = Wishes(brand, count=count, topic=topic, stage=stage, persona=persona, locale=locale)
    if dry_run:
        return lambda: _proposed(brand, wishes)
    room = prompt_quota(brand)
    if room.used >= room.limit:
        raise no_room(room)
    by_an_engine = by_engine(
        brand.owner,
        lambda writer: writer.prompts(wishes.task(brand)),
        purpose=ProviderCall.Purpose.WRITER,
        brand=brand,
    )
    return lambda: _add(caller, brand, wishes, by_an_engine)


class Wishes:
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
        stated = read_topics(brand.pk).meant_by(self.topic) if self.topic else None
        self.topic = stated.key if stated and stated.is_stated else self.topic
        names = subject_of(brand).names
        for argument, text in (("topic", self.topic), ("persona", self.persona)):
            if names_any(text, names):
                message = (
                    f"Leave the brand out of the {argument}: people who ask by its name are not looking for one."
                )
                raise invalid(argument, message)

    def task(self, brand: Brand) -> PromptsTask:
        """The task as the brand is now."""
        material = material_of(brand, self.locale)
        return PromptsTask(
            subject=subject_of(brand),
            count=self.count,
            existing=material.prompts,
            pages=material.pages,
            topic=self.topic,
            stage=self.stage,  # type: ignore[arg-type]
            persona=self.persona,
            locale=self.locale,
            criteria=material.criteria,
            rivals=material.rivals,
            searches=material.searches,
        )


def _proposed(brand: Brand, wishes: Wishes) -> GeneratedPrompts:
    """What would be written by rule, without anything being changed."""
    task = wishes.task(brand)
    done = by_rule(lambda writer: writer.prompts(task))
    quota = prompt_quota(brand)
    fresh = fresh_of(done.result.prompts, task)[: wishes.count]
    room = max(quota.limit - quota.used, 0)
    notes = [f"The plan has room for {room} of these {len(fresh)} prompts."] if room < len(fresh) else []
    notes += [DRY_RUN_BY_RULE] if engine_writes() else []
    return GeneratedPrompts(
        site=brand.pk,
        dry_run=True,
        created=[],
        proposed=[
            ProposedPrompt(**prompt.model_dump(), persona=wishes.persona, locale=wishes.locale) for prompt in fresh
        ],
        coverage=_coverage(brand, fresh, wishes.persona),
        quota=quota,
        effect=effects_of(brand).of_adding(len(fresh)),
        writer=WriterResource.model_validate(done.writer),
        note=" ".join(notes) or None,
    )


@transaction.atomic
def _add(caller: Caller, brand: Brand, wishes: Wishes, by_an_engine: Done[WrittenPrompts] | None) -> GeneratedPrompts:
    """Add what was written, as far as it is new now and there is room now: counted by one at a time."""
    brand = editable_brand(caller, brand.pk, lock=True)
    quota = prompt_quota(brand)
    if quota.used >= quota.limit:
        raise no_room(quota)
    task = wishes.task(brand)
    done = by_an_engine or by_rule(lambda writer: writer.prompts(task))
    room = quota.limit - quota.used
    new = fresh_of(done.result.prompts, task)[: wishes.count]
    fresh = new[:room]
    if not fresh:
        raise conflict(
            "No new prompt was written: each one that was found is asked already. Give another topic, "
            "stage or persona."
        )
    effect = effects_of(brand).of_adding(len(fresh))
    created = add_prompts(caller, brand=brand, drafts=[draft_of(prompt, wishes) for prompt in fresh]).created
    return GeneratedPrompts(
        site=brand.pk,
        dry_run=False,
        created=_shown(brand, created, {prompt.text: prompt.rests_on for prompt in fresh}),
        proposed=[],
        coverage=_coverage(brand, (), ""),
        quota=prompt_quota(brand),
        effect=effect,
        writer=WriterResource.model_validate(done.writer),
        note=f"The plan had room for {room} of {len(new)} prompts." if room < len(new) else None,
    )


def _shown(brand: Brand, created: Sequence[Prompt], origins: Mapping[str, str]) -> list[CreatedPrompt]:
    dictionary, topics = names_in_use(brand), read_topics(brand.pk)
    return [
        CreatedPrompt.of(
            prompt,
            topic=topics.name_of(prompt.topic),
            branded=is_branded(prompt.text, dictionary),
            rests_on=origins.get(prompt.text, ""),
        )
        for prompt in created
    ]


def draft_of(prompt: WrittenPrompt, wishes: Wishes) -> PromptDraft:
    """The prompt to add for what was written."""
    return PromptDraft(prompt.text, prompt.topic, prompt.stage, prompt.intent, wishes.persona, wishes.locale)


def fresh_of(written: Sequence[WrittenPrompt], task: PromptsTask) -> list[WrittenPrompt]:
    """What the brand does not ask and never asked in this locale, each once, without its name."""
    known_keys = {wording_key(known.text) for known in task.existing if known.locale == task.locale}
    fresh = []
    for prompt in written:
        key = wording_key(prompt.text)
        if key not in known_keys and not names_any(prompt.text, task.subject.names):
            known_keys.add(key)
            fresh.append(prompt)
    return fresh


def _coverage(brand: Brand, proposed: Sequence[WrittenPrompt], persona: str) -> list[CoveredCell]:
    """The active prompts by stage, intent and persona, with those that are proposed."""
    active = Prompt.objects.filter(brand=brand).active().order_by()
    cells: Counter[tuple[str, str, str]] = Counter(active.values_list("stage", "intent", "persona"))
    more: Counter[tuple[str, str, str]] = Counter((prompt.stage, prompt.intent, persona) for prompt in proposed)
    return [
        CoveredCell(
            stage=stage or None,
            intent=intent or None,
            persona=asker,
            prompts=cells[stage, intent, asker],
            proposed=more[stage, intent, asker],
        )
        for stage, intent, asker in sorted(cells | more)
    ]
