"""What a brand's pages claim, and what answers say of it. Pure."""

from collections.abc import Sequence

from visibility.audit.page import ParsedPage
from visibility.evidence.types import AnswerText, Claim, WeighedClaim


def find_claims(pages: Sequence[ParsedPage], names: Sequence[str]) -> list[Claim]:
    """The claims of the brand known by these names, the best backed first.

    They stand on home, product, features, pricing and about pages.
    """
    raise NotImplementedError


def weigh_claims(claims: Sequence[Claim], answers: Sequence[AnswerText]) -> list[WeighedClaim]:
    """What the answers that name the brand say of each claim."""
    raise NotImplementedError
