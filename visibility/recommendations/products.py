"""Whom and what each engine offers: its first picks, and the product of a brand, which is read from the words behind
its name."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from itertools import takewhile
from statistics import median_high
from typing import NamedTuple

from apikeys.text import marked
from visibility.detection import is_plain
from visibility.evidence.quantities import MONEY, quantities
from visibility.recommendations.material import Material, Seen, Subject, questions_of
from visibility.scores.words import engine_name

LEAST, SHARE = 3, 1 / 3
"""Answers of an engine that offer one product, and their part of those that offer its brand, for it to be told."""
MOST_WORDS = 3
ALWAYS = 0.75
"""The part of the answers with a product that has to go on with the same word, for it to be part of the name."""
_END = re.compile(r"[\n\0*:()\[\]|–—,;!?$€£/]")
_NO_NAME = re.compile(r"\d[\d.]*-(?!series)[a-z]|\w+(?:['’]s|s['’])\Z", re.IGNORECASE)
"""A word as "55-Inch", "9-qt", "10-in-1", "Men's": it describes and names no product."""


class Product(NamedTuple):
    """A product as an answer names it, up to the first word with a digit, and with a plain word behind ("Pro")."""

    name: str
    longer: str


def product_in(lead: str, behind: str, questions: Collection[str] = ()) -> Product | None:
    """The product in a name: the capitalised words behind the brand's name (`lead`); with this where one word has
    both ("EufyCam 3") or a bare number follows ("Suunto 5"). None: the brand alone is named, or what the questions
    (squeezed) ask for, as "Electric Toothbrush"."""
    words = [word.strip("'’\".") for word in _END.split(behind, maxsplit=1)[0].split() if not _NO_NAME.match(word)]
    if words and words[0] and behind[0].isalnum():
        words[0] = lead + words[0]
    name = [*takewhile(lambda word: word[:1].isupper() or word[:1].isdigit(), words)][: MOST_WORDS + 1]
    ends = next((place for place, word in enumerate(name, 1) if any(map(str.isdigit, word))), MOST_WORDS)
    short, next_word = " ".join(name[:ends]), " ".join(name[ends : ends + 1])
    if not short or any(squeezed(short) in question for question in questions):
        return None
    short = f"{lead} {short}" if short.isdigit() else short
    is_name = (
        next_word.isalpha() and is_plain(next_word) and not any(squeezed(next_word) in each for each in questions)
    )
    return Product(short, f"{short} {next_word}" if is_name else short)


def squeezed(text: str) -> str:
    """A text without anything but letters and digits."""
    return re.sub(r"[\W_]+", "", text).casefold()


def products_words(material: Material, answers: Sequence[Seen], subjects: Sequence[Subject]) -> str:
    """The product of each of these that an engine mostly names first, and in how many of the answers with its brand
    it is at all: "ChatGPT «Nord 3» of OnePlus (8 of 12)"; empty: no engine has a favourite."""
    found, questions = [], [*map(squeezed, questions_of(answers).values())]
    for engine in sorted(material.by_engine):
        shown = []
        for subject in subjects:
            offering = [each for each in answers if each.engine == engine and subject in each.offered]
            named = ([product_in(*place, questions) for place in each.named_as[subject]] for each in offering)
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
    limit = limits.pop()
    prices = ([price for _, behind in each.named_as[None] if (price := _amount(behind))] for each in answers)
    above = sorted(min(each) for each in prices if each and min(each) > limit)
    if len(above) < LEAST:
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
    """The product that most answers name first, each given with those that it names, and how many name it at all. A
    rarer name that only describes a product in plain words is the same ("Classic Mattress" is "Classic")."""
    alone = Counter(each.name.casefold() for products in answers for each in products)
    known = [[(_shortest(each.name.casefold(), alone), each) for each in products] for products in answers]
    firsts = Counter(products[0][0] for products in known if products)
    name, number = max(firsts.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    if number < max(LEAST, SHARE * len(answers)):
        return None
    rows = [[each for key, each in products if key == name] for products in known]
    naming = [row for row in rows if row]
    short = min((each.name for row in naming for each in row), key=len)
    longer, often = Counter(each for row in naming for each in {product.longer for product in row}).most_common(1)[0]
    return (longer if often >= ALWAYS * len(naming) and longer.startswith(short) else short), len(naming)


def _shortest(name: str, alone: Mapping[str, int]) -> str:
    """The shortest name that this one begins with, that plain words follow, and that is no rarer."""
    shorter = [
        each
        for each, number in alone.items()
        if name.startswith(f"{each} ") and is_plain(name[len(each) + 1 :]) and number >= alone[name]
    ]
    return min(shorter, key=len, default=name)
