"""Whom and what each engine offers: its first picks, and the product of a brand, which is read from the words behind
its name."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from decimal import Decimal
from itertools import takewhile
from statistics import median_high

from apikeys.text import marked
from visibility.counts.words import engine_name
from visibility.evidence.quantities import MONEY, quantities
from visibility.recommendations.material import Material, Seen, Subject, questions_of, words_asked

LEAST, SHARE = 3, 1 / 3
"""Answers of an engine that offer one product, and their part of those that offer its brand, for it to be told."""
LEAST_ABOVE, SHARE_ABOVE = 2, 0.2
"""The same for prices above the limit of the questions."""
MOST_WORDS = 4
_END = re.compile(r"[\n\0*:()\[\]|–—,;!?$€£/]")
_NO_NAME = re.compile(r"\d[\d.]*-(?!series)[a-z]|\w+(?:['’]s|s['’])\Z", re.IGNORECASE)
"""A word as "55-Inch", "9-qt", "10-in-1", "Men's": it describes and names no product."""
Product = tuple[str, ...]
"""The words of its name."""


def product_in(lead: str, behind: str, asked: Collection[str] = ()) -> Product:
    """The product in a name: the capitalised words behind the brand's name (`lead`), up to a word that the questions
    have (`asked`, in small letters); with the brand where one word has both ("EufyCam 3") or a bare number follows
    ("Suunto 5"). Empty: the brand alone is named."""
    words = [word.strip("'’\".") for word in _END.split(behind, maxsplit=1)[0].split() if not _NO_NAME.match(word)]
    if words and words[0] and behind[0].isalnum():
        words[0] = lead + words[0]
    named = takewhile(
        lambda word: (word[:1].isupper() or word[:1].isdigit()) and word.casefold() not in asked, words[:MOST_WORDS]
    )
    first, *more = (*named, "")
    return tuple(filter(None, (f"{lead} {first}" if first.isdigit() else first, *more)))


def products_words(material: Material, answers: Sequence[Seen], subjects: Sequence[Subject]) -> str:
    """The product of each of these that an engine mostly names first, and in how many of the answers with its brand
    it is at all: "ChatGPT «Nord 3» of OnePlus (8 of 12)"; empty: no engine has a favourite."""
    found = []
    asked = words_asked(answers)
    for engine in sorted(material.by_engine):
        shown = []
        for subject in subjects:
            offering = [each for each in answers if each.engine == engine and subject in each.offered]
            named = ([product_in(*place, asked) for place in each.named_as[subject]] for each in offering)
            if favourite := _favourite([[product for product in each if product] for each in named]):
                name = material.name(subject)
                whose = f" of {name}" if len(subjects) > 1 and not favourite[0].startswith(name) else ""
                shown.append(f"{marked(favourite[0])}{whose} ({favourite[1]} of {len(offering)})")
        if shown:
            found.append(f"{engine_name(engine)} {' and '.join(shown)}")
    return "; ".join(found)


def above_limit(answers: Sequence[Seen]) -> str:
    """In how many answers the brand's product costs more than their questions allow; empty where in hardly any, or
    where the questions name no amount of money, or several. A lower bound: a price far from the name is not read."""
    limits = {amount for question in questions_of(answers).values() if (amount := _amount(question))}
    if len(limits) != 1:
        return ""
    limit, offering = limits.pop(), [each for each in answers if None in each.offered]
    prices = ([price for _, behind in each.named_as[None] if (price := _amount(behind))] for each in offering)
    above = sorted(min(each) for each in prices if each and min(each) > limit)
    if len(above) < max(LEAST_ABOVE, SHARE_ABOVE * len(offering)):
        return ""
    often = f"{len(above)} answers or more"
    return f"{often} show you above the {limit:,.0f} of the questions (mostly {median_high(above):,.0f})."


def _amount(text: str) -> Decimal | None:
    """The first amount of money in a text."""
    found = (each for each in quantities(text) if each.unit in MONEY)
    return next((max(each.values) for each in found), None)


def first_picks(material: Material, answers: Sequence[Seen]) -> str:
    """Who but the brand is the first pick of each engine most often: "ChatGPT Dell (10 of 12)"; empty for nobody."""
    shown = []
    for engine in sorted(material.by_engine):
        rows = [each for each in answers if each.engine == engine]
        names = Counter(name for each in rows if not each.puts_first(None) and (name := material.first_name(each)))
        shown += [
            f"{engine_name(engine)} {name} ({k} of {len(rows)})" for name, k in names.most_common(1) if k >= LEAST
        ]
    return ", ".join(shown)


def _favourite(answers: Sequence[Sequence[Product]]) -> tuple[str, int] | None:
    """The product that most answers name first, each given with those that it names, and how many name it at all. Of
    names that begin alike it is as much as more than half of these answers share: "Nord 3" of "Nord 3 5G", "Nord 3".
    """
    heads = Counter(products[0][0].casefold() for products in answers if products)
    head, number = max(heads.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    if number < max(LEAST, SHARE * len(answers)):
        return None
    spelt: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for products in answers:
        alike = [product for product in products if product[0].casefold() == head]
        begins = {" ".join(product[:length]) for product in alike for length in range(1, len(product) + 1)}
        spelt |= {each.casefold(): each for each in begins}
        counted.update({each.casefold() for each in begins})
    shared = [each for each in counted if 2 * counted[each] > counted[head]]
    name = max(shared, key=lambda each: (each.count(" "), counted[each], each))
    return spelt[name], counted[name]
