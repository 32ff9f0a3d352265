"""Answers that no engine gives and an import may bring: full of names, or of a million characters.

`python -m tests.bench.dense` prints the processor time of a detector pass, with a hundred names of which most are
plain words, too, over dense texts of 160,000 characters against its limit, and over lists, tables and links of a
million characters against their own and against a quarter of the text.
"""

from collections.abc import Callable, Sequence

from tests.bench.timing import GROWTH, seconds
from visibility.detection.citations.attachment import attach
from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.rivals.suggesting import suggest
from visibility.detection.text.reading import Reading
from visibility.detection.types import Domains, Name
from visibility.engines.protocol import Source

DENSE_SIZE, LARGE_SIZE = 160_000, 1_000_000
DENSE_SECONDS = 1.0
"""What a pass over a dense text may take."""
LARGE_SECONDS = 8.0
"""What it may take for a million characters, with what sources support and the names that nobody tracks."""

_NAMES = """
    Apple Target Gap Square Away Monday Mercury Notion Orange Meta Oracle Amazon Shell Visa Chase Discover Prime Max
    Brave Opera Arc Edge Signal Slack Zoom Loom Miro Figma Canva Linear Asana Trello Basecamp Wave Stripe Toast
    Clover Bolt Lime Bird Spin Uber Ford Lincoln Chevrolet Ram Dodge Jaguar Mini Smart Fiat Seat Ace Purple Casper
    Saatva Nectar Leesa Avocado Puffy Bear Tempur Sleep Helix Layla Birch Awara Amerisleep Sony Bose Jabra Sonos
    Marshall Beats Dell Acer Asus Razer Lenovo Framework Samsung Hoka Brooks On Nike Saucony Altra Salomon Puma Vans
    Crocs Keen Teva Patagonia Columbia Marmot Osprey Gregory Deuter Kelty
"""
NAMES = _NAMES.split()
PROMPT = "best brands of things"

Write = Callable[[int, str, str], str]
"""A piece of text of the number of a name, the name, and another name."""


def _each(write: Write) -> Callable[[int], str]:
    """A text of so many characters of pieces about each name in turn."""
    pieces = "".join(write(at, name, NAMES[at * 7 % len(NAMES)]) for at, name in enumerate(NAMES))
    return lambda size: (pieces * (size // len(pieces) + 1))[:size]


def _nested(size: int) -> str:
    pieces = "".join(f"{'  ' * (at % 50)}- {name} is good\n" for at, name in enumerate(NAMES))
    return (pieces * (size // len(pieces) + 1))[:size]


def _wide_tables(size: int) -> str:
    width = 2 * len(NAMES)
    table = "|a" * width + "|\n" + "|-" * width + "|\n" + ("|" + "|".join(NAMES * 2) + "|\n") * 12 + "\n"
    return (table * (size // len(table) + 1))[:size]


DENSE: dict[str, Callable[[int], str]] = {
    "names in a row": _each(lambda at, name, other: f"{name}, "),
    "names in a breath": _each(lambda at, name, other: f"{name}/"),
    "a name a line": _each(lambda at, name, other: f"{name}\n"),
    "cards": _each(lambda at, name, other: f"$899{name}"),
    "a table of names": lambda size: "|a|b|\n|-|-|\n" + _each(lambda at, name, other: f"|{name}|{other}|\n")(size),
    "a list": _each(lambda at, name, other: f"- **{name}**: good value, unlike {other}\n"),
    "sections": _each(lambda at, name, other: f"**{name}** is good\n\nIt beats {other}.\n\n"),
    "prose": _each(lambda at, name, other: f"The {name} is one of the best, but {other} costs $20 less. "),
}
LARGE: dict[str, Callable[[int], str]] = {
    "nested lists": _nested,
    "a list": DENSE["a list"],
    "a long table": DENSE["a table of names"],
    "wide tables": _wide_tables,
    "links in a line": _each(lambda at, name, other: f"[{name}](https://{name.lower()}.com/x) is good. "),
    "links in a list": _each(lambda at, name, other: f"- [{name}](https://{name.lower()}.com/{at}) is good.\n"),
    "links behind a sentence": lambda size: "Sony is good. " + _each(_link)(size),
    "markers": _each(lambda at, name, other: f"{name} is good [{at + 1}]. "),
    "headings": _each(lambda at, name, other: f"## {name}\n\nIt is good.\n\n"),
}


def _link(at: int, name: str, other: str) -> str:
    return f"[{name}](https://{name.lower()}.com/{at}) "


def dictionary() -> Dictionary:
    """The hundred names, each with a domain."""
    hosts = {name: (f"{name.lower()}.com",) for name in NAMES}
    return Dictionary([Name(name, name) for name in NAMES], Domains(hosts))


def dense(known: Dictionary) -> bool:
    """Prints the time of each dense text; whether all are within the limit."""
    met = True
    for label, write in DENSE.items():
        text = write(DENSE_SIZE)
        took = seconds(lambda text=text: detect(Reading(text), PROMPT, known))  # type: ignore[misc]
        met &= took <= DENSE_SECONDS
        print(f"{label:24} {took:6.2f} s")
    print(f"aim: {DENSE_SIZE:,} characters in at most {DENSE_SECONDS} s: {'met' if met else 'not met'}")
    return met


def large(known: Dictionary) -> bool:
    """Prints the time of each large text and of a quarter of it; whether all are within the limits."""
    sources = [Source(f"https://{name.lower()}.com/", name) for name in NAMES]
    met = True
    for label, write in LARGE.items():
        text = write(LARGE_SIZE)
        short, long = (_all_of(text[:size], sources, known) for size in (LARGE_SIZE // 4, LARGE_SIZE))
        met &= long <= LARGE_SECONDS and long <= GROWTH * short
        print(f"{label:24} {short:6.2f} s  {long:6.2f} s  x{long / short:.1f}")
    print(
        f"aim: {LARGE_SIZE:,} characters in at most {LARGE_SECONDS} s, and {GROWTH:.0f} times a quarter's time:"
        f" {'met' if met else 'not met'}"
    )
    return met


def _all_of(text: str, sources: Sequence[Source], known: Dictionary) -> float:
    def work() -> None:
        answer = Reading(text, sources)
        detect(answer, PROMPT, known)
        attach(answer)
        suggest(answer, known)

    return seconds(work, rounds=1)


def main() -> None:
    known = dictionary()
    within = dense(known)
    if not (large(known) and within):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
