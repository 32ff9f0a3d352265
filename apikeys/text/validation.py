"""Checks of what people type, made by services before anything is stored."""

import unicodedata

from apikeys.errors import invalid
from apikeys.text.untrusted import clean, holds_marks, without_variations


def clean_line(argument: str, text: str, *, longest: int, required: bool = True) -> str:
    """One line of text: NFC, runs of white space (line breaks too) made one space, 1 to `longest` characters, without
    variation selectors.

    Raises invalid_arguments, naming `argument`, for control and other invisible characters, for the marks that
    this service puts around words of others, for a text that is too long, and for an empty one unless it is not
    `required`.
    """
    line = unicodedata.normalize("NFC", " ".join(without_variations(text).split()))
    hidden = next((character for character in line if clean(character) != character), None)
    if hidden:
        raise invalid(argument, f"The {argument} contains the invisible character U+{ord(hidden):04X}. Remove it.")
    if holds_marks(line):
        message = "contains “untrusted-quote” after a <, which this service uses to mark text by others. Remove it."
        raise invalid(argument, f"The {argument} {message}")
    if required and not line:
        raise invalid(argument, f"The {argument} is empty. Give 1 to {longest} characters.")
    _refuse_longer(argument, line, longest)
    return line


def clean_text(argument: str, text: str, *, longest: int) -> str:
    """Text of several lines, each as `clean_line` leaves it; empty lines are kept."""
    lines = [clean_line(argument, line, longest=longest, required=False) for line in text.splitlines()]
    joined = "\n".join(lines).strip()
    _refuse_longer(argument, joined, longest)
    return joined


def _refuse_longer(argument: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise invalid(
            argument, f"The {argument} has {len(text)} characters; at most {longest} are allowed. Shorten it."
        )
