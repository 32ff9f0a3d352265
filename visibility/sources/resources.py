"""What the doors show of sources."""

from datetime import date

from apikeys.resources import Resource, UntrustedText


class SourceDomain(Resource):
    """A site that answers of now cite: `answers` of `of_answers` do, with so many different `pages` of it.
    `top_page` is the page of it in most of these answers, `top_page_answers`; null where its address is very long."""

    domain: UntrustedText
    source_class: str
    competitor: UntrustedText | None
    answers: int
    of_answers: int
    pages: int
    top_page: UntrustedText | None
    top_page_answers: int
    first_seen: date
