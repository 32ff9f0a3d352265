"""Which questions are those of somebody who chooses or buys. Pure."""

import re
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Patterns

BUYING_INTENTS = frozenset({"comparison", "transactional"})
BUYING_STAGES = frozenset({"consideration", "decision"})


@dataclass(frozen=True, slots=True, config=STRICT)
class ChoiceWords:
    """How the questions of one language ask for a choice."""

    phrases: Patterns


_LANGUAGES: Languages[ChoiceWords] = Languages(Path(__file__).parent / "choice_words", ChoiceWords)
_ASKS_FOR_A_CHOICE = re.compile(_LANGUAGES.any_of(lambda words: words.phrases))


def is_buying(question: str, intent: str, stage: str) -> bool:
    """Whether the question is that of somebody who chooses or buys: by the intent and the stage that are stated for
    it, and where neither is, by its wording in English, German, French or Spanish."""
    if intent or stage:
        return intent in BUYING_INTENTS or stage in BUYING_STAGES
    return bool(_ASKS_FOR_A_CHOICE.search(question.casefold()))
