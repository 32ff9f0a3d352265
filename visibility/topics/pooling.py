"""Topics for wordings that came without: those that share their distinctive words are one topic."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from visibility.detection import is_function_word
from visibility.models.prompts import LONGEST_TOPIC

FARTHEST = 0.7
"""How far, as cosine, wordings of one topic may lie apart on average. Set on 17 topics of real answers, where 67 of
68 wordings come to their topic; of 8 others, with two pairs of neighbours such as nonstick pans and cookware, 28 of
32."""
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_PLURAL = re.compile(r"(?<=ch|sh|ss)es\Z|(?<=x)es\Z|(?<=\w\w)(?<![su])s\Z")


def pool(wordings: Sequence[str]) -> list[list[str]]:
    """The wordings by topic. A word weighs by how few wordings have it, so that "what's the best" weighs nothing.

    Average linkage of cosine distances (Sokal and Michener 1958) with the inverse document frequency (Spärck Jones
    1972) as weight.
    """
    if len(wordings) < 2:
        return [[wording] for wording in wordings]
    words = [stems(wording) for wording in wordings]
    holders = Counter(word for each in words for word in each)
    place = {word: number for number, word in enumerate(holders)}
    weights = np.full((len(wordings), len(holders) + 1), 1e-9)  # of nothing, no cosine could be reckoned
    for row, each in enumerate(words):
        for word in each:
            weights[row, place[word]] += math.log(len(wordings) / holders[word])
    numbers = fcluster(linkage(weights, "average", metric="cosine"), FARTHEST, "distance")
    topics: dict[int, list[str]] = defaultdict(list)
    for wording, number in zip(wordings, numbers.tolist(), strict=True):
        topics[number].append(wording)
    return list(topics.values())


def assign(wordings: Sequence[str], topics: Sequence[str]) -> dict[str, str]:
    """The topic of each wording: of these the one whose words it has most of, rare words first; a single one is that
    of all. What fits none is pooled, and the shortest wording of a pool names it; what is alone there has none."""
    if len(topics) == 1:
        return dict.fromkeys(wordings, topics[0])
    words = {topic: frozenset(word for word in stems(topic) if not is_function_word(word)) for topic in topics}
    holders = Counter(word for each in words.values() for word in each)
    assigned: dict[str, str] = {}
    for wording in wordings:
        said = stems(wording)
        weights = {topic: sum(1 / holders[word] for word in each & said) for topic, each in words.items()}
        best = max(weights, key=lambda topic: weights[topic], default="")
        if best and weights[best] > 0:
            assigned[wording] = best
    for texts in pool([wording for wording in dict.fromkeys(wordings) if wording not in assigned]):
        if len(texts) > 1:
            assigned |= dict.fromkeys(texts, min(texts, key=len)[:LONGEST_TOPIC])
    return assigned


def stems(text: str) -> frozenset[str]:
    """The words of a text in small letters, without the s of a plural."""
    return frozenset(map(stem, _WORD.findall(text)))


def stem(word: str) -> str:
    """A word in small letters, without the s of a plural."""
    return _PLURAL.sub("", word.lower())
