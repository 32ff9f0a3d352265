"""The questions of a comparison: the brand and one rival, side by side."""

from collections.abc import Sequence

from apikeys.caller import Caller
from apikeys.text.language_files import DEFAULT_LANGUAGE
from brands.models import Brand, Competitor
from visibility.detection.names.ambiguity import flag_ambiguous
from visibility.models import Intent, Prompt, PromptVersion, Purpose, Stage
from visibility.models.prompts import MAX_TOPIC
from visibility.services.prompts.editing import prompt_digest
from visibility.writers.languages.language import LANGUAGES, language_of

QUESTIONS_FOR_EACH = 2 * len(LANGUAGES[DEFAULT_LANGUAGE].prompts.comparisons)
"""How many questions a comparison with one rival has."""


def questions_against(
    caller: Caller, *, brand: Brand, rivals: Sequence[Competitor], locale: str
) -> list[PromptVersion]:
    """The wordings that put the held brand against each rival, stored where they are new.

    English where the language of `locale` has none. A name that also means something else is told by its domain.
    """
    language = language_of(locale)
    if language not in LANGUAGES:
        language, locale = DEFAULT_LANGUAGE, ""
    prompt_by_digest = {
        prompt_digest(text, locale, str(rival.pk)): _question(brand, rival, text, locale)
        for rival in rivals
        for text in _texts(brand, rival, language)
    }
    stored_prompts = Prompt.objects.filter(brand=brand, purpose=Purpose.COMPARISON, digest__in=prompt_by_digest)
    known = set(stored_prompts.values_list("digest", flat=True))
    created = [prompt for digest, prompt in prompt_by_digest.items() if digest not in known]
    Prompt.objects.bulk_create(created)
    PromptVersion.objects.bulk_create(
        PromptVersion(prompt=prompt, number=1, text=prompt.text, locale=locale, created_by=caller.actor)
        for prompt in created
    )
    versions = PromptVersion.objects.select_related("prompt").filter(prompt__in=stored_prompts.all())
    place = {digest: index for index, digest in enumerate(prompt_by_digest)}
    return sorted(versions, key=lambda version: place[version.prompt.digest])


def _texts(brand: Brand, rival: Competitor, language: str) -> list[str]:
    own_name, rival_name = _called(brand), _called(rival)
    return [
        text.format(first=first, second=second)
        for text in LANGUAGES[language].prompts.comparisons
        for first, second in ((own_name, rival_name), (rival_name, own_name))
    ]


def _called(subject: Brand | Competitor) -> str:
    return f"{subject.name} ({subject.domain})" if flag_ambiguous(subject.name) else subject.name


def _question(brand: Brand, rival: Competitor, text: str, locale: str) -> Prompt:
    return Prompt(
        brand=brand,
        purpose=Purpose.COMPARISON,
        rival=rival,
        text=text,
        topic=rival.name[:MAX_TOPIC],
        stage=Stage.DECISION,
        intent=Intent.COMPARISON,
        locale=locale,
        digest=prompt_digest(text, locale, str(rival.pk)),
    )
