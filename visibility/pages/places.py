"""Places for downloads: each holds a thread of the pages for as long as its reader takes."""

from threading import Condition


class Places:
    """In one process so many at a time, and of each person one: who reads slowly is in nobody's way but their own."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._taken: set[object] = set()
        self._changed = Condition()

    def take(self, person: object, wait: float) -> bool:
        """Whether the person got a place within so many seconds; `leave` gives it back."""
        with self._changed:
            free = self._changed.wait_for(
                lambda: person not in self._taken and len(self._taken) < self._at_once, timeout=wait
            )
            if free:
                self._taken.add(person)
            return free

    def leave(self, person: object) -> None:
        """Give the person's place back."""
        with self._changed:
            self._taken.discard(person)
            self._changed.notify_all()

    def has(self, person: object) -> bool:
        """Whether the person has a place now."""
        return person in self._taken
