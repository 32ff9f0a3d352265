"""The words of a finding: its title, its sentence, the prompt that fixes it, and what is known of its effect. Pure.

Sentences are filled from the catalogue's templates with the words of the outcome. What a site wrote (an address, a
title) stands between “ and ” in them, which nothing in it can end: in prompts that alone stands between marks.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from apikeys.text.sentences import one_line, shortened
from apikeys.text.size import most
from apikeys.text.untrusted import QUOTE_NOTICE, holds_marks, quoted
from visibility.audit.outcome import QUOTES, CatalogueEntry, Evidence, Outcome

MAX_FINDING = 600
MAX_WORD = 300
MAX_PROMPT_TOKENS = 900
"""Of a prompt that fixes something, whatever was found: the places where it was give way, never the task."""
_LETTERS = ((MAX_FINDING, MAX_WORD), (240, 100), (60, 30))
"""How much of a finding and of a word in the task a prompt quotes: less where that is too much."""
OWN_SENTENCES = frozenset({"finding"})
"""What a check wrote itself, with quote marks of its own."""
OWN_WORDS = frozenset({"bot", "bots", "status", "n", "m"})
"""Words that no site chooses: they stand in prompts without quote marks."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_THEIRS = re.compile("“([^“”]*)”")
_LOST = "…"
"""Stands for a word that an outcome of an earlier version of the check does not have."""
_RULES = (
    "Change nothing else. Use only facts that you find on the site or that I give you; where one is missing, write "
    "[fact needed: …] instead of inventing it."
)


def placeholders(template: str) -> set[str]:
    """The names of the words that a template takes."""
    return set(_PLACEHOLDER.findall(template))


def title(entry: CatalogueEntry) -> str:
    """What is wrong, in a few words."""
    return entry.problem or entry.title


def finding(entry: CatalogueEntry, outcome: Outcome) -> str:
    """What was found, in a sentence: the one that the check wrote, or the catalogue's. It may quote the site: show it
    as text of others."""
    text = outcome.words.get("finding") or _filled(entry.finding, outcome.words, _as_text)
    return shortened(one_line(text), MAX_FINDING)


def fix_prompt(entry: CatalogueEntry, outcome: Outcome, site: str) -> str:
    """The prompt that fixes it, for an assistant that can edit the site; empty where nothing is to be fixed.

    It says what was found, where and how often, what should stand there, what to do and what proves that it is done.
    Every word that the site chose stands between quote marks, and no other. `site`: its domain.
    """
    if not entry.fix_prompt:
        return ""
    for finding_letters, word_letters in _LETTERS:
        about = [
            f"An audit of {one_line(site)} found: {title(entry)}.",
            QUOTE_NOTICE,
            f"What was found: {_marked(shortened(finding(entry, outcome), finding_letters))}",
        ]
        rules = [f"What to do: {task(entry, outcome, word_letters)}", _RULES]
        room = MAX_PROMPT_TOKENS - sum(most(part) for part in (*about, *rules))
        if room >= 0:
            break
    return "\n\n".join(filter(None, [*about, _places(outcome, room), *rules]))


def task(entry: CatalogueEntry, outcome: Outcome, letters: int = MAX_WORD) -> str:
    """What to do about it; empty where nothing is. Every word that the site chose, of so many letters at most, stands
    between quote marks."""
    return _filled(entry.fix_prompt, outcome.words, _as_quote(letters))


def effect(entry: CatalogueEntry) -> str:
    """What is known of the check's effect on answers, and what speaks against it. No check promises a rise."""
    known, counter, source = entry.effect.known, entry.effect.counter, entry.effect.source
    if not known:
        return f"Its effect on answers is not known: {counter}." if counter else "Its effect on answers is not known."
    against = f" Against it: {counter}." if counter else ""
    return f"{known[0].upper()}{known[1:]}.{against}" + (f" Source: {source}." if source else "")


def _places(outcome: Outcome, room: float) -> str:
    """Where it was found: as many places as there is room for in tokens, and how many more there are."""
    pieces: list[Evidence] = []
    lines = ["Where:"]
    room -= most("Where:\n- and 1,000,000 more")
    for piece in outcome.evidence:
        line = f"- {_place(piece)}"
        room -= most(line) + 1
        if room < 0:
            break
        pieces.append(piece)
        lines.append(line)
    if not pieces:
        return ""
    more = outcome.affected - sum(max(piece.pages for piece in same) for same in _by_address(pieces))
    return "\n".join([*lines, *([f"- and {more:,} more"] if more > 0 else [])])


def _by_address(pieces: Sequence[Evidence]) -> list[list[Evidence]]:
    addresses: dict[str, list[Evidence]] = {}
    for piece in pieces:
        addresses.setdefault(piece.url, []).append(piece)
    return list(addresses.values())


def _place(piece: Evidence) -> str:
    where = f"{piece.url} ({piece.where})" if piece.where else piece.url
    shared = f" (the same on {piece.pages:,} pages: mend the template that they share)" if piece.pages > 1 else ""
    to = f" → should be: {quoted(piece.to)}" if piece.to else ""
    return f"{quoted(': '.join(filter(None, (where, piece.quote))))}{shared}{to}"


def _marked(sentence: str) -> str:
    """A sentence of ours with marks around what it quotes. One whose quotes do not end as they should, as a shortened
    one's may, is quoted whole."""
    if sentence.count("“") != sentence.count("”") or holds_marks(_THEIRS.sub("", sentence)):
        return quoted(sentence)
    return _THEIRS.sub(lambda match: quoted(match[1]), sentence)


def _filled(template: str, words: Mapping[str, str], show: Callable[[str, str], str]) -> str:
    """The template with its words; what they hold is not read as a template."""
    return _PLACEHOLDER.sub(lambda match: show(match[1], words.get(match[1], _LOST)), template)


def _as_text(name: str, word: str) -> str:
    """A word in a sentence: the quote marks around it are ours alone, and those of a sentence are its check's."""
    text = shortened(one_line(word), MAX_WORD)
    return text if name in OWN_SENTENCES else text.translate(QUOTES)


def _as_quote(letters: int) -> Callable[[str, str], str]:
    """How a prompt shows a word, of so many letters at most."""

    def show(name: str, word: str) -> str:
        text = shortened(one_line(word), letters)
        return text if name in OWN_WORDS else quoted(text)

    return show
