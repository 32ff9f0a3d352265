"""Whom and what each engine offers: its first picks, and the product of a brand, which is read from the words behind
its name."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from statistics import median_high

from apikeys.text import marked
from visibility.detection import is_plain
from visibility.evidence.quantities import MONEY, quantities
from visibility.recommendations.material import Material, Seen, Subject, questions_of
from visibility.scores.words import engine_name

LEAST, SHARE = 3, 1 / 3
"""Answers of an engine that offer one product, and their part of those that offer its brand, for it to be told."""
MOST_WORDS = 3
_END = re.compile(r"[\n\0*:()\[\]|–—,;!?$€£]")
_SIZE = re.compile(r"\d[\d.]*-[a-z]", re.IGNORECASE)
"""A word as "55-Inch", "9-qt", "10-in-1": it describes and names no product."""


def product_in(lead: str, behind: str) -> str:
    """The product in a name: the capitalised words behind the brand's name (`lead`), up to the first with a digit
    ("Endorphin Pro 3"); with the brand where one word has both ("EufyCam 3") or a bare number follows ("Suunto 5").
    Empty: the brand alone is named."""
    words = [word for word in _END.split(behind, maxsplit=1)[0].split() if not _SIZE.match(word)]
    name: list[str] = []
    for word in words[:MOST_WORDS]:
        if not (word[0].isupper() or word[0].isdigit() or (not name and behind[0].isalnum())):
            break
        name.append(word)
        if any(map(str.isdigit, word)):
            break
    if name and behind[0].isalnum():
        name[0] = lead + name[0]
    elif name and name[0].isdigit():
        name.insert(0, lead)
    return " ".join(name).strip("'’\".")


def products_words(material: Material, answers: Sequence[Seen], subjects: Sequence[Subject]) -> str:
    """The product of each of these that an engine offers most: "ChatGPT «Nord 3» of OnePlus (8 of 12)"; empty: no
    engine has a favourite."""
    found = []
    for engine in sorted(material.by_engine):
        shown = []
        for subject in subjects:
            offering = [each for each in answers if each.engine == engine and subject in each.offered]
            products = [{product_in(*place) for place in each.named_as[subject]} for each in offering]
            if favourite := _favourite(products):
                name = material.name(subject)
                whose = f" of {name}" if len(subjects) > 1 and not favourite[0].startswith(name) else ""
                shown.append(f"{marked(favourite[0])}{whose} ({favourite[1]} of {len(offering)})")
        if shown:
            found.append(f"{engine_name(engine)} {' and '.join(shown)}")
    return "; ".join(found)


def above_limit(answers: Sequence[Seen]) -> str:
    """In how many answers the brand's product costs more than their questions allow; empty where in hardly any, or
    where the questions name no amount of money, or several."""
    limits = {amount for question in questions_of(answers).values() if (amount := _amount(question))}
    if len(limits) != 1:
        return ""
    limit = limits.pop()
    prices = [[price for _, behind in each.named_as[None] if (price := _amount(behind))] for each in answers]
    shown = [min(each) for each in prices if each]
    above = sorted(price for price in shown if price > limit)
    if len(above) < LEAST:
        return ""
    return (
        f"{len(above)} of the {len(shown)} answers that show your price are above the {limit:,.0f} of the questions "
        f"(mostly {median_high(above):,.0f})."
    )


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


def _favourite(answers: Sequence[Collection[str]]) -> tuple[str, int] | None:
    """The product in most answers, each given with those that it names; a rarer name that only describes a product in
    plain words is the same ("Classic Mattress" is "Classic"), and plain words alone are none."""
    spelt = {name.casefold(): name for names in answers for name in names if _is_product(name)}
    alone = Counter(name.casefold() for names in answers for name in names)
    counted: Counter[str] = Counter()
    for names in answers:
        counted.update({_shortest(name.casefold(), alone) for name in names if name.casefold() in spelt})
    best = [(name, number) for name, number in counted.most_common() if name in spelt][:1]
    if not best or best[0][1] < max(LEAST, SHARE * len(answers)):
        return None
    return spelt[best[0][0]], best[0][1]


def _is_product(name: str) -> bool:
    return any(map(str.isdigit, name)) or not is_plain(name)


def _shortest(name: str, alone: Mapping[str, int]) -> str:
    """The shortest name that this one begins with, that plain words follow, and that is no rarer."""
    shorter = [
        each
        for each, number in alone.items()
        if name.startswith(f"{each} ") and is_plain(name[len(each) + 1 :]) and number >= alone[name]
    ]
    return min(shorter, key=len, default=name)
