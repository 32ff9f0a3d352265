"""How the service introduces itself to sites, and what rules in their robots.txt are for it."""

import re

_AGENT = re.compile(r"([A-Za-z_-]+)(?:/[^\s()]*)?(?: [ -~]*)?")
_PAGE = re.compile(r"\+(https?://[^\s;)]+)")


def product_token(user_agent: str) -> str:
    """The name that groups in robots.txt go by (RFC 9309): the first word of the user agent, without its version.

    Raises ValueError for a text that has none, or cannot stand in a header field.
    """
    match = _AGENT.fullmatch(user_agent)
    if not match:
        raise ValueError(
            f"{user_agent!r} does not begin with a name of letters, '-' and '_', or holds other than ASCII. "
            "Write it as YourBot/1.0 (+https://example.com/bot)."
        )
    return match[1]


def under_name(token: str, user_agent: str) -> str:
    """A user agent that names a crawler by its token, as its vendor's does, and the page that explains ours, where
    our own user agent names one: who finds it in a log can look up who asked."""
    page = _PAGE.search(user_agent)
    return f"Mozilla/5.0 (compatible; {token}/1.0{f'; +{page[1]}' if page else ''})"
