"""A question with its arguments, and what it is about."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from uuid import UUID

from apikeys.text import echoed
from brands.models import Brand, Competitor
from visibility.ask.bare import is_usual, words_in
from visibility.ask.resources import About, Kind, NextCall, Resolved
from visibility.detection import is_ambiguous
from visibility.models import Topic

LONGEST_AGAIN = 200
"""Characters of the question that a further call repeats."""
_FREE = ("question", "topic", "competitor", "words")
"""Arguments that hold any text: a further call has it between marks."""
_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Question:
    """What is asked, as the caller has understood it; None: not said. Days are both included."""

    text: str
    about: About | None = None
    topic: str | None = None
    engine: str | None = None
    competitor: str | None = None
    first: date | None = None
    last: date | None = None
    words: str | None = None
    limit: int | None = None

    @cached_property
    def plain(self) -> str:
        """The words of the text in small letters between single spaces."""
        return f" {_NO_WORD.sub(' ', self.text.casefold()).strip()} "

    def left(self, terms: Collection[str]) -> list[str]:
        """The words that are of none of these names and of no argument."""
        given = (self.topic, self.engine, self.competitor, self.words)
        known = {*terms, *words_in(" ".join(filter(None, given)))}
        return [word for word in words_in(self.text) if word not in known]

    def words_of(self, name: str) -> str | None:
        """The words of the text that are this whole name, however its parts are joined; None where it has none."""
        parts = [part for part in _NO_WORD.split(name) if part]
        if not parts or f" {' '.join(parts).casefold()} " not in self.plain:
            return None
        found = re.search(rf"(?<!\w){_NO_WORD.pattern.join(map(re.escape, parts))}(?!\w)", self.text, re.IGNORECASE)
        return found and found[0]

    def named(self, name: str) -> str | None:
        """The words of the text that are this name of somebody; a name that is also a plain word counts only with its
        capital: "Away", not "far away"; one that is common in questions never."""
        words = self.words_of(name)
        is_name = words and not is_usual(words) and (words[0] == name[0] or not is_ambiguous(name))
        return words if is_name else None

    @property
    def has_days(self) -> bool:
        """Whether days are given."""
        return self.first is not None or self.last is not None

    @property
    def is_alone(self) -> bool:
        """Whether nothing but the text is given, so that names in it narrow the facts."""
        given = (self.about, self.topic, self.engine, self.competitor, self.words)
        return not self.has_days and all(each is None for each in given)

    def again(self, site_id: UUID | None, resolved: Sequence[Resolved] = (), **changes: object) -> NextCall:
        """The same call with other arguments. A long question is shortened to the words that were resolved."""
        text = self.text
        if len(text) > LONGEST_AGAIN:
            text = (" ".join(row.from_ for row in resolved if row.from_) or text)[:LONGEST_AGAIN]
        arguments: dict[str, object] = {
            "question": text,
            "siteId": site_id and str(site_id),
            **{name: getattr(self, name) for name in ("about", "topic", "engine", "competitor", "words")},
            "from": self.first and str(self.first),
            "to": self.last and str(self.last),
            **changes,
        }
        arguments.update({name: echoed(str(arguments[name])) for name in _FREE if arguments[name]})
        return NextCall(tool="ask", arguments={name: each for name, each in arguments.items() if each is not None})


@dataclass(slots=True)
class Meant:
    """What the facts are narrowed to; empty: to nothing. `name`: the untracked name that was given as competitor.
    `unknown`: by the argument that narrows nothing, why, and what may have been meant. `maybe_topic`: what a question
    without arguments may be about. `terms`: the words of all names that the site has."""

    topics: list[Topic] = field(default_factory=list)
    engines: list[str] = field(default_factory=list)
    prompt: UUID | None = None
    competitors: list[Competitor] = field(default_factory=list)
    name: str | None = None
    resolved: list[Resolved] = field(default_factory=list)
    unknown: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    maybe_topic: str | None = None
    terms: set[str] = field(default_factory=set)

    @property
    def is_narrow(self) -> bool:
        """Whether they are narrowed by more than topics."""
        return bool(self.engines or self.competitors or self.name or self.prompt)

    @property
    def is_lost(self) -> bool:
        """Whether an argument narrows nothing that would have to narrow the answers."""
        return bool(self.unknown.keys() - {"competitor"})

    def link(self, kind: Kind, linked: Brand | Competitor | Topic, words: str) -> None:
        """Note that these words mean it."""
        self.resolved.append(Resolved(kind=kind, id=linked.pk, name=linked.name, from_=words))

    def know(self, names: Iterable[str]) -> None:
        """Remember words of names."""
        self.terms.update(words_in(" ".join(names)))

    def __bool__(self) -> bool:
        return bool(self.topics) or self.is_narrow
