"""How alike the lists of brands are that an engine names when the same question is asked again."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

PERSISTENCE = 0.9
"""p of rank-biased overlap: the first ten places carry 86 % of the weight (Webber, Moffat and Zobel 2010)."""


@dataclass(frozen=True, slots=True)
class Stability:
    """All in 0–1, None where nothing tells. `jaccard` looks at which brands are named, `rbo` at their order too;
    `again` is the probability that another answer to the prompt names the subject when one does."""

    jaccard: float | None
    rbo: float | None
    again: float | None


def jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """The brands in both lists ÷ the brands in either; 1 for two empty lists."""
    one, other = set(first), set(second)
    return len(one & other) / len(one | other) if one or other else 1.0


def rank_biased_overlap(first: Sequence[str], second: Sequence[str], p: float = PERSISTENCE) -> float:
    """RBO of two rankings, extrapolated to endless ones (Webber, Moffat and Zobel 2010, equation 32).

    Lists of unequal length are allowed. A name counts where it stands first; 1 for two empty lists, 0 where one
    is empty. `p` lies between 0 and 1, both excluded.
    """
    short, long = sorted((list(dict.fromkeys(first)), list(dict.fromkeys(second))), key=len)
    if not short:
        return 0.0 if long else 1.0
    overlaps = _overlaps(short, long)
    size, at_short = len(short), overlaps[len(short) - 1]
    agreements = [
        (overlap + at_short * max(0, depth - size) / size) / depth for depth, overlap in enumerate(overlaps, 1)
    ]
    seen = sum(agreement * p**depth for depth, agreement in enumerate(agreements, 1))
    beyond = (overlaps[-1] - at_short) / len(long) + at_short / size
    return min(1.0, (1 - p) / p * seen + beyond * p ** len(long))


def stability(prompts: Sequence[Sequence[Sequence[str]]], subject: str) -> Stability:
    """From the brand lists of each prompt's repeated answers on one engine, by rank.

    Jaccard and RBO are the mean over pairs of a prompt's answers, and then over prompts, so that prompts count
    alike. Pairs that name no brand at all agree on nothing and are left out. `again`: each answer that names the
    subject asks the prompt's other answers; the mean share of them that name it too. Prompts with a single answer
    say nothing. Neither the order of prompts nor that of answers matters.
    """
    pairs = [[pair for pair in combinations(answers, 2) if any(pair)] for answers in prompts]
    told = [of_prompt for of_prompt in pairs if of_prompt]
    return Stability(
        fmean(sorted(fmean(sorted(jaccard(*pair) for pair in of_prompt)) for of_prompt in told)) if told else None,
        fmean(sorted(fmean(sorted(rank_biased_overlap(*pair) for pair in of_prompt)) for of_prompt in told))
        if told
        else None,
        _again([[subject in answer for answer in answers] for answers in prompts]),
    )


def _overlaps(short: Sequence[str], long: Sequence[str]) -> list[int]:
    """How many names the two lists share down to each depth of the longer one."""
    seen_short: set[str] = set()
    seen_long: set[str] = set()
    shared, overlaps = 0, []
    for depth, name in enumerate(long):
        seen_long.add(name)
        shared += name in seen_short
        if depth < len(short):
            seen_short.add(short[depth])
            shared += short[depth] in seen_long
        overlaps.append(shared)
    return overlaps


def _again(prompts: Sequence[Sequence[bool]]) -> float | None:
    repeated = [answers for answers in prompts if len(answers) > 1]
    mentions = sum(sum(answers) for answers in repeated)
    if not mentions:
        return None
    return sum(sum(answers) * (sum(answers) - 1) / (len(answers) - 1) for answers in repeated) / mentions
