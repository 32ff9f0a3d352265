"""Spares a provider that is down, and the calls to it."""

FAILURES = 8
"""So many calls that fail in a row are no chance: of calls that fail one time in five, not one row in 390,000."""
FIRST_SECONDS = 2.0
MAX_SECONDS = 60.0


class Breaker:
    """Opens when calls fail one after the other; then one call at a time tries whether the provider is back.

    The time between two tries doubles up to a minute. Not thread-safe: it belongs to one event loop. (Libraries for
    this refuse or fail calls; here questions wait, and need to know for how long.)
    """

    def __init__(self) -> None:
        self._failures = 0
        self._pause = 0.0
        self._open_until = 0.0
        self._trying = False

    @property
    def is_open(self) -> bool:
        """Whether calls are held back, but for single tries."""
        return self._pause > 0

    def wait(self, now: float) -> float | None:
        """Seconds until a call may begin: none while all is well, None while another one tries."""
        if not self.is_open:
            return 0.0
        return None if self._trying else max(self._open_until - now, 0.0)

    def begin(self) -> bool:
        """A call begins that was not told to wait; whether it tries if the provider is back."""
        self._trying = self.is_open
        return self._trying

    def succeed(self) -> None:
        """The provider answered, if only to refuse: it is there."""
        self._failures, self._pause, self._trying = 0, 0.0, False

    def fail(self, now: float, *, tried: bool) -> None:
        """A call found the provider broken, silent or unreachable; `tried` is what its `begin` said."""
        self._failures += 1
        if tried:
            self._trying = False
            self._open(now, min(self._pause * 2, MAX_SECONDS))
        elif not self.is_open and self._failures >= FAILURES:
            self._open(now, FIRST_SECONDS)

    def abandon(self, *, tried: bool) -> None:
        """A call was broken off from this side and says nothing."""
        if tried:
            self._trying = False

    def _open(self, now: float, seconds: float) -> None:
        self._pause, self._open_until = seconds, now + seconds
