"""The word lists of this room, which stand in `lists/` as data: read once, each checked against its type."""

from collections.abc import Mapping
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Words, load_file

_FOLDER = Path(__file__).with_name("lists")


@dataclass(frozen=True, config=STRICT)
class _English:
    """Words of English by their use beside a name.

    `imperatives` begin advice, so that the capital of the next word is its own; `uncounted` nouns can be a subject
    without an article; `determiners` follow an imperative, and never a name at the head of its sentence; `articles`
    never stand before a company's name alone; `telling_verbs` say what a company or product does, though many are
    plural nouns as well, and what follows those of `subject_verbs` is no noun; `told_of_many` and `plural_verbs`
    have a plural as their subject, and `how` ends what a single thing does. `product_nouns` are what a company has,
    `features` and `editions` what a word in a product's name tells apart; `code_nouns` say what a word in code is,
    and `measures` follow a quantity. `small` words have a capital only where nearly all have one. `labelled` things
    have a letter behind them.
    """

    imperatives: Words
    uncounted: Words
    determiners: Words
    articles: Words
    code_nouns: Words
    measures: Words
    product_nouns: Words
    landscape: Words
    telling_verbs: Words
    subject_verbs: Words
    how: Words
    told_of_many: Words
    plural_verbs: Words
    place_before: Words
    features: Words
    editions: Words
    labelled: Words
    small: Words


@dataclass(frozen=True, config=STRICT)
class _Trade:
    """Words of buying, selling and using; those of scripts without spaces stand anywhere in a sentence."""

    words: Words
    unspaced: Words


@dataclass(frozen=True, config=STRICT)
class _Bearers:
    """Who and what bears a name besides companies, in lower case; `titles`, `relatives` and `family` are beside a
    person's, and `small_titles` only where they are written small."""

    given_names: Words
    calendar: Words
    places: Words
    lands: Words
    heavens_and_myths: Words
    peoples: Words
    awards: Words
    titles: Words
    small_titles: Words
    relatives: Words
    family: Words


@dataclass(frozen=True, config=STRICT)
class _PlainWords:
    """Plain words of other languages that companies are called after; `beside` is what shows the plain word."""

    german: Words
    french: Words
    spanish_italian_portuguese: Words
    chinese: Words
    japanese: Words
    korean: Words
    beside: Mapping[str, Words]


@dataclass(frozen=True, config=STRICT)
class OtherSense:
    """Where names of one kind mean something else: right behind one of the words `before`, right before one of
    `after`, or with one of `near` in the clause or the question. `bearers` is a list of bearers, or empty for `names`
    of its own; `alone`: only where no other brand is named around, and no capital follows."""

    kind: str
    bearers: str = ""
    names: Words = frozenset()
    before: Words = frozenset()
    after: Words = frozenset()
    near: Words = frozenset()
    alone: bool = True


@dataclass(frozen=True, config=STRICT)
class _OtherSenses:
    senses: tuple[OtherSense, ...]


ENGLISH = load_file(_FOLDER / "english.toml", _English)
TRADE = load_file(_FOLDER / "trade.toml", _Trade)
BEARERS = load_file(_FOLDER / "bearers.toml", _Bearers)
PLAIN_WORDS = load_file(_FOLDER / "plain_words.toml", _PlainWords)
OTHER_SENSES = load_file(_FOLDER / "other_senses.toml", _OtherSenses).senses
