"""Finds the companies behind the names of products: "Brooklyn Bedding" of its mattresses, "Apple" of an iPhone SE.

Names are grouped by the key of their first word, which the products of one maker share.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

from visibility.detection.rivals.suggesting import is_plain, name_key

MOSTLY = 0.8
"""The part of a maker's answers that has to agree on the next word of its name."""
COMMON = 3
"""What stands behind so many first words is a word of the trade: "Toothbrush", "Pro"."""
OWNED = 0.15
"""In this part of the answers that offer a name, its maker's name has to stand before it somewhere."""
_JOINING = frozenset(("&", "+", "and", "of", "the", "de", "la"))
"""Behind these a name goes on: "Tuft & Needle"."""

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


def makers_of(names: Mapping[str, Counted], answers: Counted) -> dict[str, str]:
    """By the first word of a model, the one of its maker, where answers tell it: "iphone" is apple's where enough of
    them say "Apple iPhone". `answers` is in how many answers each first word leads a name. Two ways of writing a name
    are one maker, too: "Audio Technica" and "Audio-Technica"."""
    behind: dict[str, Counter[str]] = defaultdict(Counter)
    makers: dict[str, str] = {}
    for lead, counted in names.items():
        for name, count in counted.items():
            words = [name_key(word) for word in name.split()]
            if len(words) > 1 and words[1] in names and words[1] != lead:
                behind[words[1]][lead] += count
            if len(words) > 1 and (joined := words[0] + words[1]) in names and joined != lead:
                makers[lead] = joined
    for model, counts in behind.items():
        maker = max(counts, key=lambda lead: (counts[lead], lead))
        if counts[maker] >= OWNED * answers[model]:
            makers.setdefault(model, maker)
    return {model: _last(maker, makers) for model, maker in makers.items()}


def _last(maker: str, makers: Mapping[str, str]) -> str:
    """The maker at the end of the chain, which never turns back on itself."""
    seen = {maker}
    while (above := makers.get(maker)) is not None and above not in seen:
        maker = above
        seen.add(maker)
    return maker


def company_name(counted: Counted, common: Iterable[str] = (), domains: Collection[str] = ()) -> str:
    """The company behind these names of one first word, in its most frequent spelling.

    It is the beginning that most of the names share, without `common` words at its end, and as short as it may be:
    the first word alone where that is more than a word of the language ("Adidas", of an Adidas Adizero), or where a
    cited domain is called so; else two ("New Balance", of its FuelCell). `domains` has what cited domains are called.
    """
    agreed = _agreed(counted, frozenset(common))
    length = _length(agreed, counted, frozenset(domains))
    spellings: Counter[str] = Counter()
    for name, count in counted.items():
        words = name.split()
        if tuple(map(name_key, words[:length])) == agreed[:length] or not agreed:
            spellings[" ".join(words[:length])] += count
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling))


def _agreed(counted: Counted, trade: frozenset[str]) -> tuple[str, ...]:
    """The keys of the words that most of the names begin with."""
    total = sum(counted.values())
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
    while len(agreed) > 1 and (agreed[-1] in trade or not agreed[-1]):
        agreed = agreed[:-1]
    return agreed


def _length(agreed: tuple[str, ...], counted: Counted, domains: frozenset[str]) -> int:
    """How many of the words that the names agree on are the company's."""
    if len(agreed) < 2:
        return 1
    words = max(counted, key=lambda name: (counted[name], name)).split()
    if words[1].lower() in _JOINING and len(agreed) > 2:
        return 3
    if agreed[0] + agreed[1] in domains:
        return 2
    seconds = {keys[1] for name in counted if len(keys := [name_key(word) for word in name.split()]) > 1}
    if agreed[0] in domains or not is_plain(words[0]) or len(seconds) > 1:
        return 1
    return 2
