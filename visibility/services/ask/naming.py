"""Names in a question that nobody tracks, told by how they are written and by where they stand. Pure."""

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from apikeys.text.language_files import DEFAULT_LANGUAGE
from visibility.detection.rivals.suggesting import name_key
from visibility.detection.text.words import parts_of_speech
from visibility.services.ask.reading.kinds import means_a_kind
from visibility.services.ask.vocabulary import VOCABULARIES, all_of, any_of
from visibility.writers.words import content_words

ENGINE, NAME, REST = "\x00", "\x01", "\x02"
SIGN = ENGINE + NAME + REST
"""What stands where an engine, a tracked name or something else was understood."""
ALIKE = 0.8
MAX_TOPIC_WORDS = 4
_TOKEN = re.compile(rf"[{SIGN}]|[^\W_][\w.+-]*[\w+]|[^\W\d_]|[&,;:?!()]")
_POSSESSIVE = re.compile(r"['’]s\b|(?<=s)['’](?!\w)")
_NOT, _ELISION = re.compile(r"n['’]t\b"), re.compile(r"(?<=\w)['’](?=\w)")
# Words of languages whose nouns have capitals, and of the others: what a question has more of says how to read it.
_IN_CAPITALS = re.compile(
    rf"\b(?:{any_of(lambda words: words.telltale if words.nouns_have_capitals else ())})\b", re.IGNORECASE
)
_IN_SMALL = re.compile(
    rf"\b(?:{any_of(lambda words: () if words.nouns_have_capitals else words.telltale)})\b", re.IGNORECASE
)
_SUBJECT = re.compile(
    rf"(?:{any_of(lambda words: words.names.before)}|{NAME} (?:{any_of(lambda words: words.names.between)}))\s+$",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"\s+(?:{any_of(lambda words: words.names.behind)})\b|\s*\?*\s*$", re.IGNORECASE)
_PLACE = re.compile(
    rf"\b(?:{any_of(lambda words: words.names.before_places)})\s+"
    rf"(?:(?:{any_of(lambda words: words.names.article_of_places)}) )?$",
    re.IGNORECASE,
)
_ENGINE_PLACE = re.compile(rf"\b(?:{any_of(lambda words: words.names.before_engines)})\s+$", re.IGNORECASE)
_NO_NAMES = frozenset(all_of(lambda words: words.names.no_names))


@dataclass(frozen=True, slots=True)
class Named:
    """A name that the question has: as it stands there, as what (subject, engine, place), and whether it is one
    for sure: answers list it, or it stands where a name does."""

    text: str
    kind: str
    is_sure: bool = False


def unknown_names(text: str, leads: Mapping[str, Sequence[str]], tracked: Collection[str]) -> list[Named]:
    """The names in what was not understood of a question.

    `leads` are names that answers list, by the key of their first word: those count in any letters, unless they are
    also plain words. Any other name is known by its capital, in German and in small letters by its place, or by its
    likeness to a `tracked` one.
    """
    text = _apart(text)
    tokens = list(_TOKEN.finditer(text))
    words = [token[0] for token in tokens if token[0][0].isalpha()]
    shouted = sum(word[0].isupper() for word in words[1:]) > max(2, len(words) // 2)
    any_capital = shouted or len(_IN_CAPITALS.findall(text)) > len(_IN_SMALL.findall(text))
    names: list[Named] = []
    next_number = 0
    for number, token in enumerate(tokens):
        if number < next_number or not token[0][0].isalpha():
            continue
        length = _listed(tokens, number, leads)
        before = text[: token.start()]
        if not _is_name(token[0], before, bool(length), any_capital, tracked):
            continue
        length = length or _run(tokens, number, any_capital)
        next_number = number + length
        phrase = text[token.start() : tokens[next_number - 1].end()]
        is_listed = bool(leads.get(name_key(token[0])))
        names.append(Named(phrase, _kind(before, is_listed), is_listed or bool(_SUBJECT.search(before))))
    return names


def _kind(before: str, is_listed: bool) -> str:
    if _ENGINE_PLACE.search(before):
        return "engine"
    return "place" if _PLACE.search(before) and not is_listed else "subject"


def _apart(text: str) -> str:
    """The text with a stop behind possessives, and without the apostrophes that join words."""
    return _ELISION.sub(" ", _NOT.sub(" not", _POSSESSIVE.sub(" ,", text)))


def keys_in(text: str) -> list[str]:
    """The keys of the words that could begin a name."""
    return sorted({name_key(token[0]) for token in _TOKEN.finditer(_apart(text)) if not _is_known(token[0])})


def most_like(name: str, tracked: Iterable[str]) -> str | None:
    """The tracked name that this one may be a slip of the pen for."""
    by_folded = {tracked_name.casefold(): tracked_name for tracked_name in tracked}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=ALIKE) if len(name) > 3 else []
    return by_folded[near[0]] if near else None


def stands_as_a_name(text: str, start: int, end: int) -> bool:
    """Whether a name belongs at this place of a question, whatever its letters."""
    return bool(_SUBJECT.search(text[:start]) or _BEFORE.match(text[end:]))


@lru_cache(maxsize=1024)
def _is_known(word: str) -> bool:
    """Whether the word asks, joins or means a topic, or is no word."""
    folded = word.casefold()
    function = not content_words(folded) or folded in _NO_NAMES or "f" in parts_of_speech(folded)
    return not folded[0].isalpha() or function or means_a_kind(folded)


def _is_name(word: str, before: str, is_listed: bool, any_capital: bool, tracked: Collection[str]) -> bool:
    if _is_known(word):
        return False
    slot, plain = bool(_SUBJECT.search(before)), bool(parts_of_speech(word.casefold()))
    capital = word[0].isupper() and bool(before.strip()) and not re.search(r"[.?!¿¡]\s*$", before)
    if is_listed:
        return not plain or slot or (capital and not any_capital)
    if plain and not (capital and not any_capital):
        return False
    if most_like(word, tracked):
        return True
    short = word.isupper() and len(word) <= 3
    if capital and not short and (not any_capital or slot):
        return True
    return slot and not plain and (any_capital is False or word[0].isupper()) and (not short or not any_capital)


def _listed(tokens: Sequence[re.Match[str]], number: int, leads: Mapping[str, Sequence[str]]) -> int:
    """How many of the tokens from this one on are the beginning of a name that answers list."""
    names = [name.casefold() for name in leads.get(name_key(tokens[number][0]), ())]
    length = 0
    phrase = ""
    for token in tokens[number : number + 4]:
        phrase = f"{phrase} {token[0].casefold()}".strip()
        if not any(f"{name} ".startswith(f"{phrase} ") for name in names):
            break
        length += 1
    return length or (1 if names else 0)


def _run(tokens: Sequence[re.Match[str]], number: int, any_capital: bool) -> int:
    """How many capitalised words stand together from this one on."""
    length = 1
    for token in tokens[number + 1 : number + 4]:
        if any_capital or not (token[0][0].isupper() or token[0] == "&") or (_is_known(token[0]) and token[0] != "&"):
            break
        length += 1
    return length


_NO_TOPICS = frozenset(all_of(lambda words: words.names.no_topics))


@cache
def _topic_places(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where the language puts a topic: behind a preposition, and as what is asked of."""
    names = VOCABULARIES[language].names
    patterns = []
    for before, article in (
        (rf"\b(?:{_one_of(names.before_topics)})", names.article_of_topics),
        (rf"(?:{_one_of(names.asking_of_topics)})", names.article_of_asked),
    ):
        behind = rf"\s+(?:(?:{_one_of(article)})\s+)*(?P<words>[^\W_][^,;:?!.()\x00-\x02]*)"
        patterns.append(re.compile(before + behind, re.IGNORECASE))
    return patterns[0], patterns[1]


def _one_of(patterns: Sequence[str]) -> str:
    """Any of the patterns; of none, what is never found."""
    return "|".join(patterns) or r"(?!)"


def unread_topic(text: str, language: str = DEFAULT_LANGUAGE) -> str:
    """What stands where a topic could in that language, and was not understood: "cameras" in "how are we in cameras".

    It must hold what can be a noun: adverbs are none, and where nouns have capitals, words in small letters are none
    beside others that have them.
    """
    plain = _apart(text)
    about, asked_of = _topic_places(language)
    needs_capital = VOCABULARIES[language].nouns_have_capitals and re.search(r"\s[^\W\d_a-zäöüß]", plain) is not None
    for match in (*about.finditer(plain), *asked_of.finditer(plain)):
        kept_words: list[str] = []
        for token in _TOKEN.finditer(match["words"]):
            word = token[0].casefold()
            if not word[0].isalpha() or _is_known(word) or word in _NO_TOPICS or len(kept_words) == MAX_TOPIC_WORDS:
                break
            if match.re is asked_of and "n" not in parts_of_speech(word):
                break
            if needs_capital and kept_words and kept_words[-1][0].isupper() and not token[0][0].isupper():
                break
            kept_words.append(token[0])
        is_noun = any(_can_be_a_noun(word, needs_capital=needs_capital) for word in kept_words)
        if is_noun and len("".join(kept_words)) > 2:
            return " ".join(kept_words)
    return ""


def _can_be_a_noun(word: str, *, needs_capital: bool) -> bool:
    parts = parts_of_speech(word.casefold())
    return ("n" in parts or not parts) and (word[0].isupper() or not needs_capital)
