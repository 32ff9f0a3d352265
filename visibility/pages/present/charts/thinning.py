"""Fewer points where there are more than fit, without hiding what stands out."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TypeVar

Item = TypeVar("Item")


def outline(items: Sequence[Item], most: int, value: Callable[[Item], float]) -> list[Item]:
    """The points of a line that looks the same: of each of equal stretches its first, last, lowest and highest. At
    most `most` of them, in their order; all where they are no more."""
    if len(items) <= most:
        return list(items)
    kept: list[Item] = []
    for stretch in _stretches(items, max(1, most // 4)):
        places = range(len(stretch))
        chosen = {
            0,
            len(stretch) - 1,
            min(places, key=lambda place: value(stretch[place])),
            max(places, key=lambda place: value(stretch[place])),
        }
        kept += [stretch[place] for place in sorted(chosen)]
    return kept


def spread(items: Sequence[Item], most: int, weight: Callable[[Item], int]) -> list[Item]:
    """One of each of `most` equal stretches: that with the greatest weight, of equal ones the last."""
    if len(items) <= most:
        return list(items)
    return [
        max(enumerate(stretch), key=lambda place: (weight(place[1]), place[0]))[1]
        for stretch in _stretches(items, most)
    ]


def _stretches(items: Sequence[Item], number: int) -> Iterator[list[Item]]:
    numbered = enumerate(items)
    for _, stretch in groupby(numbered, key=lambda place: place[0] * number // len(items)):
        yield [item for _, item in stretch]
