"""What the head of a page declares: titles, meta elements, link elements, language."""

from visibility.audit.page import HeadLink, Meta, Text
from visibility.audit.parse.document import Document, folded

MAX_METAS = 500
MAX_CONTENT = 4_000


def titles(page: Document) -> tuple[Text, ...]:
    """The title elements of the document; those of pictures (svg) are none."""
    texts = (
        Text(folded("".join(title.itertext())), title.sourceline or 0)
        for title in page.root.iter("title")
        if not any(around.tag == "svg" for around in title.iterancestors())
    )
    return tuple(title for title, _ in zip(texts, range(20), strict=False))


def metas(page: Document) -> tuple[Meta, ...]:
    """The meta elements that have a name, property or http-equiv; one that has several stands once for each."""
    records: list[Meta] = []
    for element in page.root.iter("meta"):
        content = folded(element.get("content") or "")[:MAX_CONTENT]
        names = dict.fromkeys(
            name.strip().lower() for key in ("name", "property", "http-equiv") if (name := element.get(key))
        )
        records.extend(Meta(name[:200], content, element.sourceline or 0) for name in names)
        if len(records) >= MAX_METAS:
            break
    return tuple(records[:MAX_METAS])


def head_links(page: Document) -> tuple[HeadLink, ...]:
    """The link elements that have an href, one for each word of their rel."""
    records = []
    for element in page.root.iter("link"):
        href = (element.get("href") or "").strip()
        if not href:
            continue
        for rel in dict.fromkeys((element.get("rel") or "").lower().split()):
            records.append(
                HeadLink(
                    rel=rel,
                    url=page.absolute(href),
                    line=element.sourceline or 0,
                    type=(element.get("type") or "").strip().lower(),
                    hreflang=(element.get("hreflang") or "").strip(),
                    href=href[:2048],
                )
            )
        if len(records) >= MAX_METAS:
            break
    return tuple(records[:MAX_METAS])


def declared_language(page: Document) -> str:
    """The lang of the html element (xml:lang without it), as it is written."""
    html = page.root if page.root.tag == "html" else page.root.find(".//html")
    if html is None:
        return ""
    return (
        html.get("lang") or html.get("{http://www.w3.org/XML/1998/namespace}lang") or html.get("xml:lang") or ""
    ).strip()
