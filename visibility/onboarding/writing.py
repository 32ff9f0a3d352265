"""What an engine that writes adds to the proposals of a site: topics by its words, competitors that it knows."""

from collections.abc import Sequence
from uuid import UUID

from django.template import Context, Engine
from django.utils.translation import gettext
from pydantic import BaseModel, Field

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from apikeys.text import QUOTE_NOTICE, clean, marked
from brands.access import editable_brand
from brands.domains import normalise_domain
from brands.models import LONGEST_NAME, Brand
from visibility.audit import ParsedPage, Proposal, Proposals
from visibility.counts.words import engine_name
from visibility.models.prompts import LONGEST_TOPIC
from visibility.onboarding.site import look_at
from visibility.runs.engines import Reached
from visibility.runs.writing import write, writing_engine

MOST_TOPICS, MOST_COMPETITORS = 5, 5
LONGEST_SHOWN, MOST_SHOWN = 6_000, 60
"""Characters of the site's texts, and lines, that the engine reads."""


class WrittenTopic(BaseModel):
    """A need that the site serves, and words of the site that say so."""

    name: str = Field(max_length=LONGEST_TOPIC)
    quote: str


class WrittenCompetitor(BaseModel):
    """Another brand that buyers consider, with its own site."""

    name: str = Field(max_length=LONGEST_NAME)
    domain: str


class WrittenMarket(BaseModel):
    """What the engine writes."""

    topics: list[WrittenTopic] = Field(default=[], max_length=50)
    competitors: list[WrittenCompetitor] = Field(default=[], max_length=50)


def write_market(caller: Caller, brand_id: UUID) -> Proposals | None:
    """Topics and competitors as the engine that writes proposes them; None where none is set up.

    A topic rests on words that the site has, or it is left out. Not inside a transaction. Raises not_found,
    read_only_collaborator, quota_exceeded, upstream_unavailable.
    """
    brand = editable_brand(caller, brand_id)
    reached = writing_engine()
    if reached is None:
        return None
    pages = look_at(brand).pages
    lines = _lines(brand, pages)

    def refuse(written: WrittenMarket) -> str | None:
        found = _checked(written, brand, lines, reached)
        return None if found.topics or found.competitors else "no quote is on the site, and no domain is one"

    written, _ = write(reached, brand, _task(brand, lines), WrittenMarket, refuse)
    return _checked(written, brand, lines, reached)


def _task(brand: Brand, lines: Sequence[str]) -> str:
    template = Engine.get_default().get_template("onboarding/market.md")
    facts = {
        "brand": marked(brand.name),
        "domain": marked(brand.domain),
        "notice": QUOTE_NOTICE,
        "topics": MOST_TOPICS,
        "competitors": MOST_COMPETITORS,
        "lines": [marked(line) for line in lines],
    }
    return template.render(Context(facts, autoescape=False)).strip()


def _lines(brand: Brand, pages: Sequence[ParsedPage]) -> list[str]:
    """What the site says, the home page first, and what its people say of it."""
    texts = [brand.description] if brand.description else []
    for page in pages:
        texts += [page.title, *(meta.content for meta in page.meta("description"))]
        texts += [each.text for each in page.headings[:10]]
        texts += [block.text for block in page.blocks[:10] if block.kind == "paragraph"]
    lines: list[str] = []
    size = 0
    for text in dict.fromkeys(" ".join(clean(text).split())[:300] for text in texts if text.strip()):
        size += len(text)
        if size > LONGEST_SHOWN or len(lines) == MOST_SHOWN:
            break
        lines.append(text)
    return lines


def _checked(written: WrittenMarket, brand: Brand, lines: Sequence[str], reached: Reached) -> Proposals:
    """What passes: topics with a quote of the site, competitors with a domain; none is the brand itself."""
    text = _folded(" ".join(lines))
    own = {_folded(name) for name in brand.names.values_list("text", flat=True)}
    by = engine_name(reached.engine.name)
    worded = gettext("“{quote}” on your site, worded by {by}")
    topics = [
        Proposal(" ".join(clean(each.name).split()), worded.format(quote=clean(each.quote)[:80], by=by))
        for each in written.topics
        if _folded(each.quote) and _folded(each.quote) in text and _folded(each.name) not in own
    ]
    competitors = []
    for each in written.competitors:
        domain = _domain(each.domain)
        if domain and domain != brand.domain and _folded(each.name) not in own:
            because = gettext("known to {by}, not from your site").format(by=by)
            competitors.append(Proposal(" ".join(clean(each.name).split()), because, domain))
    return Proposals((), topics[:MOST_TOPICS], competitors[:MOST_COMPETITORS])


def _domain(text: str) -> str:
    try:
        return normalise_domain("domain", text)
    except ServiceError:
        return ""


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
