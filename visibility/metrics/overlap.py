"""How alike the lists of brands are that an engine names when the same question is asked again."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from statistics import fmean

PERSISTENCE = 0.9
"""p of rank-biased overlap: the first ten places carry 86 % of the weight (Webber, Moffat and Zobel 2010)."""


@dataclass(frozen=True, slots=True)
class Stability:
    """All in 0–1, None where nothing tells. `jaccard` looks at which brands are named, `rbo` at their order too;
    `again` is the probability that another answer to the prompt names the subject when one does. `repeated` is the
    number of prompts with more than one answer."""

    jaccard: float | None
    rbo: float | None
    again: float | None
    repeated: int


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
    prefix_sum = sum(agreement * p**depth for depth, agreement in enumerate(agreements, 1))
    beyond = (overlaps[-1] - at_short) / len(long) + at_short / size
    return min(1.0, (1 - p) / p * prefix_sum + beyond * p ** len(long))


_Lists = Sequence[Sequence[Sequence[str]]]
"""The brand lists of each prompt's answers."""


def stability(prompts: _Lists, subjects: Iterable[str], ordered: _Lists | None = None) -> dict[str, Stability]:
    """Of each subject, from the brand lists of each prompt's repeated answers on one engine, by rank.

    Jaccard and RBO are the mean over pairs of a prompt's answers, and then over prompts, so that prompts count
    alike. Pairs that name no brand at all agree on nothing and are left out. `again`: each answer that names the
    subject asks the prompt's other answers; the mean share of them that name it too. Prompts with a single answer
    say nothing. Neither the order of prompts nor that of answers matters. `ordered` are those lists whose order can
    be told, where not all can: RBO is of them alone.
    """
    repeated = [answers for answers in prompts if len(answers) > 1]
    alike = _mean_agreement(repeated, jaccard)
    in_order = _mean_agreement(repeated if ordered is None else ordered, rank_biased_overlap)
    return {
        subject: Stability(
            alike,
            in_order,
            _again([[subject in answer for answer in answers] for answers in repeated]),
            len(repeated),
        )
        for subject in subjects
    }


_Likeness = Callable[[Sequence[str], Sequence[str]], float]


def _mean_agreement(prompts: _Lists, likeness: _Likeness) -> float | None:
    agreements = [_agreement(answers, likeness) for answers in prompts]
    known = sorted(agreement for agreement in agreements if agreement is not None)
    return fmean(known) if known else None


def _agreement(answers: Sequence[Sequence[str]], likeness: _Likeness) -> float | None:
    """The mean likeness of a prompt's pairs; equal lists are compared once, however often they came."""
    lists = sorted(Counter(map(tuple, answers)).items())
    named = [(names, count) for names, count in lists if names]
    same = fsum(count * (count - 1) / 2 for _, count in named)
    pairs = [(one, other, n * m) for (one, n), (other, m) in combinations(lists, 2)]
    total = same + fsum(count for _, _, count in pairs)
    if not total:
        return None
    return (same + fsum(count * likeness(one, other) for one, other, count in pairs)) / total


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


def _again(repeated: Sequence[Sequence[bool]]) -> float | None:
    mentions = sum(sum(answers) for answers in repeated)
    if not mentions:
        return None
    return fsum(sum(answers) * (sum(answers) - 1) / (len(answers) - 1) for answers in repeated) / mentions
