"""Finds the one name behind a maker's products: "Brooklyn Bedding" of its mattresses."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from visibility.detection.rivals.suggesting import name_key

MOSTLY = 0.8
"""The part of a maker's answers that has to agree on the next word of its name."""
COMMON = 3
"""What stands behind so many first words is a word of the trade: "Toothbrush", "Pro"."""

Counted = Mapping[str, int]
"""In how many answers each name stands."""


def common_words(names: Mapping[str, Counted]) -> frozenset[str]:
    """The keys of the words that the names of several makers share; `names` by the key of their first word."""
    makers: dict[str, set[str]] = defaultdict(set)
    for lead, counted in names.items():
        for name in counted:
            for word in name.split()[1:]:
                makers[name_key(word)].add(lead)
    return frozenset(word for word, leads in makers.items() if len(leads) >= COMMON)


def common_name(counted: Counted, common: Iterable[str] = ()) -> str:
    """The longest beginning that most of the names share, in its most frequent spelling, without `common` words at
    its end."""
    total, trade = sum(counted.values()), frozenset(common)
    beginnings: Counter[tuple[str, ...]] = Counter()
    for name, count in counted.items():
        keys = tuple(map(name_key, name.split()))
        for length in range(1, len(keys) + 1):
            beginnings[keys[:length]] += count
    agreed = max(
        (keys for keys, count in beginnings.items() if count >= MOSTLY * total),
        key=lambda keys: (len(keys), beginnings[keys], keys),
        default=(),
    )
    length = max(len(agreed), 1)
    while length > 1 and agreed[length - 1] in trade:
        length -= 1
    spellings: Counter[str] = Counter()
    for name, count in counted.items():
        words = name.split()
        if tuple(map(name_key, words[:length])) == agreed[:length] or not agreed:
            spellings[" ".join(words[:length])] += count
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
