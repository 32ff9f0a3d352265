"""Markdown of drafts: foreign words put in so that they stay words, and what stands in a text found again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from apikeys.text.untrusted import clean
from visibility.writers.languages.language import language_for
from visibility.writers.tasks import DraftTask

MARK = re.compile(r"\[(S\d+)\]")
GAP = re.compile(r"\[(?:fact needed:|add) ([^\]]*)\]", re.IGNORECASE)
"""What is not known: [fact needed: …]; earlier drafts have [add …]."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&$])")
_LEADING = re.compile(r"^(\d+)([.)])|^([-+=])")
_ADDRESS = re.compile(r"(?:\b\w++://|www\.)[^\s)\]>\"']+", re.IGNORECASE)
PARSER = MarkdownIt("commonmark").enable("table")
_LITERAL = ("fence", "code_block", "html_block")
# Whatever a link leads to, it is one: what is not recognised here could be a link to another reader.
PARSER.validateLink = lambda url: True  # type: ignore[method-assign]


def escaped(text: str) -> str:
    """Foreign words on one line that no reader of Markdown takes for markup; addresses in them are left out."""
    line = " ".join(_ADDRESS.sub("(link)", clean(text)).split())
    line = _SPECIAL.sub(r"\\\1", line)
    return _LEADING.sub(lambda match: f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[3]}", line)


def link(title: str, url: str) -> str:
    """A link whose title and address cannot end it early; the title alone where the address is none of the web."""
    if not url.startswith(("https://", "http://")) or any(sign.isspace() for sign in url):
        return escaped(title)
    address = clean(url).translate({ord(sign): f"%{ord(sign):02X}" for sign in "()<>[]\\`|\"'*_"})
    return f"[{escaped(title)}]({address})"


def finished(body: str, task: DraftTask) -> str:
    """The page with what is still needed and the sources that it names listed at its end."""
    phrases = language_for(task.locale).draft
    gaps = [f"- {gap}" for gap in gaps_in(body)]
    marks = set(MARK.findall(body))
    lines = [line for mark, line in _source_lines(task).items() if mark in marks]
    lists = [(phrases.needed, gaps), (phrases.sources, lines)]
    return "\n\n".join([body, *("\n\n".join([f"## {heading}", "\n".join(rows)]) for heading, rows in lists if rows)])


def body_of(markdown: str, task: DraftTask, before: str = "") -> str:
    """The page without the lists at its end. What stands in them and is none of theirs stays as text of the page;
    gaps of the page as it was `before` are theirs too."""
    phrases = language_for(task.locale).draft
    heads = {f"## {phrases.needed}", f"## {phrases.sources}"}
    lines = markdown.splitlines()
    first = next((index for index, line in enumerate(lines) if line.strip() in heads), len(lines))
    body = "\n".join(lines[:first]).strip()
    gaps = {f"- {gap}" for text in (body, before) for gap in gaps_in(text)}
    known = heads | set(_source_lines(task).values()) | gaps
    rest = [line for line in lines[first:] if line.strip() and line.strip() not in known]
    return "\n\n".join(filter(None, [body, *rest]))


def gaps_in(markdown: str) -> list[str]:
    """What is asked for in each gap, once."""
    gaps = (match[1].strip() for match in GAP.finditer(markdown))
    return list(dict.fromkeys(gap[:1].upper() + gap[1:] for gap in gaps))


def _source_lines(task: DraftTask) -> dict[str, str]:
    return {row.mark: f"- [{row.mark}] {link(row.source, row.url)}" for row in task.materials}


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, table cell or the like. `depth` is a heading's level, 0 for all else.

    `text` is the words as they are shown, `quote` says that they stand in a block quote.
    """

    text: str
    depth: int = 0
    quote: bool = False


def blocks(markdown: str) -> list[Block]:
    """The blocks of a text, in order."""
    text_blocks, depth, quotes = [], 0, 0
    for token in PARSER.parse(markdown):
        if token.type == "heading_open":
            depth = int(token.tag[1:])
        elif token.type == "heading_close":
            depth = 0
        elif token.type in ("blockquote_open", "blockquote_close"):
            quotes += token.nesting
        elif token.type == "inline" and token.content.strip():
            text_blocks.append(Block(shown(token), depth, quotes > 0))
        elif token.type in _LITERAL and token.content.strip():
            text_blocks.append(Block(token.content.strip()))
    return text_blocks


def foreign_markup(markdown: str) -> str:
    """What a text that was written must not contain, in words for who wrote it: HTML, images, addresses of any kind.

    Empty when nothing is wrong.
    """
    definitions: dict[str, Any] = {}
    tokens = PARSER.parse(markdown, definitions)
    every = [*tokens, *(child for token in tokens for child in token.children or [])]
    if any(token.type in ("html_block", "html_inline") for token in every):
        return "It contains HTML. Write Markdown only."
    if any(token.type == "image" for token in every):
        return "It contains an image. Leave images out."
    targets = [str(token.attrs.get("href", "")) for token in every if token.type == "link_open"]
    targets += [reference["href"] for reference in definitions.get("references", {}).values()]
    addresses = [*targets, *_ADDRESS.findall(_words(every))]
    return f"It contains the address {addresses[0][:200]}. Leave addresses out." if addresses else ""


def links_in(markdown: str) -> set[str]:
    """The words of the links to pages of the web."""
    words: set[str] = set()
    for token in PARSER.parse(markdown):
        target, text = "", ""
        for child in token.children or []:
            if child.type == "link_open":
                target, text = str(child.attrs.get("href", "")), ""
            elif child.type == "link_close":
                if target.startswith(("https://", "http://")) and text.strip():
                    words.add(text)
                target = ""
            elif target:
                text += child.content
    return words


def _words(tokens: Sequence[Token]) -> str:
    kinds = ("text", "code_inline", "fence", "code_block")
    return " ".join(token.content for token in tokens if token.type in kinds)


def shown(token: Token) -> str:
    """The words of an inline token without their markup."""
    parts = [
        "\n" if child.type in ("softbreak", "hardbreak") else child.content for child in token.children or [token]
    ]
    return "".join(parts)
