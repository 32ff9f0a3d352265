"""Texts made shorter so that they stay true: a prefix, word for word, with … behind it and outside of its marks."""

from apikeys.text.untrusted import QUOTE_CLOSE, QUOTE_OPEN, marked, unmarked

MORE = "…"


def shortened(text: str, characters: int) -> str:
    """The text, or a prefix of it of at most so many characters. A sentence with marks in it stays whole: its parts
    are of different origin."""
    is_marked = text.startswith(QUOTE_OPEN) and text.find(QUOTE_CLOSE) == len(text) - len(QUOTE_CLOSE)
    if not is_marked:
        return text if len(text) <= characters or QUOTE_OPEN in text else prefix(text, characters) + MORE
    words = unmarked(text)
    return text if len(words) <= characters else marked(prefix(words, characters)) + MORE


def prefix(text: str, characters: int) -> str:
    """The beginning of a text, to the end of a word where one ends in its second half."""
    beginning = text[:characters]
    end = max(beginning.rfind(" "), beginning.rfind("\n"))
    return beginning[:end] if end > characters // 2 else beginning
