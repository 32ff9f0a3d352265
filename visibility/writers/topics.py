"""Names of topics as people write them within a question: no slug, no singular where English wants a plural."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Patterns, Words, load_file
from visibility.detection.names.grammar import UNCOUNTED
from visibility.detection.text.words import parts_of_speech
from visibility.writers.languages.language import LANGUAGES
from visibility.writers.protocol import MAX_PROMPT_LENGTH

MAX_PHRASE_LENGTH = 60


@dataclass(frozen=True, slots=True, config=STRICT)
class _Compound:
    """Two words that describe a third one together: "high performance", or a number and what is `counted`."""

    first: Patterns
    second: Patterns
    counted: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class _Asking:
    """How a question asks for a thing: `verbs`, `articles`, the thing, its `budget`, `closings`."""

    verbs: Patterns
    articles: Patterns
    budget: Patterns
    closings: Patterns


@dataclass(frozen=True, slots=True, config=STRICT)
class _Nouns:
    """English nouns. `prefixes` stand before a hyphen in natural words, `capitals` are written large; a thing's name
    ends before one of `links`; `counted_capitals` and `with_plural` have a plural, `mass` nouns have none."""

    prefixes: Words
    capitals: Words
    counted_capitals: Words
    links: Words
    openings: Patterns
    mass: Words
    mass_endings: tuple[str, ...]
    with_plural: Words
    activities: Words
    irregular: dict[str, str]
    compound: _Compound
    asking: _Asking


_ENGLISH = load_file(Path(__file__).with_name("english_nouns.toml"), _Nouns)
_CAPITALS = {word.casefold(): word for word in _ENGLISH.capitals}
_MASS = UNCOUNTED | _ENGLISH.mass
_COMPOUND = re.compile(
    rf"\b(?:({'|'.join(_ENGLISH.compound.first)}) ({'|'.join(_ENGLISH.compound.second)})|"
    rf"(\d+) ({'|'.join(_ENGLISH.compound.counted)}))(?= \w)",
    re.IGNORECASE,
)
_BUDGET = re.compile(rf"\s+(?:{'|'.join(_ENGLISH.asking.budget)})\s+[^\s]*\d.*$", re.IGNORECASE)
_LIMIT = re.compile(
    rf"\b(?P<word>{'|'.join(_ENGLISH.asking.budget)})\s+(?P<before>[$£€]?)(?P<amount>\d+)(?P<after>[$£€]?)(?!\d)",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_WORD = re.compile(r"[^\W_]+")
_TAIL = re.compile(rf"\s+(?:{'|'.join(_ENGLISH.asking.closings)})$", re.IGNORECASE)
_ASKED = re.compile(
    rf"^.*\b(?:{'|'.join(_ENGLISH.asking.verbs)})\s+(?:(?:{'|'.join(_ENGLISH.asking.articles)})\s+)?(\S.*)$",
    re.IGNORECASE,
)
_WHICH_IS_BEST = re.compile(r"^which\s+(\S.*?)\s+is best\b(.*)$", re.IGNORECASE)
_OPENING = re.compile(rf"^(?:(?:{'|'.join(_ENGLISH.openings)})\s+)+", re.IGNORECASE)


def is_slug(topic: str, language: str = "en") -> bool:
    """Whether machines write the topic so: "running_shoes", "tv-55-inch", but not "e-bikes" or "haut-parleurs"."""
    if " " in topic or "_" in topic:
        return "_" in topic
    parts = topic.split("-")
    if language != "en" and (len(parts) == 2 or not (topic.islower() or topic.isupper())):
        return False
    natural = len(parts) == 2 and (len(parts[0]) == 1 or parts[0].casefold() in _ENGLISH.prefixes)
    return len(parts) > 1 and not natural


def topic_name(topic: str, language: str, wordings: Sequence[str] = ()) -> str:
    """The topic as a list shows it. A slug takes the name that its own `wordings` give it, else its words."""
    if not is_slug(topic, language):
        return " ".join(topic.split())
    return _asked_for(topic, wordings) or _spaced(topic)


def phrase(topic: str, language: str, wordings: Sequence[str] = ()) -> str:
    """The topic as it stands within a question of this language."""
    name = topic_name(topic, language, wordings).strip(" ?!.")
    if language != "en":
        return _without_article(name, language)
    return _plural(_hyphenated(_small(_OPENING.sub("", name)))) or name


def shown_name(topic: str, language: str, wordings: Sequence[str]) -> str:
    """The topic as a person would write it in a table: "wireless headphones under $200". What people wrote as words
    stays as it is; a slug takes the thing that its `wordings` ask for, with the price that both of them name."""
    if not is_slug(topic, language):
        return topic_name(topic, language)
    name = phrase(topic, language, wordings)
    price = _price(topic, wordings)
    return f"{name} {price}" if price and price not in name else name


def things_of(topic: str, language: str, wordings: Sequence[str]) -> list[str]:
    """What the topic and its wordings ask for, each once: "espresso machines", "espresso maker"."""
    things = [_thing(wording) for wording in wordings if language == "en" and len(wording) <= MAX_PROMPT_LENGTH]
    return [thing for thing in dict.fromkeys([phrase(topic, language, wordings), *things]) if thing]


def head_of(name: str) -> str:
    """The noun that an English name is about: "mattress" of "queen mattress for side sleepers"."""
    words = _BUDGET.sub("", name).split()
    links = (place for place, word in enumerate(words) if place and word.casefold() in _ENGLISH.links)
    return words[next(links, len(words)) - 1] if words else ""


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in one form, to tell whether two names are the same: case, dashes, spaces, commas in
    numbers and the s of plurals make no difference."""
    plain = _THOUSANDS.sub("", unicodedata.normalize("NFKC", name).casefold())
    return tuple(word if word.isdigit() or _is_plural(word) else _plural_of(word) for word in _WORD.findall(plain))


def _price(slug: str, wordings: Iterable[str]) -> str:
    """The upper limit in money that a slug ends with, as most of its wordings put it; those with a currency first."""
    amount = re.split(r"[-_ ]", slug)[-1]
    if not amount.isdigit():
        return ""
    limits = [match for wording in wordings if (match := _LIMIT.search(_THOUSANDS.sub("", wording)))]
    limits = [match for match in limits if match["amount"] == amount]
    if not limits:
        return ""
    word = _most_often(match["word"].casefold() for match in limits)
    money = [match for match in limits if match["before"] or match["after"]] or limits
    amounts = [f"{match['before']}{int(amount):,}{match['after']}" for match in money]
    return f"{word} {_most_often(amounts)}"


def _most_often(texts: Iterable[str]) -> str:
    counts = Counter(texts)
    return min(counts, key=lambda text: (-counts[text], text))


def _without_article(name: str, language: str) -> str:
    if language not in LANGUAGES:
        return name
    prompts = LANGUAGES[language].prompts
    articles = [*(rf"(?:{article})\s+" for article in prompts.articles), *prompts.elided_articles]
    return re.sub(rf"^(?:{'|'.join(articles)})", "", name, flags=re.IGNORECASE)


def _spaced(slug: str) -> str:
    """The words of a slug as they are said, its closing numbers left out: "blender-high-performance" is "high
    performance blender", "headphones-wireless" is "wireless headphones"."""
    words = [word.casefold() if word.isupper() else word for word in re.split(r"[-_ ]+", slug) if word]
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    words = [word for word in words if word != "general"] or words
    described = _COMPOUND.search(f"{' '.join(words[-2:])} x")
    if len(words) > 2 and described:
        return " ".join([*words[-2:], *words[:-2]])
    if _is_plural(words[0]) and not _is_plural(words[-1]) and "n" in parts_of_speech(words[0]):
        return " ".join([*words[1:], words[0]])
    kinds = parts_of_speech(words[-1])
    if len(words) > 1 and "a" in kinds and "n" not in kinds:
        return " ".join([words[-1], *words[:-1]])
    return " ".join(words)


def _asked_for(topic: str, wordings: Iterable[str]) -> str:
    """What most of the wordings ask for by name; of equals what has most of the topic's words, a whole phrase ("queen
    mattress for side sleepers"), the shortest. Empty where none says."""
    things = [thing for wording in wordings if len(wording) <= MAX_PROMPT_LENGTH and (thing := _thing(wording))]
    if not things:
        return ""
    counts = Counter(thing.casefold() for thing in things)
    topic_words = set(words_of(topic))
    return min(
        things,
        key=lambda thing: (
            -counts[thing.casefold()],
            -len(topic_words.intersection(words_of(thing))),
            _ENGLISH.links.isdisjoint(thing.split()),
            len(thing),
            thing,
        ),
    )


def _thing(wording: str) -> str:
    line = _BUDGET.sub("", _TAIL.sub("", " ".join(wording.split()).rstrip("?!. ")))
    match = _WHICH_IS_BEST.match(line) or _ASKED.match(line)
    thing = _TAIL.sub("", "".join(filter(None, match.groups()))) if match else ""
    return thing if len(thing) <= MAX_PHRASE_LENGTH and '"' not in thing else ""


def _small(name: str) -> str:
    """Plain words that only begin with a capital in small letters: "Running Shoes" is "running shoes", "Google Ads"
    stays; short names in capitals."""
    words = [_CAPITALS.get(word.casefold(), word) for word in name.split()]
    titles = [all(map(parts_of_speech, word.casefold().split("-"))) for word in words if word.istitle()]
    first_alone = len(titles) == 1 and words[0].istitle()
    return " ".join(
        word.lower() if word.istitle() and (all(titles) or (first_alone and titles[0])) else word for word in words
    )


def _hyphenated(name: str) -> str:
    return _COMPOUND.sub(lambda match: match[0].replace(" ", "-"), name)


def _plural(name: str) -> str:
    """The name with its last noun before a "for" or "in" in the plural, where it is one thing of many."""
    words = name.split()
    place = next((index for index, word in enumerate(words) if index and word in _ENGLISH.links), len(words)) - 1
    if place >= 0:
        words[place] = _many(words[place])
    return " ".join(words)


def _many(noun: str) -> str:
    if noun.casefold() in _ENGLISH.activities:
        return f"{noun} services"
    if noun in _ENGLISH.counted_capitals:
        return f"{noun}s"
    if not (noun.islower() and noun.replace("-", "").isalpha()) or _is_mass(noun):
        return noun
    return noun if _is_plural(noun) else _plural_of(noun)


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith(("ss", "us"))


def _is_mass(noun: str) -> bool:
    return noun in _MASS or (noun.endswith(_ENGLISH.mass_endings) and noun not in _ENGLISH.with_plural)


def _plural_of(noun: str) -> str:
    if noun in _ENGLISH.irregular:
        return _ENGLISH.irregular[noun]
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
