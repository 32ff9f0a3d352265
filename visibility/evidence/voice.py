"""How a brand's own pages speak. Pure."""

from collections.abc import Sequence

from visibility.audit.page import ParsedPage
from visibility.evidence.types import Voice


def read_voice(pages: Sequence[ParsedPage]) -> Voice:
    """The voice of these pages of one brand, in their main language."""
    raise NotImplementedError
