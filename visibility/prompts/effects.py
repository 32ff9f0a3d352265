"""What a change of prompts means: for the next scan, its credits, the trend, and the answers that are there."""

from django.utils.translation import gettext, gettext_noop, ngettext

from apikeys.errors import ServiceError
from brands.models import Brand
from visibility.models import Prompt
from visibility.prompts.resources import PromptEffect
from visibility.runs.services import plan_engines

COMPARABLE = gettext_noop(
    "The trend goes on: days are compared by the prompts that both have; new ones count from their first scan."
)
NOTHING_CHANGES = "Nothing changes: it is so already."


def effect_of_adding(brand: Brand, added: int) -> PromptEffect:
    """What so many prompts more mean."""
    active = Prompt.objects.filter(brand=brand).active().count()
    answers = "Answers so far stay as they are, and so do figures until the new prompts are asked."
    return _effect(brand, active, active + added, answers, f"It asks {added} prompts more.")


def effect_of_change(before: Prompt, after: Prompt) -> PromptEffect:
    """What it means that a prompt was reworded or archived; `after` is stored."""
    active = Prompt.objects.filter(brand=after.brand_id).active().count()
    if before.archived_at is None and after.archived_at is not None:
        answers = "Answers so far stay readable. Figures of now count them no more, those of past days still do."
        return _effect(after.brand, active + 1, active, answers, "It asks this prompt no more.")
    if before.version == after.version:
        return _effect(after.brand, active, active, NOTHING_CHANGES, NOTHING_CHANGES)
    answers = "Answers so far stay with the wording they are to; figures count them until the new one is asked."
    then = "It asks the new wording alone; from then on figures of now count its answers."
    return _effect(after.brand, active, active, answers, then)


def _effect(brand: Brand, before: int, after: int, answers: str, next_scan: str) -> PromptEffect:
    try:
        samples = sum(number for _, number in plan_engines(brand))
    except ServiceError:
        samples = None
    return PromptEffect(
        prompts_before=before,
        prompts_after=after,
        credits_before=None if samples is None else samples * before,
        credits_after=None if samples is None else samples * after,
        comparability=COMPARABLE,
        answers=answers,
        next_scan=next_scan,
    )


def effect_words(effect: PromptEffect) -> str:
    """What prompts more cost a scan, or prompts fewer save."""
    number = abs(effect.prompts_after - effect.prompts_before)
    if effect.credits_before is None or effect.credits_after is None or not number:
        return gettext("What it costs is known once an AI engine is set up.")
    each = abs(effect.credits_after - effect.credits_before) // number
    words = ngettext(
        "Each saves {number} answer a scan ({number} credit).",
        "Each saves {number} answers a scan ({number} credits).",
        each,
    )
    if effect.prompts_after > effect.prompts_before:
        words = ngettext(
            "Each adds {number} answer a scan ({number} credit).",
            "Each adds {number} answers a scan ({number} credits).",
            each,
        )
    return words.format(number=each)
