"""Words of others in templates. Built in: no template has to load it."""

from django import template
from django.utils.safestring import SafeString

from visibility.pages.present.markdown import markdown_html
from visibility.pages.present.quotes import MAX_QUOTE, quote_html

register = template.Library()


@register.filter(name="quote")
def quote_filter(text: str | None, most: int = MAX_QUOTE) -> SafeString:
    """The text as a line, what its Markdown means and no Markdown; so many letters at most."""
    return quote_html(str(text or ""), most)


@register.filter(name="markdown")
def markdown_filter(text: str | None) -> SafeString:
    """The text as what its Markdown means: headings, lists, tables; no HTML of its own."""
    return markdown_html(str(text or ""))
