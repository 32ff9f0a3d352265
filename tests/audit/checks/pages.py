"""Short forms for the pages that tests of content checks are made of."""

from datetime import date

from tests.audit.builders import page, site
from visibility.audit.page import Block, PageDate, Price


def article(url="/story", **said):
    """A page of the crawl that is an article."""
    return page(url, "article", **said)


def product(url="/kettle", **said):
    """A page of the crawl that offers something."""
    return page(url, "product", **said)


def text(*blocks, kind="paragraph"):
    """Blocks of the main text, one after the other; a pair is (kind, text), a triple has links, too."""
    made, offset = [], 0
    for block in blocks:
        told, words, links = (kind, block, ()) if isinstance(block, str) else (*block, ())[:3]
        made.append(Block(told, words, offset, (), tuple(links)))
        offset += len(words) + 1
    return {"blocks": tuple(made), "main_text": "\n".join(block.text for block in made)}


def price(amount, currency="EUR", quote="", *, main=True):
    """A price of the visible text."""
    return Price(amount, currency, quote or f"{amount} {currency}", 30, main)


def dated(day, source="visible", meaning="published"):
    """A date of a page, from its ISO form."""
    return PageDate(date.fromisoformat(day), source, day, 10, meaning)


def judged(check, *pages, **known):
    """What a check says of a site of these pages."""
    return check(site(*pages, **known))
