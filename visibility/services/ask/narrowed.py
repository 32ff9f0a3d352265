"""Of what the tools list, that which a question is about: by the competitors, engines and prompts it names. Pure."""

from collections.abc import Iterable, Sequence

from visibility.resources.gaps import CompetitorGap
from visibility.resources.prompts import PromptItem
from visibility.resources.recommendations import RecommendationResource
from visibility.resources.writing import Opportunity
from visibility.services.ask.about import About
from visibility.writers.words import names_any


def scope_of(about: About, *, rivals: bool = True) -> str:
    """What a list is narrowed to, in words: " by chatgpt, on “tv”"; empty where to nothing."""
    parts = [f"by {', '.join(about.engines)}"] if about.engines else []
    parts += [f"on {about.narrowing.label}"] if about.narrowing else []
    parts += [f"about {', '.join(rival.name for rival in about.rivals)}"] if about.rivals and rivals else []
    return f" {', '.join(parts)}" if parts else ""


def count_of(meant: int, every: int, whose: str, what: str) -> str:
    """How many of a brand's things are meant: "3 of Acme's 17 drafts are", "None of Acme's 17 drafts is"."""
    return f"{meant or 'None'} of {whose}'s {every} {what} {'is' if meant < 2 else 'are'}"


def gaps_meant(about: About, gaps: Iterable[CompetitorGap]) -> list[CompetitorGap]:
    """The gaps that are meant, those that most answers of the engines that are meant show first."""
    rivals = {rival.pk for rival in about.rivals}
    return [
        gap
        for gap in gaps
        if (about.narrowing is None or gap.prompt in about.narrowing.prompts)
        and (not rivals or any(rival.id in rivals for rival in gap.competitors))
        and (not about.engines or any(row.engine in about.engines and row.gaps for row in gap.engines))
    ]


def recommendations_meant(about: About, queue: Sequence[RecommendationResource]) -> list[RecommendationResource]:
    """The recommendations whose evidence is of the engines and prompts that are meant, and that name who is meant."""
    return [
        item
        for item in queue
        if (
            about.narrowing is None
            or any(evidence.prompt_id in about.narrowing.prompts for evidence in item.evidence)
        )
        and (not about.engines or any(evidence.engine in about.engines for evidence in item.evidence))
        and _names_rivals(about, f"{item.title} {item.summary}")
    ]


def opportunities_meant(about: About, opportunities: Iterable[Opportunity]) -> list[Opportunity]:
    """The opportunities that rest on the prompts and engines that are meant, and that name who is meant."""
    return [
        item
        for item in opportunities
        if (
            about.narrowing is None
            or any(question.prompt_id in about.narrowing.prompts for question in item.questions)
        )
        and (not about.engines or any(row.engine in about.engines for row in item.engines))
        and _names_rivals(about, " ".join(item.competitors))
    ]


def prompts_meant(about: About, prompts: Iterable[PromptItem]) -> list[tuple[PromptItem, int, int]]:
    """The prompts that are meant, each with the answers that name the brand, and all, of the engines meant."""
    answered_prompts = []
    for item in prompts:
        rows = [row for row in item.engines if not about.engines or row.engine in about.engines]
        answers = sum(row.answers for row in rows)
        if answers and (about.narrowing is None or item.id in about.narrowing.prompts):
            answered_prompts.append((item, sum(row.named for row in rows), answers))
    return answered_prompts


def _names_rivals(about: About, text: str) -> bool:
    return not about.rivals or any(names_any(text, [rival.name]) for rival in about.rivals)
