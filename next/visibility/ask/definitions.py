"""What the words of this service mean."""

import tomllib
from pathlib import Path

from visibility.ask.resources import Definition

DEFINITIONS: dict[str, str] = tomllib.loads(Path(__file__).with_name("definitions.toml").read_text(encoding="utf-8"))


def definitions_in(text: str) -> list[Definition]:
    """The definitions of the terms that stand in a text, in whatever number; all, where none does."""
    words = f" {' '.join(text.casefold().replace('?', ' ').split())} "
    named = [term for term in DEFINITIONS if f" {term} " in words or f" {term}s " in words]
    return [Definition(term=term, means=DEFINITIONS[term]) for term in named or DEFINITIONS]
