"""How the service introduces itself to sites, and what rules in their robots.txt are for it."""

import re

_AGENT = re.compile(r"([A-Za-z_-]+)(?:/[^\s()]*)?(?: [ -~]*)?")


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
