"""What the doors show of sources."""

from datetime import date

from apikeys.resources import Resource, UntrustedText


class SourceDomain(Resource):
    """A site that answers of now cite: `answers` of `of_answers` do, with so many different `pages` of it."""

    domain: UntrustedText
    source_class: str
    competitor: str | None
    answers: int
    of_answers: int
    pages: int
    first_seen: date
