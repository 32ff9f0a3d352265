"""What a parsed page says: everything that a check reads of it, and nothing else. Stored as JSON, so that checks run
again without the page.

Lines count from 1 in the HTML as it was sent. Texts have their white space folded.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

PageKind = Literal[
    "home",
    "product",
    "pricing",
    "article",
    "listing",
    "about",
    "contact",
    "docs",
    "legal",
    "search",
    "login",
    "other",
]
"""What a page is for, told from address, markup and text: `listing` shows many items of a kind, `article` is dated
text (news, guides, comparisons), `docs` is reference."""

UnparsedReason = Literal["too_deep", "tag_too_large", "too_slow", "too_much_memory", "not_html", "broken"]
BlockKind = Literal["paragraph", "heading", "item", "table", "quote", "code"]


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text and the line where it begins."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Meta:
    """A meta element: its name, property or http-equiv in lower case, and its content."""

    name: str
    content: str
    line: int


@dataclass(frozen=True, slots=True)
class HeadLink:
    """A link element: one for each word of its rel, in lower case; its address is absolute."""

    rel: str
    url: str
    line: int
    type: str = ""
    hreflang: str = ""
    href: str = ""
    """As it is written."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 6. `words`: of text until the next heading."""

    level: int
    text: str
    line: int
    words: int = 0
    opening: str = ""
    """The first block of text below it, at most 600 characters."""


@dataclass(frozen=True, slots=True)
class Link:
    """An anchor. `url` is absolute, without its fragment; empty where nothing can be followed (no href, a script)."""

    url: str
    text: str
    line: int
    place: Literal["navigation", "main", "footer", "other"]
    rel: tuple[str, ...] = ()
    href: str = ""
    """As it is written, at most 200 characters."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a page or its header: no tracking pixel, no decoration that says so. `alt` is null where there is
    none."""

    src: str
    alt: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the main text. `path`: the headings above it, outermost first; `offset`: where it begins in the main
    text (`ParsedPage.main_text`); `links`: absolute addresses that it links."""

    kind: BlockKind
    text: str
    offset: int
    path: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table of data, or a grid of repeated label and value rows that stands for one (`marked_up` false)."""

    line: int
    rows: int
    columns: int
    header_cells: int
    marked_up: bool
    quote: str


@dataclass(frozen=True, slots=True)
class Markup:
    """A block of structured data: its nodes, or why it could not be read (`error`, at `error_line` of the page).

    A JSON-LD block that is broken says so and the other blocks stay. Where comments, late commas or line breaks in
    texts are all that strict readers stumble over, `error` says so and the nodes are there all the same.
    """

    syntax: Literal["json-ld", "microdata"]
    line: int
    nodes: tuple[dict[str, Any], ...] = ()
    error: str = ""
    error_line: int = 0


@dataclass(frozen=True, slots=True)
class PageDate:
    """A date that the page declares or shows."""

    day: date
    source: Literal["published", "modified", "time", "meta", "visible", "guess"]
    """`published` and `modified`: structured data; `time`: a time element; `visible`: read in the text; `guess`:
    estimated by htmldate."""
    quote: str
    line: int = 0
    meaning: Literal["published", "modified", ""] = ""


@dataclass(frozen=True, slots=True)
class Price:
    """A price in the visible text: an amount in digits with a point, and a currency (ISO 4217)."""

    amount: str
    currency: str
    quote: str
    line: int
    main: bool = False
    """The price of what the page offers, as well as can be told."""
    written: str = ""
    """Amount and currency as they are written."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Text that people do not see and machines read, addressed to AI systems."""

    quote: str
    how: Literal["unicode", "style", "comment"]
    line: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A key piece of text that is on the page but not in what a content extractor keeps."""

    kind: Literal["h1", "th", "price", "json-ld"]
    text: str
    selector: str
    line: int


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """One HTML page as a reader without scripts has it."""

    url: str
    kind: PageKind
    kind_because: str
    """What tells the kind, in a few words: `/pricing in the address`."""
    content_hash: str
    """SHA-256 of the main text without the dates that it shows."""
    html_bytes: int
    words: int
    """Of the main text."""
    visible_words: int
    """Of all visible text."""
    main_text: str = ""
    """At most 200,000 characters."""
    visible_text: str = ""
    """Navigation and footer included; at most 400,000 characters."""
    lang_declared: str = ""
    lang_detected: str = ""
    """ISO 639-1, empty under 100 words."""
    titles: tuple[Text, ...] = ()
    metas: tuple[Meta, ...] = ()
    head_links: tuple[HeadLink, ...] = ()
    headings: tuple[Heading, ...] = ()
    landmarks: tuple[str, ...] = ()
    """Of main, article, nav, header, footer, aside (elements or roles): those that are there."""
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    tables: tuple[Table, ...] = ()
    lists: int = 0
    """Real lists (ul, ol) in the main content."""
    markup: tuple[Markup, ...] = ()
    dates: tuple[PageDate, ...] = ()
    prices: tuple[Price, ...] = ()
    bylines: tuple[Text, ...] = ()
    """Names of authors that the page shows or links with rel=author."""
    unquotable_words: int = 0
    """Words of the main text inside data-nosnippet."""
    client_rendered: str = ""
    """What shows that scripts write the page, such as `<div id="root"> is empty`; empty for none."""
    scripts: int = 0
    hidden: tuple[Hidden, ...] = ()
    key_spans: int = 0
    """How many key pieces of text (see `Lost`) the page has."""
    lost: tuple[Lost, ...] = ()
    reading_grade: float | None = None
    """Automated readability index; null under 900 words."""
    cut: bool = False
    """The page was longer than the cap: this is its beginning."""

    def meta(self, *names: str) -> tuple[Meta, ...]:
        """The meta elements with one of these names."""
        return tuple(meta for meta in self.metas if meta.name in names)

    def linked(self, rel: str) -> tuple[HeadLink, ...]:
        """The link elements with this rel."""
        return tuple(link for link in self.head_links if link.rel == rel)

    def nodes(self, *types: str) -> tuple[dict[str, Any], ...]:
        """The nodes of structured data of one of these types (named without schema.org), at any depth."""
        return tuple(node for markup in self.markup for node in nodes_of(markup.nodes) if types_of(node) & set(types))


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A page that could not be parsed within its limits, or is no HTML: a finding of its own."""

    url: str
    reason: UnparsedReason
    detail: str = field(default="")
    """A sentence that a person can be shown."""


def types_of(node: dict[str, Any]) -> set[str]:
    """The types of a node, without the prefix of schema.org."""
    named = node.get("@type")
    names = named if isinstance(named, (list, tuple)) else [named]
    return {name.rstrip("/").rsplit("/", 1)[-1].removeprefix("schema:") for name in names if isinstance(name, str)}


def nodes_of(value: Any, without: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The nodes in structured data, at any depth, in the order of the page; those of the types `without` are left out
    with all that stands in them."""
    nodes, waiting = [], [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if without and types_of(part) & set(without):
                continue
            nodes.append(part)
            waiting.extend(reversed(part.values()))
        elif isinstance(part, (list, tuple)):
            waiting.extend(reversed(part))
    return nodes
