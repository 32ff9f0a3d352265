"""What a prompt would cost of providers that nobody has set up yet: by a price list, for an assumed answer."""

from collections.abc import Sequence
from importlib.metadata import version

from django.utils import timezone

from apikeys.errors import ErrorCode, ServiceError
from brands.models import Brand
from visibility.engines import PRESETS, EngineSettings, Usage, make_bill
from visibility.models import Prompt, Surface
from visibility.runs.engines import engines_of
from visibility.runs.resources import WhatIf
from visibility.runs.services import samples_of

EXAMPLES = {
    "openai": "gpt-5-mini",
    "gemini": "gemini-3.5-flash",
    "anthropic": "claude-sonnet-4-5",
    "deepseek": "deepseek-v4-flash",
}
"""A model by preset, of those that search and whose searches the list prices."""
ASSUMED = Usage(input_tokens=10_000, output_tokens=1_000, searches=1)
"""Of one answer: what it reads of the pages that it found, and what it writes."""


def what_if(brand: Brand) -> list[WhatIf]:
    """What one answer, and a scan of the brand's active prompts, would cost of each provider, the cheapest first;
    nothing where the brand has an AI engine that can be asked."""
    if any(each.surface != Surface.PAGES for each in engines_of(brand)):
        return []
    now, prices = timezone.now(), f"genai-prices {version('genai-prices')}"
    answers = Prompt.objects.filter(brand=brand).active().count() * samples_of(brand)
    found = []
    for name, model in EXAMPLES.items():
        preset, settings = PRESETS[name], EngineSettings(name=name, preset=name, model=model)
        cost = make_bill(settings, preset.pricing, model, [ASSUMED], at=now).cost
        if cost is not None:
            found.append(
                WhatIf(
                    provider=preset.label,
                    model=model,
                    answer_cost=round(float(cost), 4),
                    scan_cost=round(float(cost * answers), 2),
                    as_of=now.date(),
                    price_list=prices,
                )
            )
    return sorted(found, key=lambda each: each.answer_cost)


def what_if_words(found: Sequence[WhatIf]) -> str:
    """These prices as a sentence that says what they rest on; empty without any."""
    if not found:
        return ""
    costs = [f"{row.provider} {row.model} ${row.answer_cost:.3f}, a scan ${row.scan_cost:.2f}" for row in found]
    read, written = ASSUMED.input_tokens, ASSUMED.output_tokens
    of = f"an answer of {read:,} tokens read, {written:,} written and {ASSUMED.searches} search"
    by = f"{found[0].price_list} on {found[0].as_of}"
    return f"What if an AI engine were set up: {of} would cost, by {by}: {'; '.join(costs)}."


def with_what_if(refusal: ServiceError, brand: Brand) -> ServiceError:
    """A refusal for want of an engine with what one would cost; any other as it is."""
    if refusal.code != ErrorCode.NO_ENGINE_CONFIGURED:
        return refusal
    found = what_if(brand)
    rows = [each.model_dump(mode="json", by_alias=True) for each in found]
    return ServiceError(refusal.code, f"{refusal.message} {what_if_words(found)}", **refusal.details, whatIf=rows)
