"""Prompts as buyers ask: worded by an engine or a person's assistant from what is there, or searched by engines; each
is checked. Never made of a template."""

from collections.abc import Callable
from uuid import UUID

from django.utils.translation import gettext
from pydantic import BaseModel, Field

from apikeys.accounts.caller import Caller
from apikeys.errors import ErrorCode, ServiceError, invalid
from apikeys.resources import Worded
from apikeys.text import clean_line
from brands.access import editable_brand
from brands.models import Brand
from visibility.content.opportunities import ground_of
from visibility.content.questions import Candidate, Material, Wishes, WrittenPrompts
from visibility.content.resources import GeneratedPrompt, GeneratedPrompts, RefusedPrompt, Writer
from visibility.models import Prompt
from visibility.models.prompts import LONGEST_PROMPT, LONGEST_TOPIC
from visibility.prompts.effects import effect_of_adding
from visibility.prompts.services import PromptDraft, add_prompts, prompt_quota, reword_prompt
from visibility.runs.engines import Reached
from visibility.runs.writing import write, writing_engine
from visibility.topics.reads import topic_of

MOST_COUNT = 50
NOTHING_NEW = (
    "No engine that writes is set up, and no search of engines reads like a question of a buyer. Ask an assistant "
    "with the prompt to copy; its answer is checked and added. Or add prompts of your own."
)
NOTHING_LEFT = "None of what was written passed the checks."
NOTHING_TO_WRITE_FROM = (
    "Nothing is known of what is sold: say it in the site's description, name topics, or audit the site first."
)


class WrittenWording(BaseModel):
    """One question in other words."""

    text: str = Field(min_length=5, max_length=LONGEST_PROMPT)


def prepare_prompts(
    caller: Caller, *, brand_id: UUID, wishes: Wishes, dry_run: bool
) -> Callable[[], GeneratedPrompts]:
    """Find questions of buyers that are no prompts yet; returns a function that adds them unless `dry_run`, and
    describes them. Not inside a transaction.

    Raises not_found, read_only_collaborator, quota_exceeded when it stores, upstream_unavailable.
    """
    brand = editable_brand(caller, brand_id)
    material = Material(ground_of(brand), wishes)
    reached, writer = writing_engine(), Writer(kind="none")
    refused: list[RefusedPrompt] = []
    if wishes.reply:
        found, refused = material.check(material.of_reply())
    elif reached is not None and material.task is not None:
        found, refused, writer = _written(reached, material)
    else:
        found, _ = material.check(material.of_searches())
    fresh = found[: wishes.count]
    why_none = None if fresh else NOTHING_LEFT if refused else NOTHING_NEW if material.task else NOTHING_TO_WRITE_FROM

    def store() -> GeneratedPrompts:
        drafts = [
            PromptDraft(each.text, each.topic, wishes.stage or "", "", wishes.persona, wishes.locale)
            for each in fresh
        ]
        effect = effect_of_adding(brand, len(drafts))
        ids: dict[str, UUID] = {}
        if not dry_run:
            added = add_prompts(caller, brand_id=brand_id, drafts=drafts)
            ids = {prompt.text: prompt.pk for prompt in added.prompts}
        return GeneratedPrompts(
            site_id=brand.pk,
            dry_run=dry_run,
            prompts=[
                GeneratedPrompt(id=ids.get(each.text), text=each.text, topic=each.topic, because=each.because)
                for each in fresh
            ],
            refused=refused,
            effect=effect,
            why_none=why_none,
            prompt_to_copy=material.task if why_none == NOTHING_NEW else None,
            quota=prompt_quota(brand),
            writer=writer,
        )

    return store


def prompt_to_copy(brand: Brand) -> Worded | None:
    """What to ask an assistant for first prompts; None where an engine writes, or nothing is known to write from."""
    return None if writing_engine() else Material(ground_of(brand), Wishes()).task


def wished_topic(caller: Caller, brand_id: UUID, given: str | None) -> str:
    """The name of the topic that is meant; of a brand without topics the given one, which will be its first."""
    if given is None:
        return ""
    if not editable_brand(caller, brand_id).topics.exists():
        return clean_line("topic", given, longest=LONGEST_TOPIC)
    topic = topic_of(caller, brand_id, given)
    if topic is None or topic.own is False:
        raise invalid("topic", gettext("Its people decided that this topic is not the site's own. Choose another."))
    return topic.name


def prepare_wording(caller: Caller, *, brand_id: UUID, prompt: Prompt, instruction: str) -> Callable[[], Prompt]:
    """Have an engine reword a prompt by an instruction; returns a function that stores it. Not inside a transaction.

    Raises not_found, read_only_collaborator, no_engine_configured, quota_exceeded, upstream_unavailable.
    """
    brand = editable_brand(caller, brand_id)
    reached = writing_engine()
    if reached is None:
        raise ServiceError(
            ErrorCode.NO_ENGINE_CONFIGURED,
            gettext(
                "No engine that writes is set up, so nobody can follow an instruction. Give the new text as wording."
            ),
        )
    task = (
        f"Word this question anew: {clean_line('instruction', instruction, longest=500)}\n"
        f"Keep its language and its need; one question, no list.\nThe question: {prompt.text}"
    )
    found, _ = write(reached, brand, task, WrittenWording, lambda written: None)
    return lambda: reword_prompt(caller, brand_id=brand_id, prompt_id=prompt.pk, text=found.text)


def _written(reached: Reached, material: Material) -> tuple[list[Candidate], list[RefusedPrompt], Writer]:
    """What the engine makes of what is there, checked; it is asked again where nothing passes."""
    because = f"worded by {reached.engine.name}"

    def refuse(written: WrittenPrompts) -> str | None:
        good, refused = material.check(material.candidates(written.prompts, because))
        return None if good else "; ".join(f"“{each.text[:100]}”: {each.reason}" for each in refused[:5]) or "empty"

    task = material.task
    found, written = write(reached, material.brand, task.marked if task else "", WrittenPrompts, refuse)
    good, refused = material.check(material.candidates(found.prompts, because))
    return good, refused, Writer(kind="engine", engine=written.engine, model=written.model[:100])
