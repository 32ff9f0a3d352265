"""The words that questions are made of, by language: what each file of `languages/` must hold, and how it is used.

A question is not known to be in one language, so every pattern is made of the words of all of them. A new language
is a new file. Rules that hold for a language's grammar rather than for its words (an English possessive, what plurals
add, the order of a date) stand beside the code that needs them.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Patterns, Words


@dataclass(frozen=True, slots=True, config=STRICT)
class People:
    """Who is meant: the asker's side (`we_ourselves` as a sentence's subject), and whom an "except" leaves out."""

    we: Patterns
    we_ourselves: Patterns
    except_: Annotated[Patterns, Field(alias="except")]
    except_link: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class Meaning:
    """Words that decide what is told of a kind. `further_figures` are those beside the score, `share_of_voice` is the
    one that competitors do not replace; `strong` and `weak` say which end of the topics is meant."""

    why: Patterns
    behind: Patterns
    where: Patterns
    strong: Patterns
    weak: Patterns
    further_figures: Patterns
    share_of_voice: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class Places:
    """Where names and topics stand, and words that are none.

    `before` and `behind` a name; `between` two of them; `no_names` are words that a capital does not make a name;
    `no_topics` stand where a topic could; `of_any_topic` say nothing of a topic beside its own words.
    """

    before: Patterns
    between: Patterns
    behind: Patterns
    before_places: Patterns
    article_of_places: Patterns
    before_engines: Patterns
    no_names: Words
    before_topics: Patterns
    article_of_topics: Patterns
    asking_of_topics: Patterns
    article_of_asked: Patterns
    no_topics: Words
    of_any_topic: Words
    before_assistants: tuple[str, ...]


@dataclass(frozen=True, slots=True, config=STRICT)
class DayWords:
    """Names of days and months, and the words around them.

    `last` and `this` stand before `week`, `month` and `year`; where a language puts them behind, `last_week` and the
    others are the whole phrase. `since` opens a period, `from` only begins one. `until` counts the day that it names,
    `before` does not. A count ("the last 3 days") has `last` or `before_count` before it.
    """

    months: Annotated[tuple[Patterns, ...], Field(min_length=12, max_length=12)]
    weekdays: Annotated[tuple[Patterns, ...], Field(min_length=7, max_length=7)]
    last: Patterns
    this: Patterns
    week: Patterns
    month: Patterns
    year: Patterns
    last_week: Patterns
    last_month: Patterns
    last_year: Patterns
    this_week: Patterns
    this_month: Patterns
    this_year: Patterns
    yesterday: Patterns
    before_count: Patterns
    behind_count: Patterns
    counted_days: Patterns
    counted_weeks: Patterns
    counted_months: Patterns
    since: Patterns
    from_: Annotated[Patterns, Field(alias="from")]
    until: Patterns
    before: Patterns
    to: Patterns
    article: Patterns
    article_behind_to: Patterns
    before_month: Patterns
    before_year: tuple[str, ...]
    before_weekday: tuple[str, ...]
    ordinals: Patterns
    ordinals_behind_month: Patterns
    of_month: Patterns
    of_year: Patterns
    of_year_behind_day: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class RefusalWords:
    """Words of questions that are not answered, and of those that are all the same (`told_not_written`,
    `prices_of_ours`, `predicted_here`, `words_told_here`)."""

    please: Patterns
    secrets: Patterns
    out_of_scope: Patterns
    write: Patterns
    written_prompts: Patterns
    told_not_written: Patterns
    start: Patterns
    started: Patterns
    change: Patterns
    other_accounts: Patterns
    prices: Patterns
    prices_of_ours: Patterns
    predictions: Patterns
    predicted_here: Patterns
    words_of_answers: Patterns
    words_told_here: Patterns
    article_of_models: Patterns
    models: Patterns
    how_models_decide: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class Vocabulary:
    """One language. `telltale` words tell it from others: where most are of a language whose nouns have capitals, a
    capital makes no name."""

    nouns_have_capitals: bool
    telltale: Patterns
    people: People
    meaning: Meaning
    names: Places
    days: DayWords
    refusals: RefusalWords


VOCABULARIES = Languages(Path(__file__).parent / "languages", Vocabulary)
all_of = VOCABULARIES.all_of
any_of = VOCABULARIES.any_of
behind_any_of = VOCABULARIES.behind_any_of
