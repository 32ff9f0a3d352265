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


_READER = MarkdownIt("commonmark", {"html": False}).enable("table")
_READER.validateLink = lambda url: url.casefold().startswith(("https://", "http://"))  # type: ignore[method-assign]
_READER.add_render_rule("link_open", _link)
_READER.add_render_rule("image", _image)


def as_markdown(title: str, markdown: str) -> str:
    """The text below its title. A title is one line and no markup."""
    line = title.replace("\\", "\\\\")
    for sign in "`*_[]<>#":
        line = line.replace(sign, f"\\{sign}")
    return f"# {line}\n\n{markdown}\n"


def as_html(title: str, markdown: str, data: Mapping[str, Any], locale: str) -> str:
    """A page of its own, with its structured data."""
    return _PAGE.format(
        language=escape(locale or DEFAULT_LANGUAGE),
        title=escape(title),
        data=in_script(data),
        body=_READER.render(markdown),
    )
