"""Cuts an answer at the names in it, so that a template can mark each piece; it escapes them as any other text."""

from collections.abc import Iterator
from dataclasses import dataclass

from apikeys.text.untrusted import clean
from visibility.resources.answers import AnswerResource, MentionSpan


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer. `mention` is the name that fills it, None between names."""

    text: str
    mention: MentionSpan | None = None


def pieces(answer: AnswerResource) -> list[Piece]:
    """The text in order; where names overlap the first one is marked."""
    return [piece for piece in _cut(answer) if piece.text]


def _cut(answer: AnswerResource) -> Iterator[Piece]:
    end = 0
    for mention in sorted(answer.mentions, key=lambda mention: (mention.start, -mention.end)):
        if mention.start >= end:
            yield Piece(clean(answer.text[end : mention.start]))
            yield Piece(clean(answer.text[mention.start : mention.end]), mention)
            end = mention.end
    yield Piece(clean(answer.text[end:]))
