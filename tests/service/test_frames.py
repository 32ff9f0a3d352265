"""Wherever in the stack a page happens to loop, its calls cost the system nothing: each chunk of frames that is asked
for is a page of memory that is touched for the first time, and the system counts these."""

import resource

import pytest

from apikeys.http.frames import RoomyMiddleware

CALLS, DEEPEST = 500, 150


def _leaf():
    return None


def _new_pages(depth):
    """How many pages of memory so many calls touch first, this deep."""
    if depth:
        return _new_pages(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        _leaf()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def _most(run):
    return max(run(depth) for depth in range(DEEPEST))


def test_no_depth_makes_calls_ask_for_memory():
    if _most(_new_pages) < CALLS:
        pytest.skip("This Python does not give chunks of frames back, or this system does not count pages")
    answering = RoomyMiddleware(_new_pages)
    assert _most(answering) < CALLS / 10
