"""Reads data files by language: TOML, one file a language, each checked against its type as it is read."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
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


def _pattern(value: str) -> str:
    try:
        matches_empty = re.compile(value).match("") is not None
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    if matches_empty:
        raise ValueError("matches the empty text, and so would be found everywhere")
    return value


Words = Annotated[frozenset[str], BeforeValidator(_words)]
"""Words apart by spaces, in one text."""
Patterns = tuple[Annotated[str, AfterValidator(_pattern)], ...]
"""Regular expressions, any of which may stand at one place."""


def load_file(file: Path, kind: type[Content]) -> Content:
    """What the file holds. Raises LanguageDataError where it does not hold exactly that."""
    try:
        return TypeAdapter(kind).validate_python(tomllib.loads(file.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise LanguageDataError(f"{file}: {error}") from error


def load_languages(folder: Path, kind: type[Content]) -> Mapping[str, Content]:
    """What each file of the folder holds, by the language that it is named after; English first.

    Raises LanguageDataError.
    """
    files = {file.stem: file for file in sorted(folder.glob("*.toml"))}
    if DEFAULT_LANGUAGE not in files:
        raise LanguageDataError(
            f"{folder} has no {DEFAULT_LANGUAGE}.toml, which is used where a language has no file."
        )
    names = sorted(files, key=lambda name: (name != DEFAULT_LANGUAGE, name))
    return MappingProxyType({name: load_file(files[name], kind) for name in names})
