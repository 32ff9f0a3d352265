"""Structure: whether the parts of a page are marked (STR)."""

from visibility.audit.checks.pages import content_pages
from visibility.audit.facts import ParsedPage, Site
from visibility.audit.outcome import Evidence, Outcome, at_line, judged
from visibility.audit.sentences import also, counted, say, shortened, theirs

MIN_WORDS_TO_DIVIDE, MIN_HEADINGS = 300, 2
_ALIKE = (
    *({"no", "nb", "nn", "da", "sv"}, {"hr", "sr", "bs", "sh"}, {"id", "ms", "in"}, {"he", "iw"}, {"tl", "fil"}),
    *({"zh", "yue", "cmn"}, {"gl", "pt"}, {"hi", "ur", "mr", "ne"}, {"cs", "sk"}, {"bg", "mk"}, {"af", "nl"}),
    *({"fa", "ps"}, {"de", "lb", "gsw"}, {"es", "ast", "an", "ca"}),
)
"""Codes of one language, old and new, and languages that a detector often confuses."""
_DOUBTFUL = frozenset(("an", "br", "eo", "jv", "la", "lb", "mt", "oc", "qu", "rw", "se", "vo", "wa", "xh", "zu"))
"""Languages for which a detector mostly takes lists of names, or code."""


def headings(site: Site) -> Outcome:
    """STR-01: text of more than 300 words has an h1 and two further headings that divide it."""
    pages = [page for page in content_pages(site) if page.words > MIN_WORDS_TO_DIVIDE and not page.cut]
    lacking = [(page, lack) for page in pages if (lack := _headings_lack(page))]
    evidence = [
        Evidence(page.url, say("the headings"), say("{lack}; {words} words", lack=lack, words=page.words))
        for page, lack in lacking
    ]
    finding = ""
    if lacking:
        page, lack = lacking[0]
        finding = say(
            "{url} has {lack}, in a text of {words} words.{further}",
            url=theirs(page.url),
            lack=lack,
            words=page.words,
            further=_further(len(lacking)),
        )
    none = f"No page has more than {MIN_WORDS_TO_DIVIDE} words of text."
    return judged(len(pages), evidence, finding, none=none)


def _headings_lack(page: ParsedPage) -> str:
    """What the headings of a page lack, as the object of "has". Further h1s divide a text as h2s do."""
    first = sum(heading.level == 1 for heading in page.headings)
    dividing = sum(heading.level in (2, 3) for heading in page.headings) + max(0, first - 1)
    if not page.headings:
        return say("no headings")
    if dividing < MIN_HEADINGS:
        return say("one heading to divide it by") if dividing else say("no heading to divide it by")
    return "" if first else say("no main heading (h1)")


def landmarks(site: Site) -> Outcome:
    """STR-02: the main content is in a main or article element, or an element of that role."""
    pages = content_pages(site)
    without = [page for page in pages if not page.has_landmark]
    lack = say("no <main>, no <article>")
    evidence = [Evidence(page.url, say("the html"), lack, to="<main>…</main>") for page in without]
    page = counted(len(pages), "page")
    return judged(
        len(pages), evidence, say("{number} of {page} mark no main content.", number=len(without), page=page)
    )


def tables(site: Site) -> Outcome:
    """STR-04: tables of data have header cells."""
    pages = [page for page in content_pages(site) if page.tables]
    bare = [(page, table) for page in pages for table in page.tables if not table.header_cells]
    evidence = [at_line(page.url, table.line, table.quote) for page, table in bare]
    finding = ""
    if bare:
        values = {"url": theirs(bare[0][0].url), "further": _further(len(bare))}
        finding = say("{url} has a table without header cells.{further}", **values)
    return judged(len(pages), evidence, finding, none="No page has a table in its content.")


def alternatives(site: Site) -> Outcome:
    """STR-06: images of the content have an alt text, which may be empty for decoration."""
    images = [(page, image) for page in content_pages(site) for image in page.images]
    evidence = [
        at_line(page.url, image.line, f"<img src={shortened(image.src, 200)}>")
        for page, image in images
        if image.alt is None
    ]
    image = counted(len(images), "image")
    finding = say("{number} of {image} have no alt text.", number=len(evidence), image=image)
    none = "The pages read have no images in their content."
    return judged(len(images), evidence, finding, wrong=len(evidence), none=none)


def language(site: Site) -> Outcome:
    """STR-07: the declared language is the one that the text is in."""
    pages = [page for page in content_pages(site) if page.lang_detected and page.lang_detected not in _DOUBTFUL]
    wrong = [page for page in pages if not _same_language(page.lang_declared, page.lang_detected)]
    evidence = [
        Evidence(page.url, say("the html element"), f'lang="{page.lang_declared}"', to=f'lang="{page.lang_detected}"')
        for page in wrong
    ]
    finding = ""
    if wrong:
        declared = wrong[0].lang_declared
        finding = say(
            "{url} {what} written in {lang_detected}.{also}",
            url=theirs(wrong[0].url),
            what=say("is declared as {declared}, but", declared=theirs(declared))
            if declared
            else say("declares no language, and"),
            lang_detected=wrong[0].lang_detected,
            also=also(len(wrong), "more page"),
        )
    return judged(len(pages), evidence, finding, none="No page has enough text to tell its language.")


def _same_language(declared: str, detected: str) -> bool:
    """Whether a declared code can be right for text that a detector calls so; several or unknown languages can."""
    one = declared.strip().lower().replace("_", "-").partition("-")[0]
    return one in (detected, "mul", "und", "zxx") or any({one, detected} <= group for group in _ALIKE)


def _further(number: int) -> str:
    return say(" {more_fault} of this kind.", more_fault=counted(number - 1, "more fault")) if number > 1 else ""
