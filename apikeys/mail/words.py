"""The words of a mail, as plain text and as HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language


@dataclass(frozen=True, slots=True)
class Words:
    """What a mail says. The HTML shows no image but those that come along, as `cid:NAME`."""

    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Button:
    """A link of a mail, and what it does."""

    label: str
    address: str


def words_of(template: str, subject: str, context: Mapping[str, Any]) -> Words:
    """The mail of the templates `mail/TEMPLATE.txt` and `.html`, in the language of this moment."""
    subject = " ".join(subject.split())[:200]
    shared = {"subject": subject, "language": get_language(), "home": settings.PUBLIC_URL, **context}
    text = render_to_string(f"mail/{template}.txt", shared).strip() + "\n"
    return Words(subject, text, render_to_string(f"mail/{template}.html", shared))


def notice(subject: str, lines: Sequence[str], button: Button | None = None, *, unsubscribe: str = "") -> Words:
    """A mail of some sentences, with one thing to do at most. Lines after the button say what else is to be known;
    `unsubscribe`: the address that ends a mailing."""
    context = {"lines": lines[:1], "more": lines[1:], "button": button, "unsubscribe": unsubscribe}
    return words_of("notice", subject, context)
