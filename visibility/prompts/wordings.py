"""The wordings that counted answers are to."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from visibility.models import Prompt, PromptVersion


def older_wordings(prompts: Iterable[Prompt], asked: Mapping[UUID, int | None]) -> dict[UUID, str]:
    """By prompt the wording with the number that was `asked` (None: no answer), where it is not the one of now."""
    older = {prompt.pk for prompt in prompts if asked[prompt.pk] not in (None, prompt.version)}
    if not older:
        return {}
    rows = PromptVersion.objects.filter(prompt__in=older).values_list("prompt", "number", "text")
    return {prompt: text for prompt, number, text in rows if number == asked[prompt]}
