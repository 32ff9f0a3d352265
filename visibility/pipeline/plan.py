"""What a scan asks: every active prompt of every engine, several times."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from django.db.models import F

from apikeys.errors import invalid
from brands.models import Brand
from visibility.engines.protocol import Engine
from visibility.engines.surfaces import surface_of
from visibility.models import Answer, Prompt, PromptVersion, Run
from visibility.pipeline.surfaces import part_imports

BATCH = 500


def current_wordings(brand: Brand) -> list[PromptVersion]:
    """The current wording of each active prompt, in the order in which they are asked."""
    active = Prompt.objects.filter(brand=brand).active()
    current = PromptVersion.objects.filter(prompt__in=active, number=F("prompt__version"))
    return list(current.order_by(*(f"prompt__{name}" for name in Prompt._meta.ordering or ())))


def samples_of_scan(brand: Brand, engines: Sequence[Engine]) -> dict[str, int]:
    """How often a scan of the brand asks each of these engines one wording, by its name."""
    return samples_of(engines, chosen_samples(brand))


def samples_of(engines: Sequence[Engine], samples: int) -> dict[str, int]:
    """How often each engine is asked one wording."""
    return {engine.name: min(samples, engine.max_samples or samples) for engine in engines}


def chosen_samples(brand: Brand, samples: int | None = None) -> int:
    """How often each wording is asked: as often as was wished for, else as the brand says, as far as the plan of its
    owner allows. Raises invalid_arguments."""
    most = brand.owner.limit("max_samples")
    if samples is None:
        return min(brand.samples, most)
    if not 1 <= samples <= most:
        raise invalid("samples", f"The account of the brand's owner allows 1 to {most} samples for each prompt.")
    return samples


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
