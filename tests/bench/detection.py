"""Detection against its limit: `python -m tests.bench.detection`. The ratio to one bare Aho-Corasick pass over the
folded text plus one markdown-it parse, for dictionaries of 1, 100 and 5,000 names; and whether hostile texts four
times as long take no more than their part.

The texts are the real answers of the reference data where they are at hand, else the labelled passages many times.
All times are processor time of this process, the best of several rounds.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import ahocorasick
from markdown_it import MarkdownIt

from tests.bench.timing import GROWTH, seconds
from tests.measurement.labelled.loading import load
from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.stance.preference import preferred
from visibility.detection.text.folding import fold
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name
from visibility.engines.protocol import Source

AIM = 2.0
SIZES = (1, 100, 5_000)
ANSWERS = 200

Answer = tuple[str, str, list[Source]]

HOSTILE: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "[" * n,
    "open links": lambda n: "[a](" * n,
    "images": lambda n: "![" * n + "](x)" * n,
    "stars": lambda n: "*a_" * n,
    "backticks": lambda n: "".join("`" * (i % 200) + " a" for i in range(n // 20)),
    "code": lambda n: "`a` " * n,
    "quotes": lambda n: "> " * n + "Sony",
    "accents": lambda n: "a" + "\u0301\u0316" * n,
    "comments": lambda n: "<!-- " * n,
    "tables": lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|a" * n + "|",
    "definitions": lambda n: "[\n" * n,
    "mentions": lambda n: "Sony " * n,
    "hosts": lambda n: "a." * n + "@",
    "brackets and stars": lambda n: "[*a" * n + "](" * n,
    "one sentence": lambda n: "not the best Notion, " * n,
    "list of sources": lambda n: "[1] a\n" * n,
    "closing lines": lambda n: "Sony.\n\n" + "Powered by Sony\n" * n,
    "choices": lambda n: "I'd choose Sony or Notion if " * n,
    "far apart": lambda n: ("Sony is " + "x" * 30 + " Notion ") * n,
    "pairs": lambda n: "Sony and Notion, " * n,
}
THREE = Dictionary([Name("", "Sony"), Name("n", "Notion"), Name("c", "HubSpot CRM")])
"""What is looked for in hostile texts; of the first two, also which is preferred."""


def answers() -> list[Answer]:
    """The texts, with the question and the sources of each."""
    given = os.environ.get("REFERENCE_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data"
    path = Path(given) / "real-answers" / "answers.jsonl"
    if path.is_file():
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[:ANSWERS]]
        return [
            (row["text"], row["prompt"], [Source(c["url"], c["title"]) for c in row["citations"]]) for row in rows
        ]
    print("no reference data: the labelled passages, joined")
    texts = [passage.text for passage in load()]
    return [("\n\n".join(texts[at::20]), "which one is best?", []) for at in range(20)] * 10


def names(size: int, texts: Sequence[Answer]) -> list[str]:
    """Brands that stand in the texts, up to a hundred, and beyond these names that stand in none of them."""
    known = [
        "Sony",
        "Apple",
        "Samsung",
        "Bose",
        "Nike",
        "Dyson",
        "Ninja",
        "Google",
        "Amazon",
        "Best Buy",
        "Hoka",
        "Brooks",
    ]
    seen = dict.fromkeys(known)
    for text, _, _ in texts:
        for word in text.split():
            if len(seen) >= 100:
                break
            if word.isalpha() and word.istitle() and len(word) > 6:
                seen.setdefault(word)
    listed = [*seen, *(f"{one}{two}ix {number}" for number in range(60) for one in _FIRST for two in _SECOND)]
    return listed[:size]


_FIRST = ("Zan", "Bel", "Quor", "Mal", "Tiv", "Ner", "Ofs", "Dru", "Lyx", "Wem")
_SECOND = ("ta", "ro", "mi", "vel", "du", "kan", "so", "pri", "gan", "lu")


def limit(texts: Sequence[Answer], listed: Sequence[str]) -> float:
    """The least that has to be done: one parse of each text, and one pass of an automaton over its folded form."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    automaton = ahocorasick.Automaton()
    for name in listed:
        automaton.add_word(name.lower(), name)
    automaton.make_automaton()
    folded = [fold(text).text for text, _, _ in texts]

    def bare() -> None:
        for (text, _, _), plain in zip(texts, folded, strict=True):
            parser.parse(text)
            for _ in automaton.iter(plain):
                pass

    return seconds(bare)


def throughput() -> bool:
    """Prints a line for each size; whether all are within the aim."""
    texts, met = answers(), True
    print(f"{len(texts)} answers, {sum(len(text) for text, _, _ in texts):,} characters")
    print("names  mentions  answers/s  ms/answer  limit ms  ratio")
    for size in SIZES:
        listed = names(size, texts)
        dictionary = Dictionary([Name(str(number), name) for number, name in enumerate(listed)])
        found = 0

        def look(dictionary: Dictionary = dictionary) -> None:
            nonlocal found
            found = sum(len(detect(Reading(text, sources), prompt, dictionary)) for text, prompt, sources in texts)

        took, least = seconds(look), limit(texts, listed)
        ratio, each = took / least, 1000 / len(texts)
        met &= ratio <= AIM
        print(f"{size:5}  {found:8}  {len(texts) / took:9.0f}  {took * each:9.2f}  {least * each:8.2f}  {ratio:5.2f}")
    print(f"aim: ratio at most {AIM}: {'met' if met else 'not met'}")
    return met


def growth() -> bool:
    """Prints hostile texts of which four times as much takes more than its part; whether there are none."""
    met = True
    for label, write in HOSTILE.items():
        short, long = (_time_of(write(size)) for size in (2_000, 8_000))
        grown = long / short if short else 0.0
        if long > 0.05 and grown > GROWTH:
            met = False
        print(f"{label:20} {short * 1000:8.1f} ms  {long * 1000:8.1f} ms  x{grown:.1f}")
    print(f"aim: four times the text takes at most {GROWTH:.0f} times as long: {'met' if met else 'not met'}")
    return met


def _time_of(text: str) -> float:
    return seconds(lambda: preferred(text, detect(Reading(text), "what is it", THREE), ("", "n")))


def main() -> None:
    within = throughput()
    if not (growth() and within):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
