"""The words of findings. Sentences quote the site between “ and ” only, and quotes contain neither, so that prompts
can replace them by other marks."""

from collections.abc import Sequence

_QUOTES = str.maketrans("“”", "''")


def theirs(text: str, most: int = 200) -> str:
    """Words of the site, as a quote in a sentence of ours."""
    return f"“{shortened(text, most).translate(_QUOTES)}”"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 page`, `2 pages`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def listed(texts: Sequence[str]) -> str:
    """Texts as a sentence lists them: `a, b and c`."""
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else ""


def shortened(text: str, most: int) -> str:
    """The text in one line, at most so long; an ellipsis in place of the rest."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def also(number: int, noun: str = "page") -> str:
    """The sentence that follows one about the first of so many: the same is so for the rest."""
    return f" The same is so for {counted(number - 1, f'more {noun}')}." if number > 1 else ""
