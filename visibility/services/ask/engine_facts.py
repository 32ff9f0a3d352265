"""Facts about engines: those that the question names with all their figures, and how all of them stand."""

from collections.abc import Iterator, Mapping, Sequence

from visibility.models import EngineConfig
from visibility.services.ask.assistants import assistants_in
from visibility.services.ask.told import Asked, Told, interval, percent, unmeasured
from visibility.services.standing import standing
from visibility.standing_resources import EngineFigures
from visibility.writers.words import names_any


def facts_of_engines(asked: Asked) -> Iterator[Told]:
    """What each engine that is meant shows on its own day, or that it was not asked; then all of them."""
    report = standing(asked.caller, brand_id=asked.brand.pk)
    engines = report.subjects[0].engines if report.subjects else []
    if not engines:
        yield unmeasured(asked.brand, "engines")
        return
    spoken_of = assistants_in(asked.question)
    known = _assistants_of(engines)
    for each in engines:
        if names_any(asked.question, [each.engine]) or set(known[each.engine]) & set(spoken_of):
            yield Told(f"On {each.as_of} {_figures(each, asked.brand.name)}.")
    asked_of = ", ".join(each.engine for each in engines)
    for assistant in spoken_of:
        if not any(assistant in names for names in known.values()):
            yield Told(f"{assistant} was not asked on {report.as_of}: no figure here is about it. Asked: {asked_of}.")
    ranked = sorted(engines, key=lambda each: -1 if each.score.value is None else -each.score.value)
    listed = ", ".join(f"{each.engine} {percent(each.score.value)} on {each.as_of}" for each in ranked)
    yield Told(f"By engine, {asked.brand.name} was mentioned by: {listed}.")


def _assistants_of(engines: Sequence[EngineFigures]) -> Mapping[str, Sequence[str]]:
    """The assistants that each engine stands for, by its name and, where it is configured, its provider and model."""
    configured = EngineConfig.objects.filter(name__in=[each.engine for each in engines])
    asked = {
        name: f"{provider} {model}" for name, provider, model in configured.values_list("name", "provider", "model")
    }
    return {each.engine: assistants_in(f"{each.engine} {asked.get(each.engine, '')}") for each in engines}


def _figures(engine: EngineFigures, brand: str) -> str:
    if engine.score.value is None:
        return f"{engine.engine} answered too few of its prompts for a score"
    share, prominence, cited = engine.share_of_voice, engine.prominence, engine.citation_rate
    return (
        f"{engine.engine} mentioned {brand} in {percent(engine.score.value)} of its answers{interval(engine.score)}; "
        f"there its share of voice was {percent(share.value)}, its prominence {percent(prominence.value)}, and its "
        f"citation rate {percent(cited.value)}"
    )
