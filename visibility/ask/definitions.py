"""What the words of this service mean."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from visibility.ask.resources import Definition
from visibility.topics.pooling import stem

DEFINITIONS: dict[str, str] = tomllib.loads(Path(__file__).with_name("definitions.toml").read_text(encoding="utf-8"))


def definitions_in(words: Sequence[str]) -> list[Definition]:
    """The definitions of the terms in a text, given by its words without the s of a plural; all where it has none."""
    text = f" {' '.join(words)} "
    named = [term for term in DEFINITIONS if f" {' '.join(map(stem, term.split()))} " in text]
    return [Definition(term=term, means=DEFINITIONS[term]) for term in named or DEFINITIONS]
