"""Words of a language as opposed to names. The list is bundled; where it comes from stands at its head."""

from functools import cache, lru_cache
from pathlib import Path


def word_set(words: str) -> frozenset[str]:
    """The words of a text, as the lists of this package are written."""
    return frozenset(words.split())


_IRREGULAR = word_set(
    """
    ate beat began begun bent bet bit bitten blew blown bought bound bred broke broken brought built burst caught
    chose chosen clung crept cut dealt drank drawn drew driven drove drunk dug dwelt eaten fallen fed fell felt flew
    flown fought found froze frozen gave given gone got gotten grew grown heard held hid hidden hung kept knelt knew
    known laid led left lent lit lost made meant met paid ran rang ridden risen rode rung said sang sank sat saw
    seen sent shaken shone shook shot shown shut slain slept slid sold sought spent spoke spoken spun stole stolen
    stood struck stuck stung sung swam swept swore sworn swung taken taught thought threw thrown told took torn tore
    understood went wept woke woken won wore worn wove woven wrote written
    """
)
"""Past forms that no ending shows."""

# Plain words that the list lacks, because its sources took them for names, short forms or grammar.
_MORE = {
    "algae": "n", "ally": "n", "app": "n", "apps": "n", "backcountry": "n", "billion": "n", "blog": "n",
    "cappuccino": "n", "caviar": "n", "celsius": "n", "chai": "n", "chakra": "n", "children": "n", "chipotle": "n",
    "coke": "n", "dharma": "n", "docs": "n", "dozen": "n", "eight": "n", "fahrenheit": "n", "falafel": "n",
    "favorite": "an", "feet": "n", "first": "ar", "five": "n", "four": "n", "hoover": "nv", "hummus": "n",
    "hundred": "n", "indeed": "r", "info": "n", "karma": "n", "kelvin": "n", "kimono": "n", "kraken": "n",
    "lotto": "n", "lumen": "n", "mac": "n", "macchiato": "n", "masala": "n", "matcha": "n", "max": "na", "men": "n",
    "merlot": "n", "million": "n", "mini": "na", "mocha": "n", "mojo": "n", "narwhal": "n", "next": "ra",
    "nine": "n", "nougat": "n", "numbers": "n", "one": "n", "orca": "n", "pages": "n", "pesto": "n", "plus": "nr",
    "praline": "n", "pro": "na", "quokka": "n", "ramen": "n", "ristretto": "n", "salsa": "n", "second": "anr",
    "sensei": "n", "seven": "n", "sheets": "n", "six": "n", "sultan": "n", "tahini": "n", "tapas": "n",
    "teams": "n", "ten": "n", "third": "an", "theater": "n", "thousand": "n", "threads": "n", "three": "n",
    "times": "n", "tiramisu": "n", "two": "n", "uber": "a", "wasabi": "n", "web": "n", "windows": "n", "women": "n",
    "wrangler": "n", "yeti": "n", "zero": "n",
}  # fmt: skip

_FUNCTION = word_set(
    """
    a about above after against all along also although am among an and another any are around as at be because
    been before behind below besides between both but by can cannot compared could despite did do does during
    each either else every few for from had has have he her here his how however i if in instead into is it its
    just least less like likewise many may me might more most much must my near neither no none nor not now of on
    once only onto or other otherwise our ours out over per rather several shall she should since so some such
    than that the their them then there therefore these they this those though through thus till to today too
    toward towards unless unlike until up us use used using versus via was we were what when where whereas
    whether which while who whom whose why will with within without would yes yet you your
    """
)

_ENDINGS = (("ing", "nva"), ("ed", "va"), ("ers", "n"), ("er", "n"))
_MIN_STEM_LENGTH = 3
_MAX_LENGTH = 40
"""No plain word is longer; what is kept of words stays small."""

# In lower case, too, these mean the brand far more often than the word.
_MOSTLY_BRANDS = frozenset({"android", "google", "kleenex", "photoshop", "skype", "tesla", "xerox"})


def parts_of_speech(word: str) -> str:
    """What a word in lower case can be: n(oun), v(erb), a(djective), r (adverb), f(unction word).

    Empty where it is no plain word. Plurals and third persons count as their base form, participles and doers ("-er")
    as what they are made from.
    """
    return _kinds(word) if len(word) <= _MAX_LENGTH else ""


@lru_cache(maxsize=16_384)
def _kinds(word: str) -> str:
    if word in _MOSTLY_BRANDS:
        return ""
    words = _words()
    function = "f" if word in _FUNCTION else ""
    if function or word in words:
        return function + words.get(word, "")
    for ending, base in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending) and (found := words.get(word[: -len(ending)] + base)):
            return "".join(part for part in found if part in "nv")
    return _derived(word, words)


def _derived(word: str, words: dict[str, str]) -> str:
    """What a participle or the name of a doer ("specialized", "travelers") can be, by the verb that it is made of."""
    for ending, kinds in _ENDINGS:
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) >= _MIN_STEM_LENGTH:
            bases = (
                stem,
                f"{stem}e",
                stem[:-1] if stem[-1] == stem[-2] else "",
                stem[:-1] + "y" * stem.endswith("i"),
            )
            if any("v" in words.get(base, "") for base in bases if base):
                return kinds
    return ""


@cache
def _words() -> dict[str, str]:
    lines = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines()
    listed = dict(line.split(" ", 1) for line in lines if not line.startswith("#"))
    return dict.fromkeys(_IRREGULAR, "v") | listed | _MORE
