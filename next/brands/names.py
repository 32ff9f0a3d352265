"""Names and domains by which answers mention and cite a brand and its competitors."""

import re

_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")


def spelling_key(name: str) -> str:
    """The same for names that are found in the same places: in whatever case, with hyphens or spaces.

    "monday.com" and "Monday" are two.
    """
    return _HYPHEN.sub(" ", name.casefold())
