"""Words of others and names of engines in templates. Built in: no template has to load it."""

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString

from visibility.engines.display import display_name, display_names
from visibility.pages.present.links import Link, link_to
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


@register.filter(name="engine_name")
def engine_name_filter(engine: str | None) -> str:
    """What people call the engine; empty for none."""
    return display_name(str(engine or ""))


@register.filter(name="engine_names")
def engine_names_filter(engines: Iterable[str] | None) -> str:
    """What people call these engines, with commas."""
    return ", ".join(display_names(engines or ()))


@register.filter(name="link")
def link_filter(url: str | None) -> Link | None:
    """The address that others wrote, with `href` where it can be followed without harm; None for nothing."""
    return link_to(url)
