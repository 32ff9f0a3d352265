"""Room for the frames of Python's calls below a request.

CPython keeps frames in chunks of 16 KB. It gives a chunk back to the system when the last frame leaves it, and asks
for a new one when a frame no longer fits: a loop that happens to run where a chunk ends pays for that with each call,
and templates, far below the middleware, loop a lot. Rendering a page took twice as long there.
"""

from collections.abc import Callable
from types import FunctionType
from typing import ParamSpec, TypeVar, cast

from django.http import HttpRequest, HttpResponse

P = ParamSpec("P")
R = TypeVar("R")

SLOTS = 1 << 15
"""Of 8 bytes. A frame that may need so many gets a chunk of 512 KB, as its size is doubled until the frame fits: the
other half is what all frames below it have. Of memory it costs what is used."""


def with_room(function: Callable[P, R]) -> Callable[P, R]:
    """The function with a frame so large that those of all that it calls lie in one chunk."""
    plain = cast(FunctionType, function)
    plain.__code__ = plain.__code__.replace(co_stacksize=SLOTS)
    return function


class RoomyMiddleware:
    """Answers each request in one chunk of frames."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    @with_room
    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
