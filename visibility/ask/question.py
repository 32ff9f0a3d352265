"""A question as the caller understands it."""

import re
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from apikeys.text import echoed
from visibility.ask.measures import measure_named
from visibility.ask.resources import NextCall
from visibility.detection.folding import fold

LONGEST_AGAIN = 80
"""Characters of the question that a further call repeats."""
_FREE = ("question", "measure", "topic", "competitor", "market", "words")
"""Arguments that hold any text: a further call has it between marks, but for a measure that there is."""
_REPEATED = ("about", "measure", "topic", "engine", "competitor", "market", "words")
_NO_WORD = re.compile(r"[\W_]+")


def names_in(text: str, name: str) -> bool:
    """Whether a text has this whole name, however its parts are joined, in whatever case."""
    words = _NO_WORD.sub(" ", fold(name).casefold()).strip()
    return bool(words) and f" {words} " in f" {_NO_WORD.sub(' ', fold(text).casefold())} "


@dataclass(frozen=True)
class Question:
    """What is asked; None: not said. `about`: subjects, parted by commas. Days are both included."""

    text: str
    about: str | None = None
    measure: str | None = None
    topic: str | None = None
    engine: str | None = None
    competitor: str | None = None
    market: str | None = None
    first: date | None = None
    last: date | None = None
    words: str | None = None
    limit: int | None = None

    @property
    def has_days(self) -> bool:
        """Whether days are given."""
        return self.first is not None or self.last is not None

    def again(self, site_id: UUID | None, **changes: object) -> NextCall:
        """The same call with other arguments, the question shortened."""
        arguments: dict[str, object] = {
            "question": self.text[:LONGEST_AGAIN],
            "siteId": site_id and str(site_id),
            **{name: getattr(self, name) for name in _REPEATED},
            "from": self.first and str(self.first),
            "to": self.last and str(self.last),
            **changes,
        }
        measure = measure_named(str(arguments["measure"])) if arguments["measure"] else None
        arguments.update({name: echoed(str(arguments[name])) for name in _FREE if arguments[name]})
        arguments.update({"measure": measure} if measure else {})
        return NextCall(tool="ask", arguments={name: each for name, each in arguments.items() if each is not None})
