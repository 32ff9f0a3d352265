"""The words that say what a question asks for, by language: what each file of `words/` must hold.

A question is read with the words of its own language first, and with those of all where these say nothing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator
from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Patterns
from visibility.services.ask.types import Kind


@dataclass(frozen=True, slots=True, config=STRICT)
class KindWords:
    """What means a kind: `asks` say that it is asked for, `words` mean it where nothing else is asked for."""

    asks: Patterns
    words: Patterns


def _complete(kinds: Mapping[Kind, KindWords]) -> Mapping[Kind, KindWords]:
    if missing := sorted(set(Kind) - set(kinds)):
        raise ValueError(f"has no words for {', '.join(missing)}")
    return kinds


@dataclass(frozen=True, slots=True, config=STRICT)
class PremiseWords:
    """How a question takes something for granted.

    `granted` opens a clause that is held to be true, as "why" does for all behind it. `object_pronouns` are never
    who does something, nor is a name that stands right behind `before_object`; "our" before
    `others` is not the asker's side. `naming` behind a `negation` is the same as `not_named`.
    """

    why: Patterns
    granted: Patterns
    object_pronouns: Patterns
    others: Patterns
    before_object: Patterns
    negation: Patterns
    naming: Patterns
    not_named: Patterns
    leads: Patterns
    ahead: Patterns
    behind: Patterns
    rose: Patterns
    fell: Patterns
    percent: Patterns
    other_figures: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class QuestionWords:
    """One language. `telltale` words are of it alone; `joining` and a word that is `asking` begin another question;
    `conditions` open a clause that only says what is asked of an engine ("when somebody wants a watch, how often are
    we named"); `open` asks for an overview."""

    telltale: Patterns
    joining: Patterns
    asking: Patterns
    conditions: Patterns
    open: Patterns
    premises: PremiseWords
    kinds: Annotated[dict[Kind, KindWords], AfterValidator(_complete)]


QUESTION_WORDS = Languages(Path(__file__).parent / "words", QuestionWords)
