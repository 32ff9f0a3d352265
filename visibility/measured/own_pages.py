"""The brand's own pages, and which of them answers a question: by content, never by address alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from brands.models import Brand


@dataclass(frozen=True, slots=True)
class OwnPage:
    """A page of the brand: of its latest audit, or stored for local search below one of its domains."""

    url: str
    title: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """How well a page answers: `share` (0–1) of what is asked for is in its title, headings or text; `passage` is its
    best passage, verbatim."""

    page: OwnPage
    share: float
    passage: str


@dataclass(frozen=True)
class OwnPages:
    """All own pages that are known; empty where none was read, which is not that there is none."""

    pages: Sequence[OwnPage]

    def best(self, question: str) -> Match | None:
        """The page that answers it best; None where no page shares a word that tells."""
        raise NotImplementedError

    def answers(self, question: str) -> Match | None:
        """The page that answers it well enough; None where none does."""
        raise NotImplementedError

    def is_about(self, topic: str) -> bool:
        """Whether a page is about what people call so: its title or a heading, not a mention in passing."""
        raise NotImplementedError


def read_own_pages(brand: Brand) -> OwnPages:
    """The own pages of the brand, in two statements."""
    raise NotImplementedError
