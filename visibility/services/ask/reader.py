"""A question, of which one thing after the other is understood and struck out. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from brands.models import Brand, Competitor
from visibility.detection.names.ambiguity import flag_ambiguous
from visibility.services.ask.assistants import (
    KnownEngine,
    UnknownEngine,
    assistants_in,
    is_part_of_a_system,
    makers_in,
    meant_by,
)
from visibility.services.ask.naming import ENGINE, NAME, REST, Named, stands_as_a_name
from visibility.services.ask.prompt_topics import Narrowing, Wording, narrowed_to
from visibility.services.ask.reading.folding import cleaned, folded, folded_pattern, holds_signs
from visibility.services.ask.reading.vocabulary import QUESTION_WORDS
from visibility.services.ask.types import Kind
from visibility.services.ask.vocabulary import any_of
from visibility.writers.words import name_pattern

_EXCEPT = re.compile(
    rf"\b(?:{any_of(lambda words: words.people.except_)})\s+"
    rf"(?:(?:{any_of(lambda words: words.people.except_link)})\s+)?$",
    re.IGNORECASE,
)
_ENDING = r"(?P<ending>['’]s?|s)?"
"""What possessives and plurals add to a name."""
_FIRST_SIGN = 0xE000
"""The first character of private use: each stands for somebody while a question is read."""
_SYSTEMS = re.compile(
    r"(?<!\w)(?:"
    + folded_pattern(
        "|".join(pattern for words in QUESTION_WORDS.values() for pattern in words.kinds[Kind.ENGINES].words)
    )
    + ")"
)
"""Words for AI systems in general."""
_NAMED_BY = re.compile(
    r"(?<!\w)(?:"
    + folded_pattern("|".join(pattern for words in QUESTION_WORDS.values() for pattern in words.premises.naming))
    + r")\w*\s+$"
)
"""A name behind these is named by a system, and is none."""
Meant = Brand | Competitor | KnownEngine


class Reader:
    """A question as far as it is understood; `left_out` are the names behind an "except"."""

    def __init__(self, question: str) -> None:
        self._text = cleaned(question)
        self._people: list[Brand | Competitor] = []
        self.left_out: list[str] = []

    @property
    def text(self) -> str:
        """The question with signs in the place of what was understood: `ENGINE`, `NAME` and `REST`."""
        signs = dict.fromkeys(range(_FIRST_SIGN, _FIRST_SIGN + len(self._people)), NAME)
        return self._text.translate(signs)

    @property
    def people(self) -> list[Brand | Competitor | None]:
        """Who stands behind each name of the text, in its order; None for those whom nobody tracks."""
        return [
            None if letter == NAME else self._people[ord(letter) - _FIRST_SIGN]
            for letter in self._text
            if letter == NAME or _FIRST_SIGN <= ord(letter) < _FIRST_SIGN + len(self._people)
        ]

    def take(
        self, pattern: re.Pattern[str], sign: str, is_meant: Callable[[re.Match[str]], bool] | None = None
    ) -> bool:
        """Strike out what the pattern finds; whether it found something that is not left out by an "except"."""
        is_found = False

        def replaced(match: re.Match[str]) -> str:
            nonlocal is_found
            if is_meant is not None and not is_meant(match):
                return match[0]
            if _EXCEPT.search(self._text[: match.start()]):
                self.left_out.append(match[0])
                return ENGINE if sign == ENGINE else NAME
            is_found = True
            return sign

        self._text = pattern.sub(replaced, self._text)
        return is_found

    def subjects(self, names: Mapping[str, Meant]) -> list[Meant]:
        """Whom the question calls by one of these names, the longest names first, in the order of the question."""
        places: dict[int, Meant] = {}
        for name in sorted((name for name in names if not holds_signs(name)), key=len, reverse=True):
            subject = names[name]
            pattern, check = name_pattern(name, ending=_ENDING), partial(self._is_meant, name)
            place = next(filter(check, pattern.finditer(self._text)), None)
            if place and self.take(pattern, self._sign_of(subject), check) and subject not in places.values():
                places[place.start()] = subject
        return [places[place] for place in sorted(places)]

    def _is_meant(self, name: str, match: re.Match[str]) -> bool:
        """Whether the name is meant there: of a plain word a bare s needs a capital, and small letters a
        name's place."""
        if is_part_of_a_system(self._text, match):
            return False
        is_plain_word = flag_ambiguous(name) is not None
        if match["ending"] == "s" and not match[0][0].isupper() and is_plain_word:
            return False
        if match[0].startswith(name) or not is_plain_word:
            return True
        return match["ending"] in ("'s", "’s") or stands_as_a_name(self.text, match.start(), match.end())

    def _sign_of(self, subject: Meant) -> str:
        if isinstance(subject, KnownEngine):
            return ENGINE
        if subject not in self._people:
            self._people.append(subject)
        return chr(_FIRST_SIGN + self._people.index(subject))

    def assistants(self, engines: Sequence[KnownEngine], measured: set[str]) -> tuple[list[str], list[UnknownEngine]]:
        """The engines that the AI systems of the question certainly are, and those that are not known."""
        known, unknown = [], []
        spoken_of = sorted(self._spoken_of(), key=lambda pair: pair[0].start())
        for match, assistant in spoken_of:
            if _EXCEPT.search(self._text[: match.start()]):
                self.left_out.append(match[0])
                continue
            candidates = meant_by(match, assistant, engines)
            if len(candidates) > 1 and len(measured_names := [name for name in candidates if name in measured]) == 1:
                candidates = measured_names
            if len(candidates) == 1:
                known.append(candidates[0])
            else:
                unknown.append(UnknownEngine(re.sub(r"['’]s?$", "", match[0]), candidates))
        for match, _ in reversed(spoken_of):
            self._text = f"{self._text[: match.start()]}{ENGINE}{self._text[match.end() :]}"
        return known, unknown

    def _spoken_of(self) -> list[tuple[re.Match[str], str]]:
        """The AI systems of the question; makers only beside another."""
        systems = list(assistants_in(self._text))
        if not systems and ENGINE not in self._text and not _SYSTEMS.search(folded(self._text)):
            return systems
        taken = [match.span() for match, _ in systems]
        makers = [
            (match, name)
            for match, name in makers_in(self._text)
            if not _NAMED_BY.search(folded(self._text[: match.start()]) + " ")
            and all(match.end() <= start or end <= match.start() for start, end in taken)
        ]
        return [*systems, *makers]

    def narrowing(self, wordings: Sequence[Wording]) -> Narrowing | None:
        """The prompts that it is about; their words are struck out."""
        narrowing = narrowed_to(self._text, wordings)
        for word in narrowing.words.split() if narrowing else ():
            self._text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", REST, self._text)
        return narrowing

    def strike(self, names: Iterable[Named]) -> None:
        """Strike out names that nobody tracks."""
        for name in names:
            self._text = re.sub(rf"(?<!\w){re.escape(name.text)}(?!\w)", NAME, self._text)
