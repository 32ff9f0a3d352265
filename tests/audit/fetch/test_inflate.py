"""Gzip read to a bound, as sitemaps come."""

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.fetch.behaviours import bomb
from visibility.audit.fetch.inflate import BrokenGzip, Inflater


def inflate(data, limit):
    """What is inflated, and whether it was cut: longer than the limit, or its end is missing."""
    inflater = Inflater(limit)
    inflater.feed(data)
    return inflater.inflated(), inflater.cut or not inflater.complete


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(1, 1_500), st.integers(1, 50))
def test_it_is_what_gzip_says_up_to_the_bound_in_whatever_pieces(parts, limit, step):
    whole = b"".join(parts)
    packed = b"".join(gzip.compress(part) for part in parts)
    inflater = Inflater(limit)
    for start in range(0, len(packed), step):
        inflater.feed(packed[start : start + step])
    assert (inflater.inflated(), inflater.cut) == (whole[:limit], len(whole) > limit)
    assert inflate(packed, limit) == (whole[:limit], len(whole) > limit)


def test_a_bomb_is_cut_at_the_bound():
    assert inflate(bomb(), 1_000) == (bytes(1_000), True)


def test_what_misses_its_end_is_cut():
    packed = gzip.compress(bytes(range(256)) * 40)
    text, cut = inflate(packed[:-20], 100_000)
    assert cut and (bytes(range(256)) * 40).startswith(text)


@pytest.mark.parametrize(
    "data",
    [b"<urlset>", b"\x1f\x8b\x09rest of no known way", gzip.compress(b"abc" * 99, mtime=0)[:-8] + bytes(8)],
    ids=["no gzip", "unknown way", "wrong sum"],
)
def test_what_is_no_gzip_is_refused(data):
    with pytest.raises(BrokenGzip):
        inflate(data, 1_000)


def test_nothing_is_nothing():
    assert inflate(b"", 10) == (b"", False)


def test_a_bomb_takes_no_more_memory_than_its_bound():
    packed = bomb(64)
    tracemalloc.start()
    try:
        inflate(packed, 100_000)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
