"""The way to the network: where connections may go, bodies that are bounded, and how long to wait. See README.md."""

from visibility.net.body import Bounded, read_body
from visibility.net.client import MAX_HEADER_FIELDS, MAX_HEADER_LINE, open_session
from visibility.net.guard import Guard, RefusedAddress, is_barred, is_public, unwrapped
from visibility.net.inflate import BodyError, BrokenGzip, Inflater, UnknownCoding
from visibility.net.retry import seconds_to_wait

__all__ = [
    "MAX_HEADER_FIELDS",
    "MAX_HEADER_LINE",
    "BodyError",
    "Bounded",
    "BrokenGzip",
    "Guard",
    "Inflater",
    "RefusedAddress",
    "UnknownCoding",
    "is_barred",
    "is_public",
    "open_session",
    "read_body",
    "seconds_to_wait",
    "unwrapped",
]
