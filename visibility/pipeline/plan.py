"""What a scan asks: every active prompt of every engine, several times."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from django.db.models import F

from brands.models import Brand
from visibility.engines.surfaces import surface_of
from visibility.models import Answer, Prompt, PromptVersion, Run
from visibility.pipeline.surfaces import part_imports

BATCH = 500


def current_wordings(brand: Brand) -> list[PromptVersion]:
    """The current wording of each active prompt, in the order in which they are asked."""
    active = Prompt.objects.filter(brand=brand).active()
    current = PromptVersion.objects.filter(prompt__in=active, number=F("prompt__version"))
    return list(current.order_by(*(f"prompt__{name}" for name in Prompt._meta.ordering or ())))


def plan_answers(run: Run, wordings: Sequence[PromptVersion], samples: Mapping[str, int]) -> None:
    """Store one pending answer for each wording, engine and sample of the run; `samples` by engine.

    Rounds follow each other: all wordings are asked once before any is asked again, so that no prompt's samples
    go back to back. Imports of an engine that is called so are another engine from now on.
    """
    part_imports(run.brand_id, samples)
    Answer.objects.bulk_create(_rows(run, wordings, samples), batch_size=BATCH)


def _rows(run: Run, wordings: Sequence[PromptVersion], samples: Mapping[str, int]) -> Iterator[Answer]:
    rounds = range(1, max(samples.values(), default=0) + 1)
    order = (slot for slot in product(rounds, wordings, samples) if slot[0] <= samples[slot[2]])
    for position, (sample, version, engine) in enumerate(order):
        yield Answer(
            run=run,
            brand_id=run.brand_id,
            prompt_id=version.prompt_id,
            version=version,
            engine=engine,
            surface=surface_of(engine, None).value,
            sample=sample,
            position=position,
        )
