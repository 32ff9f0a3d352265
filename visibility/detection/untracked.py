"""Names that an answer offers and that are not tracked yet, and the makers behind them: "Apple" of an iPhone SE.

They come from the same entries as ranks do. Capitals and the evidence of the answer decide what is a name, so this
errs: the results are suggestions to people, and what the service watches.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from visibility.detection.addresses import host_of, registrable_domain
from visibility.detection.entries import Entry
from visibility.detection.name_checks import NameChecks
from visibility.detection.naming import Shape, shapes_of
from visibility.detection.titles import is_offer
from visibility.detection.types import UntrackedName
from visibility.detection.visible import Span, Visible
from visibility.detection.words import is_function_word, is_plain, word_set

MOST = 40
"""Names of one answer: one that lists more recommends nothing."""
_LONGEST = 60
_MOST_WORDS = 8
_MOST_PLAIN = 5
"""Words of a name that has only words of the language, "Nectar Classic Memory Foam"; longer ones are descriptions."""
_AGREED = 0.8
"""The part of a maker's names that has to agree on the next word of its own."""
_SHARED_BY = 3
"""A word behind the first words of so many makers is one of the trade: "Toothbrush", "Pro"."""
_OWNED = 0.15
"""In this part of a product's names its maker has to be written before it."""
_ARTICLE = 2
"""Letters of a first word that is an article where only the first is a capital: "Le", "La", unlike "LG"."""
_JOINING = word_set("& + and of the de la")
_BEFORE = word_set("the a an our your my restored refurbished renewed used certified men's women's kids'")
_BEHIND = word_set("for with by from vs or and in on at to is are has")
_ENDING = re.compile(r"(?<=\w)\.(?:com|io|ai|co|app|org|net|so|dev)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?")
_MODEL = re.compile(r"[A-Z]{1,5}-?\d|[(\[–—|~$]|-\Z")
_SIGNS = "*_'’\",.:;"


@dataclass(frozen=True, slots=True)
class Maker:
    """The company behind names of several answers; `names` are those of its products, the most frequent first."""

    name: str
    domain: str
    answers: int
    names: Sequence[str]


def untracked_names(
    seen: Visible, entries: Iterable[Entry], tracked: Sequence[Span], addresses: Iterable[str]
) -> list[UntrackedName]:
    """The names that lead entries without a tracked name, each once, by place.

    `tracked` are the places of tracked names in the visible text, `addresses` the pages that the answer cites.
    """
    domains, checks, shapes = _domains_by_name(addresses), NameChecks(seen), shapes_of(seen.text)
    certain: Counter[int] = Counter()  # by list: what is a name by itself
    every: Counter[int] = Counter()
    found: dict[str, tuple[Span, str, str, int, bool]] = {}
    for number, (start, end) in _by_list(entries, checks, is_one=shapes.is_english):
        if any(first < end and start < last for first, last in tracked):
            certain[number] += 1
            every[number] += 1
        elif (place := _name_at(seen.text, start, end)) and not checks.is_cut(*place):
            name = seen.text[slice(*place)].strip(_SIGNS)
            if name_key(name) in found or checks.is_heading(start) or checks.is_quantity(name):
                continue
            domain = next((domains[key] for key in _beginnings(name) if domains.get(key)), "")
            if shapes.is_english:
                is_certain = not is_plain(name)
            else:
                shape = shapes.of(name)
                is_certain = shape is Shape.NAME or bool(domain) or (bool(shape) and checks.stands_out(name))
            found[name_key(name)] = place, name, domain, number, is_certain
            certain[number] += is_certain
            every[number] += 1
    names = list[UntrackedName]()
    for place, name, domain, number, is_certain in found.values():
        # Words of the language are names only among names: "Notion" between Trello and Asana.
        is_among_names = certain[number] >= 2 and 2 * certain[number] >= every[number]
        may_be_name = len(name.split()) <= _MOST_PLAIN and not is_offer(name) and not checks.is_also_a_word(name)
        may_be_name = may_be_name and (shapes.is_english or shapes.of(name) is not Shape.WORDS)
        if is_certain or (is_among_names and may_be_name):
            names.append(UntrackedName(name, *seen.raw_span(*place), domain))
    return sorted(names, key=lambda each: each.start)[:MOST]


def _by_list(entries: Iterable[Entry], checks: NameChecks, *, is_one: bool) -> Iterator[tuple[int, Span]]:
    """The places of names, each with the number of its list, or as one list: the words of English are known."""
    for entry in entries:
        if entry.rule != "card":
            for place in entry.names:
                yield (-1 if is_one else checks.list_of(place[0])), place


def makers(answers: Iterable[Sequence[UntrackedName]]) -> list[Maker]:
    """The companies behind the names of these answers, those in most answers first."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    domains: dict[str, str] = {}
    answers_with: dict[str, set[int]] = defaultdict(set)
    for number, found in enumerate(answers):
        for each in found:
            lead = name_key(each.name.split()[0])
            names[lead][each.name] += 1
            answers_with[lead].add(number)
            if each.domain:
                domains.setdefault(lead, each.domain)
    trade = _trade_words(names)
    owner = _owners(names)
    merged: dict[str, list[str]] = defaultdict(list)
    for lead in names:
        merged[owner.get(lead, lead)].append(lead)
    found_makers = []
    for lead, leads in merged.items():
        of_maker: Counter[str] = Counter()
        for each_lead in leads:
            of_maker.update(names[each_lead])
        domain = next((domains[each] for each in (lead, *sorted(leads)) if each in domains), "")
        number = len(set().union(*(answers_with[each] for each in leads)))
        listed = [name for name, _ in of_maker.most_common()]
        found_makers.append(Maker(_company(names[lead], trade, domain), domain, number, listed))
    return sorted(found_makers, key=lambda maker: (-maker.answers, maker.name))


def name_key(name: str) -> str:
    """The same key for all spellings of a name: letters and digits in lower case, without endings such as `.com`."""
    plain = unicodedata.normalize("NFKC", _ENDING.sub("", name)).casefold()
    return "".join(character for character in plain if character.isalnum())


def _name_at(shown: str, start: int, end: int) -> Span | None:
    """The name in a stretch: behind articles and conditions, before a model number or a description."""
    words = list(re.finditer(r"\S+", shown[start:end]))
    while words and words[0][0].lower().replace("’", "'") in _BEFORE:
        words.pop(0)
    length = 1
    # "Made In Stainless Clad": behind its first word alone a capital is part of the name.
    while length < len(words) and not _ends_before(words[length][0], may_be_part=length == 1):
        length += 1
    words = words[:length]
    while words and not any(map(str.isalnum, words[-1][0])):
        words.pop()
    if not words or len(words) > _MOST_WORDS or is_function_word(words[-1][0]):  # "Type of"
        return None
    place = start + words[0].start(), start + words[-1].end()
    name = shown[slice(*place)].strip(_SIGNS)
    is_name = 1 < len(name) <= _LONGEST and any(map(str.isalpha, name)) and not _ADDRESS.fullmatch(name)
    return place if is_name and name_key(name.split()[0]) else None


def _beginnings(name: str) -> Iterator[str]:
    """The keys of a name and of its first words, the longest first: a domain is called as a company is, not as its
    product."""
    words = name.split()
    return (name_key(" ".join(words[:length])) for length in range(len(words), 0, -1))


def _ends_before(word: str, *, may_be_part: bool) -> bool:
    return (word if may_be_part else word.lower()) in _BEHIND or word[0].isdigit() or _MODEL.match(word) is not None


def _domains_by_name(addresses: Iterable[str]) -> Mapping[str, str]:
    """The registrable domains by what they are called; none where two are called the same."""
    called: dict[str, str] = {}
    for domain in sorted({registrable_domain(host_of(address)) for address in addresses} - {""}):
        label = name_key(domain.split(".")[0])
        called[label] = "" if label in called else domain
    return called


def _trade_words(names: Mapping[str, Counter[str]]) -> frozenset[str]:
    """The words that the names of several makers share."""
    leads: dict[str, set[str]] = defaultdict(set)
    for lead, counted in names.items():
        for name in counted:
            for word in name.split()[1:]:
                leads[name_key(word)].add(lead)
    return frozenset(word for word, several in leads.items() if len(several) >= _SHARED_BY)


def _owners(names: Mapping[str, Counter[str]]) -> dict[str, str]:
    """By the first word of a product, that of its maker, where enough answers write it before: "Apple iPhone". So are
    two ways of writing a name made one: "Audio Technica" and "Audio-Technica"."""
    written: dict[str, Counter[str]] = defaultdict(Counter)
    owner: dict[str, str] = {}
    for lead, counted in names.items():
        for name, count in counted.items():
            words = [name_key(word) for word in name.split()]
            if len(words) > 1 and words[1] in names and words[1] != lead:
                written[words[1]][lead] += count
            if len(words) > 1 and words[0] + words[1] in names and words[0] + words[1] != lead:
                owner[lead] = words[0] + words[1]
    for product, makers_before in written.items():
        maker, count = max(makers_before.items(), key=lambda item: (item[1], item[0]))
        if count >= _OWNED * (names[product].total() + count):
            owner.setdefault(product, maker)
    return {product: _end_of_chain(product, owner) for product in owner}


def _end_of_chain(product: str, owner: Mapping[str, str]) -> str:
    passed = {product}
    while (above := owner.get(product)) is not None and above not in passed:
        product = above
        passed.add(product)
    return product


def _company(counted: Counter[str], trade: frozenset[str], domain: str) -> str:
    """The company behind names of one first word: the shortest beginning that most share and that is a name.

    Two words where both are words of the language ("New Balance", of its FuelCell) or a cited domain is called so;
    else the first alone ("Adidas", and "Apple" of its iPhone).
    """
    agreed = _agreed_beginning(counted, trade)
    words = max(counted, key=lambda name: (counted[name], name)).split()
    length = 1
    if len(agreed) > 2 and words[1].lower() in _JOINING:
        length = 3
    elif len(agreed) > 1 and (
        words[0].endswith(("'s", "’s", "."))
        or len(agreed[0]) == 1
        or words[1].lower() in _BEHIND
        or (len(words[0]) == _ARTICLE and words[0].istitle())
    ):
        length = 2  # "Paula's Choice", "St. Ives", "Made In", "Le Creuset": the first word alone is no name
    elif len(agreed) > 1:
        called = name_key(domain.split(".")[0])
        differ = len({name_key(name.split()[1]) for name in counted if " " in name}) > 1
        is_whole = is_plain(words[0]) and is_plain(words[1]) and not differ and agreed[0] != called
        if agreed[0] + agreed[1] == called or is_whole:
            length = 2
    spellings: Counter[str] = Counter()
    for name, count in counted.items():
        spellings[" ".join(name.split()[:length])] += count
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling))


def _agreed_beginning(counted: Counter[str], trade: frozenset[str]) -> Sequence[str]:
    """The keys of the words that most of the names begin with, without words of the trade at the end."""
    beginnings: Counter[tuple[str, ...]] = Counter()
    for name, count in counted.items():
        keys = tuple(map(name_key, name.split()))
        for length in range(1, len(keys) + 1):
            beginnings[keys[:length]] += count
    usual = [keys for keys, count in beginnings.items() if count >= _AGREED * counted.total()]
    agreed = max(usual, key=lambda keys: (len(keys), beginnings[keys], keys), default=())
    while len(agreed) > 1 and (agreed[-1] in trade or not agreed[-1]):
        agreed = agreed[:-1]
    return agreed
