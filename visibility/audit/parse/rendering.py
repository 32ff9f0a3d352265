"""What shows that scripts write a page."""

import re

from lxml import html

from visibility.audit.parse.document import Document, text_of

MAX_WORDS = 50
"""Above these visible words a page has a text of its own."""
ROOTS = ("root", "app", "__next", "__nuxt", "___gatsby", "svelte", "main-app", "q-app", "application")
ROOT_TAGS = ("app-root", "app", "ember-app")

_NEEDS_SCRIPT = re.compile(
    r"(?:enable|activate|requires?|need|aktivier\w{0,40}|activer|active|habilit\w{0,40}).{0,40}javascript|javascript.{0,40}(?:enable|require|disabled|need|aktivier|activ|deaktiv|désactiv)",
    re.IGNORECASE,
)


def client_rendered(page: Document, visible_words: int, scripts: int) -> str:
    """What shows it; empty for none. A page of some length is not, whatever its elements are called."""
    if scripts == 0 or visible_words > MAX_WORDS:
        return ""
    for element in page.root.iter("div", "main", "section", *ROOT_TAGS):
        if (element.get("id") in ROOTS or element.tag in ROOT_TAGS) and not text_of(element):
            return f"{_shown(element)} is empty"
    for element in page.root.iter("noscript"):
        if _NEEDS_SCRIPT.search(text_of(element)):
            return "a noscript element asks for JavaScript, and there is no other text"
    if visible_words < 5 and scripts:
        return f"{visible_words} words and {scripts} scripts"
    return ""


def _shown(element: html.HtmlElement) -> str:
    return f'<{element.tag} id="{element.get("id")}">' if element.get("id") else f"<{element.tag}>"
