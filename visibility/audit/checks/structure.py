"""How pages are built: headings, landmarks, tables, images, language."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from apikeys.text.sentences import counted, shortened
from visibility.audit.checks.content import by_phrases, content_pages, further
from visibility.audit.checks.languages import DOUBTFUL, same_language
from visibility.audit.checks.matching import folded, words_in
from visibility.audit.checks.pages import at_line, outcome_of
from visibility.audit.checks.phrases.phrases import phrases_of
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable, passed, theirs
from visibility.audit.page import Block, Heading, Image, Lost, PageKind, ParsedPage
from visibility.audit.site import Site

MIN_WORDS_TO_DIVIDE = 300
MIN_DIVIDING_HEADINGS = 2
MIN_OPENING, MAX_OPENING = 15, 80
"""Words of the first block of a section."""
MIN_SECTION = 60
"""Words: a shorter section has no room to open."""
MAX_OPEN_BADLY = 0.5
"""The part of the sections above which the site is told."""
MIN_KEPT = 0.9
MIN_KEY_SPANS = 3
"""Below this, one lost piece says nothing of the page."""
MIN_ANSWER = 20
MIN_BULLETS = 3
_BULLET = re.compile(r"\s*[•·▪●‣◦✓✔–—*-]\s+\S")
_QUESTION = re.compile(r"[?\uff1f\u061f]\s*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def headings(site: Site) -> Outcome:
    """STR-01: text of more than 300 words has an h1 and two further headings that divide it."""
    pages = [page for page in content_pages(site) if page.words > MIN_WORDS_TO_DIVIDE and not page.cut]
    problems = [(page, lacks) for page in pages if (lacks := _headings_lack(page))]
    if not problems:
        return outcome_of(len(pages), [], {}, none=f"No page has more than {MIN_WORDS_TO_DIVIDE} words of text.")
    page, lacks = problems[0]
    said = f"{theirs(page.url)} has {lacks}, in a text of {page.words:,} words."
    words = {"finding": f"{said} {further(len(problems))}".strip()}
    evidence = [Evidence(page.url, "the headings", f"{lacks}; {page.words} words") for page, lacks in problems]
    return outcome_of(len(pages), evidence, words)


def _headings_lack(page: ParsedPage) -> str:
    """What the headings of a page lack, as the object of "has". Further h1s divide a text as h2s do."""
    first = sum(heading.level == 1 for heading in page.headings)
    dividing = sum(heading.level in (2, 3) for heading in page.headings) + max(0, first - 1)
    if not page.headings:
        return "no headings"
    if dividing < MIN_DIVIDING_HEADINGS:
        return "one heading to divide it by" if dividing else "no heading to divide it by"
    return "" if first else "no main heading (h1)"


def landmarks(site: Site) -> Outcome:
    """STR-02: the main content stands in a main or article element, or an element of that role."""
    pages = content_pages(site)
    without = [page for page in pages if not {"main", "article"} & set(page.landmarks)]
    evidence = [
        Evidence(page.url, "the landmarks", ", ".join(page.landmarks) or "no landmark at all") for page in without
    ]
    words = {"finding": _no_main(without, len(pages))} if without else {}
    return outcome_of(len(pages), evidence, words)


def _no_main(without: list[ParsedPage], looked_at: int) -> str:
    if len(without) == 1:
        return f"{theirs(without[0].url)} does not mark its main content (<main>)."
    return f"{len(without)} of {looked_at} pages do not mark their main content (<main>)."


def openings(site: Site) -> Outcome:
    """STR-03: the first block of a section has 15 to 80 words and does not begin with a word for something said
    before."""
    kinds: tuple[PageKind, ...] = ("home", "product", "pricing", "article", "about", "docs", "other")
    return by_phrases(content_pages(site, *kinds), _openings, none="No page of text was read.")


def _openings(pages: list[ParsedPage]) -> Outcome:
    sections = [(page, heading, block) for page in pages for heading, block in _sections(page)]
    if not sections:
        return not_applicable("No page has headings with text below them.")
    bad = [(page, heading, block, why) for page, heading, block in sections if (why := _opens_badly(page, block))]
    if len(bad) <= MAX_OPEN_BADLY * len(sections):
        return passed(
            f"{len(sections) - len(bad)} of {len(sections)} sections open with a statement that stands alone."
        )
    evidence = [
        at_line(page.url, heading.line, f"{shortened(heading.text, 80)}: {shortened(block.text, 160)} ({why})")
        for page, heading, block, why in bad
    ]
    verb = "does" if len(bad) == 1 else "do"
    of = counted(len(sections), "section")
    words = {"finding": f"{len(bad)} of {of} {verb} not open with a self-contained statement."}
    return failed(evidence=evidence, share=1 - len(bad) / len(sections), words=words)


def _sections(page: ParsedPage) -> Iterator[tuple[Heading, Block]]:
    """The sections of the main text below an h1 or h2, each with its first block."""
    wide = [heading for heading in page.headings if heading.level <= 2 and heading.words >= MIN_SECTION]
    headings = {folded(heading.text): heading for heading in wide}
    for title, block in pairwise(page.blocks):
        heading = headings.get(folded(title.text)) if title.kind == "heading" else None
        if heading is not None and block.kind != "heading":
            yield heading, block


def _opens_badly(page: ParsedPage, block: Block) -> str:
    phrases = phrases_of(page)
    first = _FIRST_WORD.search(block.text)
    if phrases and first and first[0].lower() in phrases.opening.pronouns:
        return f"begins with “{first[0]}”"
    length = len(block.text.split())
    return "" if MIN_OPENING <= length <= MAX_OPENING else counted(length, "word")


def tables_and_lists(site: Site) -> Outcome:
    """STR-04: tables have header cells, and what looks like a table or a list is one."""
    pages = [page for page in content_pages(site) if page.tables or page.lists or _bullets(page)]
    problems = [problem for page in pages for problem in _not_marked_up(page)]
    words = {}
    if problems:
        worst, kind = problems[0]
        words = {"finding": f"{theirs(worst.url)} has {kind}."}
    none = "No page has a table or a list in its content."
    return outcome_of(len(pages), [evidence for evidence, _ in problems], words, none=none)


def _not_marked_up(page: ParsedPage) -> Iterator[tuple[Evidence, str]]:
    for table in page.tables:
        if not table.marked_up:
            yield (
                at_line(page.url, table.line, table.quote),
                "rows of labels and values that are not marked up as a table",
            )
        elif not table.header_cells and table.rows > 1 and table.columns > 1:
            yield at_line(page.url, table.line, table.quote), "a table without header cells"
    if bullets := _bullets(page):
        yield Evidence(page.url, "the text", bullets), "list items that are plain paragraphs"


def _bullets(page: ParsedPage) -> str:
    """The first of at least three paragraphs in a row that begin with a bullet."""
    row: list[str] = []
    for block in page.blocks:
        row = [*row, block.text] if block.kind == "paragraph" and _BULLET.match(block.text) else []
        if len(row) == MIN_BULLETS:
            return row[0]
    return ""


def extraction(site: Site) -> Outcome:
    """STR-05: what matters on a page (headings, prices, names in structured data) is in what an extractor keeps."""
    pages = [page for page in content_pages(site) if page.key_spans >= MIN_KEY_SPANS and page.words]
    losing = [page for page in pages if (lost := _lost_from(page)) and 1 - len(lost) / page.key_spans < MIN_KEPT]
    evidence = [
        at_line(page.url, lost.line, f"{lost.text} (inside {lost.selector})")
        for page in losing
        for lost in _lost_from(page)
    ]
    words = _lost(_lost_from(losing[0])) if losing else {}
    none = "No page has enough headings, prices or structured data in its text to tell."
    return outcome_of(len(pages), evidence, words, none=none)


def _lost_from(page: ParsedPage) -> tuple[Lost, ...]:
    """What is lost and stands nowhere else that an extractor keeps: title, descriptions, authors. Of several main
    headings none is the page's."""
    kept = [*(title.text for title in page.titles), *(meta.content for meta in page.metas)]
    words = set(words_in(" ".join([*kept, *(by.text for by in page.bylines)])))
    headings = sum(heading.level == 1 for heading in page.headings)
    return tuple(
        lost for lost in page.lost if not (set(words_in(lost.text)) <= words or (lost.kind == "h1" and headings > 1))
    )


_LOST = {"h1": "main heading", "th": "table header", "price": "price", "json-ld": "name in structured data"}


def _lost(pieces: tuple[Lost, ...]) -> dict[str, str]:
    worst = min(pieces, key=lambda lost: list(_LOST).index(lost.kind) if lost.kind != "price" else -1)
    said = (
        f"The {_LOST[worst.kind]} {theirs(shortened(worst.text, 80))} is on the page but lost by content extraction"
    )
    return {"finding": f"{said} (inside {theirs(worst.selector)})."}


def alternatives(site: Site) -> Outcome:
    """STR-06: images of the content say what they show; an empty alt says that one only decorates."""
    images = [(page, image) for page in content_pages(site) for image in page.images]
    if not images:
        return not_applicable("The pages read have no images in their content.")
    silent = [(page, image) for page, image in images if image.alt is None]
    if not silent:
        return passed()
    verb = "lacks" if len(silent) == 1 else "lack"
    words = {"finding": f"{len(silent)} of {counted(len(images), 'image')} {verb} an alt text."}
    return failed(
        evidence=[_silent(page, image) for page, image in silent], share=1 - len(silent) / len(images), words=words
    )


def _silent(page: ParsedPage, image: Image) -> Evidence:
    return at_line(page.url, image.line, f"<img src={shortened(image.src, 200)}>")


def language(site: Site) -> Outcome:
    """STR-07: the declared language is the one that the text is in."""
    pages = [page for page in content_pages(site) if page.lang_detected and page.lang_detected not in DOUBTFUL]
    wrong = [page for page in pages if not same_language(page.lang_declared, page.lang_detected)]
    evidence = [
        Evidence(page.url, "the html element", _lang(page), to=f'lang="{page.lang_detected}"') for page in wrong
    ]
    words = {}
    if wrong:
        a, b = wrong[0].lang_declared, wrong[0].lang_detected
        said = f"is declared as {theirs(a)}, but written" if a else "declares no language, and is written"
        words = {"finding": f"{theirs(wrong[0].url)} {said} in {b}. {further(len(wrong))}".strip()}
    return outcome_of(len(pages), evidence, words, none="No page has enough text to tell its language.")


def _lang(page: ParsedPage) -> str:
    declared = f'lang="{page.lang_declared}"' if page.lang_declared.strip() else "no lang"
    return f"{declared}; the text is {page.lang_detected}"


def questions(site: Site) -> Outcome:
    """STR-08: what follows a heading that asks is an answer. Told, not scored."""
    asking = [
        (page, heading) for page in content_pages(site) for heading in page.headings if _QUESTION.search(heading.text)
    ]
    if not asking:
        return not_applicable("No heading of the pages read asks a question.")
    silent = [(page, heading) for page, heading in asking if heading.words < MIN_ANSWER]
    n, m = len(silent), counted(len(asking), "heading asks", "headings ask")
    if not silent:
        return passed(f"{m} a question and {'is' if len(asking) == 1 else 'are'} answered below.")
    words = {"finding": f"{m} a question; of these, {n} with fewer than {MIN_ANSWER} words below."}
    evidence = [
        at_line(page.url, heading.line, f"{heading.text} ({heading.words} words)") for page, heading in silent
    ]
    return failed(evidence=evidence, share=1 - n / len(asking), words=words)


def reading_grade(site: Site) -> Outcome:
    """STR-09: the automated readability index of long texts, as a fact."""
    grades = [(page.reading_grade, page) for page in content_pages(site) if page.reading_grade is not None]
    if not grades:
        return not_applicable("No page has the 900 words that the index needs.")
    ordered = sorted(grade for grade, _ in grades)
    middle = ordered[len(ordered) // 2]
    on = counted(len(grades), "page", "pages")
    return passed(
        f"Automated readability index {round(middle)} (years of school) in the middle of {on} of 900 words or more."
    )


CHECKS: Mapping[str, Check] = {
    "STR-01": headings,
    "STR-02": landmarks,
    "STR-03": openings,
    "STR-04": tables_and_lists,
    "STR-05": extraction,
    "STR-06": alternatives,
    "STR-07": language,
    "STR-08": questions,
    "STR-09": reading_grade,
}
