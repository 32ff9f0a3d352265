"""Codes of languages, as pages declare them and as detectors name them."""

import re

_SAME = (
    {"no", "nb", "nn", "da"},
    {"hr", "sr", "bs", "sh", "cnr"},
    {"id", "ms", "in"},
    {"he", "iw"},
    {"yi", "ji"},
    {"tl", "fil"},
    {"ro", "mo"},
    {"zh", "yue", "cmn", "wuu"},
    {"gl", "pt"},
    {"hi", "ur", "mr", "ne"},
    {"cs", "sk"},
    {"bg", "mk"},
    {"af", "nl"},
    {"fa", "ps", "prs"},
    {"de", "lb", "gsw"},
    {"es", "ast", "an"},
)
"""Codes of one language, old and new, and languages that a detector cannot tell apart on a page."""
DOUBTFUL = frozenset({"an", "br", "eo", "jv", "la", "lb", "mt", "oc", "qu", "rw", "se", "vo", "wa", "xh", "zu"})
"""What a detector takes lists of names and code for, more often than it meets these languages."""
_NO_LANGUAGE = frozenset({"mul", "und", "zxx"})
"""Declared on purpose: several languages, unknown, none."""


def primary(code: str) -> str:
    """The language of a code: `pt` of `pt-BR`."""
    return re.split(r"[-_]", code.strip().lower())[0]


def same_language(declared: str, detected: str) -> bool:
    """Whether a declared code can be right for text that a detector calls so."""
    one, other = primary(declared), primary(detected)
    return one == other or one in _NO_LANGUAGE or any({one, other} <= group for group in _SAME)
