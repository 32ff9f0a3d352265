"""About how many tokens a model reads in a text, without a tokenizer: one takes 130 MB of memory in every worker.

`estimate` was held against o200k on the results of all tools over real answers: 0 to 15 % too high. `most` is for
limits that must hold whatever others wrote: random letters and signs, rare scripts and emoji cost more than prose.
"""

import re
from typing import Any

import orjson

_ID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PIECE = re.compile(r"[A-Za-z]{1,9}|\d{1,3}|[^\sA-Za-z\d]{1,4}")
_ID_TOKENS = 24
_PIECE_TOKENS = 1.22
_ASCII_TOKENS = 0.31
_OTHER_TOKENS = 0.8
"""Of a character beyond ASCII: scripts that are rare in what tokenizers learn from take about so many."""

_RUN = re.compile(r"[A-Za-z]+|\d+|[!-/:-@[-`{-~]+")
_PROSE = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]{1,3})\Z")
_NO_WORD = re.compile(r"[b-df-hj-np-tv-xz]{5}|\A[^aeiouyAEIOUY]{3,}\Z")
_PROSE_TOKENS = 0.38
_ODD_TOKENS = 0.75
_SIGN_TOKENS = 0.9
_BLOCKS = (
    (0x0250, 1.0),  # Latin with accents
    (0x0370, 2.0),  # phonetic signs, marks above and below letters
    (0x0530, 1.0),  # Greek, Cyrillic
    (0x0800, 1.3),  # Armenian, Hebrew, Arabic
    (0x0E80, 1.7),  # scripts of India, Thai
    (0x2000, 3.0),
    (0x2070, 1.0),  # dashes, curved quotation marks
    (0x3000, 3.0),
    (0x3100, 1.4),  # Japanese
    (0x4E00, 3.0),
    (0xA000, 2.1),  # Chinese
    (0xAC00, 3.0),
    (0xD7B0, 2.4),  # Korean
    (0x10000, 3.0),
    (0x110000, 4.0),  # emoji, what is rarely written
)
"""Up to which character one takes so many tokens at most."""


def estimate(text: str) -> float:
    """About how many tokens a text is, rather too many than too few."""
    rest, ids = _ID.subn("", text)
    others = 0 if rest.isascii() else sum(not character.isascii() for character in rest)
    by_pieces = len(_PIECE.findall(rest)) * _PIECE_TOKENS
    return ids * _ID_TOKENS + max(by_pieces, len(rest) * _ASCII_TOKENS) + others * _OTHER_TOKENS


def estimate_of(part: Any) -> float:
    """The same for a part of a result, written as JSON."""
    return estimate(orjson.dumps(part).decode())


def most(text: str) -> float:
    """As many tokens as a text may take, prose or not; of prose it is half as many again."""
    others = 0.0 if text.isascii() else sum(_tokens_of(ord(letter)) for letter in text if not letter.isascii())
    return others + sum(_tokens_in(run) for run in _RUN.findall(text)) + text.count("\n")


def _tokens_in(run: str) -> float:
    if run.isdigit():
        return -(-len(run) // 3) * _PIECE_TOKENS
    if not run.isalpha():
        return max(len(run) * _SIGN_TOKENS, 1.0)
    is_word = _PROSE.match(run) and not _NO_WORD.search(run)
    return max(len(run) * (_PROSE_TOKENS if is_word else _ODD_TOKENS), _PIECE_TOKENS)


def _tokens_of(place: int) -> float:
    return next(tokens for end, tokens in _BLOCKS if place < end)
