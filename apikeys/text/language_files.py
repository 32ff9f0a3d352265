"""Reads data files by language: TOML, one file a language, each checked against its type as it is read."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from string import Formatter
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

DEFAULT_LANGUAGE = "en"
STRICT = ConfigDict(extra="forbid")
"""For the types of data files: a key that nobody reads is a mistake."""
Content = TypeVar("Content")


class LanguageDataError(Exception):
    """A data file is not what its type asks for. The message names the file, the key and what is wrong with it."""


def _words(value: object) -> object:
    return value.split() if isinstance(value, str) else value


_MOST = {"\\w": 40, ")": 12}
_MOST_OF_OTHERS = 200
"""How often a repetition without end repeats at most: of a word's letters, of a group, of anything else."""
_ATOM = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|[^\\])([*+]?)", re.DOTALL)


def bounded(pattern: str) -> str:
    """The regular expression with an end to each repetition that has none (`*`, `+`).

    It meets texts of others, which may be made so that such a repetition begins at each place and goes on to the end
    of the text from each: time would grow with the square of its length.
    """

    def end(match: re.Match[str]) -> str:
        atom, sign = match.groups()
        most = _MOST.get(atom, _MOST_OF_OTHERS)
        return f"{atom}{{{'0' if sign == '*' else '1'},{most}}}" if sign else atom

    return _ATOM.sub(end, pattern)


def _compiled(value: str) -> str:
    try:
        matches_empty = re.compile(value).match("") is not None
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    if matches_empty:
        raise ValueError("matches the empty text, and so would be found everywhere")
    return bounded(value)


Words = Annotated[frozenset[str], BeforeValidator(_words)]
"""Words apart by spaces, in one text."""
Pattern = Annotated[str, AfterValidator(_compiled)]
Patterns = tuple[Pattern, ...]
"""Regular expressions, any of which may stand at one place; each is `bounded`."""


def load_file(file: Path, kind: type[Content]) -> Content:
    """What the file holds. Raises LanguageDataError where it does not hold exactly that."""
    return _checked(file, TypeAdapter(kind))


def _checked(file: Path, checker: TypeAdapter[Content]) -> Content:
    try:
        return checker.validate_python(tomllib.loads(file.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise LanguageDataError(f"{file}: {error}") from error


class Languages(Mapping[str, Content]):
    """What there is of each language, by its name; English first. A file is read when its language is first asked
    for, which raises LanguageDataError: compiling all patterns of all languages took a third of a start."""

    def __init__(self, folder: Path, kind: type[Content]) -> None:
        """Each file of the folder is named after its language. Raises LanguageDataError where there is no English."""
        files = {file.stem: file for file in sorted(folder.glob("*.toml"))}
        if DEFAULT_LANGUAGE not in files:
            raise LanguageDataError(f"{folder} has no {DEFAULT_LANGUAGE}.toml, which stands in for any other.")
        names = sorted(files, key=lambda name: (name != DEFAULT_LANGUAGE, name))
        self._files = {name: files[name] for name in names}
        self._kind = kind
        self._contents: dict[str, Content] = {}

    def __getitem__(self, name: str) -> Content:
        if name not in self._contents:
            # Two threads may both read it: they read the same.
            self._contents[name] = _checked(self._files[name], self._checker)
        return self._contents[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, name: object) -> bool:
        return name in self._files

    @cached_property
    def _checker(self) -> TypeAdapter[Content]:
        return TypeAdapter(self._kind)

    def all_of(self, select: Callable[[Content], Iterable[str]]) -> list[str]:
        """What all languages have there, none twice."""
        return list(dict.fromkeys(item for content in self.values() for item in select(content)))

    def any_of(self, select: Callable[[Content], Iterable[str]]) -> str:
        """A pattern for any of what all languages have there, to stand in a group. One language at least must have
        something: a pattern of nothing is found everywhere."""
        alternatives = self.all_of(select)
        if not alternatives:
            raise LanguageDataError("No language has a word for a pattern.")
        return "|".join(alternatives)

    def behind_any_of(self, select: Callable[[Content], Iterable[str]]) -> str:
        """A pattern for the place behind one of these words, which are no patterns, and a space."""
        return "|".join(rf"(?<=\b{word} )" for word in self.all_of(select))


def holding(*names: str, maybe: Sequence[str] = ()) -> AfterValidator:
    """For a text with places to fill: all of these names stand in it in braces, and no others but the `maybe`."""

    def check(text: str) -> str:
        places = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        if missing := set(names) - places:
            raise ValueError(f"does not hold {{{min(missing)}}}")
        if unknown := places - {*names, *maybe}:
            raise ValueError(f"holds {{{min(unknown)}}}, which nothing fills")
        return text

    return AfterValidator(check)
