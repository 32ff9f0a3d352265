"""Markdown of drafts: foreign words put in so that they stay words, and what stands in a text found again."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from apikeys.text.untrusted import clean
from visibility.writers.languages.language import language_for
from visibility.writers.tasks import DraftTask

MARK = re.compile(r"\[(S\d+)\]")
GAP = re.compile(r"\[add [^\]]*\]", re.IGNORECASE)
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&$])")
_LEADING = re.compile(r"^(\d+)([.)])|^([-+=])")
_ADDRESS = re.compile(r"(?:\w+://|www\.)[^\s)\]>\"']+", re.IGNORECASE)
_PARSER = MarkdownIt("commonmark").enable("table")
# Whatever a link leads to, it is one: what is not recognised here could be a link to another reader.
_PARSER.validateLink = lambda url: True  # type: ignore[method-assign]


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


def source_list(task: DraftTask, marks: Collection[str] | None = None) -> str:
    """Where the passages are from (those with these marks), under a heading; empty where there are none."""
    materials = [material for material in task.materials if marks is None or material.mark in marks]
    lines = [f"- [{material.mark}] {link(material.source, material.url)}" for material in materials]
    return "\n\n".join([f"## {language_for(task.locale).draft.sources}", "\n".join(lines)]) if lines else ""


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
    for token in _PARSER.parse(markdown):
        if token.type == "heading_open":
            depth = int(token.tag[1:])
        elif token.type == "heading_close":
            depth = 0
        elif token.type in ("blockquote_open", "blockquote_close"):
            quotes += token.nesting
        elif token.type == "inline" and token.content.strip():
            text_blocks.append(Block(_shown(token), depth, quotes > 0))
    return text_blocks


def foreign_markup(markdown: str) -> str:
    """What a text that was written must not contain, in words for who wrote it: HTML, images, addresses of any kind.

    Empty when nothing is wrong.
    """
    definitions: dict[str, Any] = {}
    tokens = _PARSER.parse(markdown, definitions)
    every = [*tokens, *(child for token in tokens for child in token.children or [])]
    if any(token.type in ("html_block", "html_inline") for token in every):
        return "It contains HTML. Write Markdown only."
    if any(token.type == "image" for token in every):
        return "It contains an image. Leave images out."
    targets = [str(token.attrs.get("href", "")) for token in every if token.type == "link_open"]
    targets += [reference["href"] for reference in definitions.get("references", {}).values()]
    addresses = [*targets, *_ADDRESS.findall(_words(every))]
    return f"It contains the address {addresses[0][:200]}. Leave addresses out." if addresses else ""


def _words(tokens: Sequence[Token]) -> str:
    kinds = ("text", "code_inline", "fence", "code_block")
    return " ".join(token.content for token in tokens if token.type in kinds)


def _shown(token: Token) -> str:
    """The words of a block without their markup."""
    parts = [
        "\n" if child.type in ("softbreak", "hardbreak") else child.content for child in token.children or [token]
    ]
    return "".join(parts)
