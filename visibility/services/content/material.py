"""What a draft may rest on: sentences of the brand's own pages, what answers say by criterion, words of reviews."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from uuid import UUID

from apikeys.text.sentences import one_line
from brands.models import Brand
from visibility.detection.text.sentences import sentence_spans
from visibility.measured.evidence import criteria_by_topic, stored_claims, stored_themes
from visibility.measured.own_pages import OwnPages, is_own, own_domains, read_own_pages
from visibility.models import Prompt
from visibility.pipeline.ask.corpus import search_pages
from visibility.services.content.said import said_by_answers
from visibility.writers.drafting import CUSTOMERS
from visibility.writers.languages.language import language_for
from visibility.writers.outline import MAX_CRITERIA
from visibility.writers.quotable import is_order, is_quotable
from visibility.writers.tasks import DraftTask, Material
from visibility.writers.words import content_words, wording_key

MAX_OWN = 20
MAX_OF_OTHERS = 40
MAX_CLAIMS = 20
MAX_REVIEWS = 5
MAX_SEARCHED = 30
"""Pages that are analysed for the brand's own among them."""
MAX_OWN_PAGES = 5
SENTENCES_PER_PAGE = 3


def gathered(brand: Brand, task: DraftTask, topic: str, prompts: Collection[UUID]) -> DraftTask:
    """The task with what buyers judge by on the topic, as prompts have it, and all that it may rest on, marked: of
    answers to these prompts, and of all of the topic."""
    criteria = criteria_by_topic(brand.pk).get(topic, ())[:MAX_CRITERIA] if topic else ()
    task = replace(task, criteria=[one_line(criterion.label) for criterion in criteria])
    of_topic = Prompt.objects.filter(brand=brand, topic=topic).values_list("pk", flat=True) if topic else ()
    prompt_ids = {*prompts, *of_topic}
    own = islice(_distinct(_own(brand, task)), MAX_OWN)
    said = said_by_answers(brand, task.subject, criteria, prompt_ids)
    others = islice(_distinct([*said, *_of_reviews(brand, task)]), MAX_OF_OTHERS)
    materials = [replace(material, mark=f"S{number}") for number, material in enumerate([*own, *others], start=1)]
    return replace(task, materials=materials)


def _distinct(materials: Iterable[Material]) -> Iterator[Material]:
    """Each passage once for whom and what it speaks of, however it is punctuated."""
    known: set[tuple[frozenset[str], str]] = set()
    for material in materials:
        key = (wording_key(material.text), material.about)
        if key not in known:
            known.add(key)
            yield material


def _own(brand: Brand, task: DraftTask) -> Iterator[Material]:
    """Sentences of the brand's own pages that share most words with what is asked and judged by, word for word."""
    domains, own_pages = own_domains(brand), read_own_pages(brand)
    for query in [*task.questions, *task.criteria, task.topic]:
        stored = search_pages(brand, f"{query} {task.topic}", MAX_SEARCHED)
        pages = [(page.url, page.title, [page.text]) for page in stored if is_own(page.url, domains)][:MAX_OWN_PAGES]
        for url, title, blocks in [*_best_page(own_pages, query), *pages]:
            for text in _best_sentences(query, blocks):
                yield Material("", text, _titled(title, url), url, own=True)
    claims = stored_claims(brand.pk)
    for weighed in claims.content[:MAX_CLAIMS] if claims else ():
        text = one_line(weighed.claim.text)
        if is_quotable(text) and weighed.claim.ours and weighed.claim.ours[0].url:
            url = weighed.claim.ours[0].url
            yield Material("", text, _titled("", url), url, own=True)


def _best_page(own_pages: OwnPages, query: str) -> list[tuple[str, str, list[str]]]:
    """The page of the audit, or a stored one, that answers best, as its address, title and blocks: a heading or a
    byline is no beginning of the sentence below it."""
    match = own_pages.best(query)
    return [(match.page.url, match.page.title, match.page.text.splitlines())] if match else []


def _best_sentences(query: str, blocks: Iterable[str]) -> list[str]:
    """The sentences of a page with most of the query's words, in the order of the page."""
    wanted = content_words(query)
    texts = [one_line(block[start:end]) for block in blocks for start, end in sentence_spans(block)]
    shares = {
        index: len(wanted & content_words(sentence)) for index, sentence in enumerate(texts) if is_quotable(sentence)
    }
    best = sorted((index for index in shares if shares[index]), key=lambda index: (-shares[index], index))
    return [texts[index] for index in sorted(best[:SENTENCES_PER_PAGE])]


def _of_reviews(brand: Brand, task: DraftTask) -> Iterator[Material]:
    """What customers say on what the page is about, one sentence a theme."""
    themes = stored_themes(brand.pk)
    customer = language_for(task.locale).draft.customer
    quotes = [quote for theme in (themes.content if themes else ()) for quote in theme.quotes[:1]]
    texts = [(one_line(quote.text), quote) for quote in quotes]
    for text, quote in [(text, quote) for text, quote in texts if is_quotable(text)][:MAX_REVIEWS]:
        yield Material("", text, _titled("", quote.url) or customer, quote.url, said_by=customer, about=CUSTOMERS)


def _titled(title: str, url: str) -> str:
    """What a page is called; its address where its title tells a writer what to do."""
    line = one_line(title)
    return line if line and not is_order(line) else one_line(url)
