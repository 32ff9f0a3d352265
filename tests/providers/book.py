"""What a provider was asked, and when: what a test knows of it that no caller tells."""

from collections import Counter
from dataclasses import dataclass


@dataclass
class Request:
    """One request: seconds since the epoch when it came and when the response was out, None while it is not."""

    question: str
    protocol: str
    key: str
    began: float
    outcome: str
    ended: float | None = None


@dataclass(frozen=True)
class Book:
    """What the provider was asked so far, in the order of its coming; `most` under way at once, by key."""

    requests: list[Request]
    most: dict[str, int]

    def asked(self) -> Counter[tuple[str, str]]:
        """How often each question was asked, by protocol and question."""
        return Counter((each.protocol, each.question) for each in self.requests)

    def answered(self) -> Counter[tuple[str, str]]:
        """How often the whole answer to each went out."""
        return Counter(
            (each.protocol, each.question) for each in self.requests if each.outcome == "answered" and each.ended
        )

    def most_within(self, seconds: float, key: str) -> int:
        """The most requests with this key that came within any such time."""
        moments = sorted(each.began for each in self.requests if each.key == key)
        most, first = 0, 0
        for last, moment in enumerate(moments):
            while moments[first] <= moment - seconds:
                first += 1
            most = max(most, last - first + 1)
        return most
