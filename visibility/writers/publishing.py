"""A draft as a file: Markdown as it stands, or a page of HTML of its own.

The text may be anybody's: raw HTML in it is shown as text, images are left out, and links lead to the web alone and
vouch for nothing.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from apikeys.text.language_files import DEFAULT_LANGUAGE
from visibility.writers.markup import GAP, MARK
from visibility.writers.structured import in_script

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<script type="application/ld+json">
{data}
</script>
</head>
<body>
<main>
<h1>{title}</h1>
{body}</main>
</body>
</html>
"""


def _link(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    tokens[index].attrSet("rel", "nofollow noopener")
    return renderer.renderToken(tokens, index, options, env)


def _image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return escape(tokens[index].content)


def _text_with_marks(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Words with a link from each mark to its source, and with gaps that stand out."""
    words = GAP.sub(lambda match: f"\ue000{match[0]}\ue001", tokens[index].content.translate(_NO_SIGNS))
    html = MARK.sub(lambda match: f'<a class="mark" href="#{match[1]}">{match[1]}</a>', escape(words))
    return html.replace("\ue000", '<mark class="gap">').replace("\ue001", "</mark>")


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.validateLink = lambda url: url.casefold().startswith(("https://", "http://"))  # type: ignore[method-assign]
    reader.add_render_rule("link_open", _link)
    reader.add_render_rule("image", _image)
    return reader


_NO_SIGNS = {0xE000: None, 0xE001: None}
_READER = _reader()
_PREVIEW = _reader()
_PREVIEW.add_render_rule("text", _text_with_marks)


def as_markdown(title: str, markdown: str) -> str:
    """The text below its title. A title is one line and no markup."""
    line = title.replace("\\", "\\\\")
    for sign in "`*_[]<>#":
        line = line.replace(sign, f"\\{sign}")
    return f"# {line}\n\n{markdown}\n"


def as_preview(markdown: str) -> str:
    """The text as it will be read, for a page of ours: each mark leads to the source with its name as id."""
    return str(_PREVIEW.render(markdown))


def as_html(title: str, markdown: str, data: Mapping[str, Any], locale: str) -> str:
    """A page of its own, with its structured data."""
    return _PAGE.format(
        language=escape(locale or DEFAULT_LANGUAGE),
        title=escape(title),
        data=in_script(data),
        body=_READER.render(markdown),
    )
