"""The regular expressions of the product, and texts that are made to take each of them long.

`python -m tests.patterns` lists those that take more than linear time, with the text that shows it.
"""

import ast
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from re import _constants as op
from re import _parser as parser
from typing import Any, NamedTuple

import django

PACKAGES = ("apikeys", "brands", "visibility", "mcp_bridge", "config")
ROOT = Path(__file__).resolve().parent.parent
SIZE = 12_000
"""Characters of the shorter text; the other one has twice as many."""
MOST = 2.9
"""How many times as long the longer text may take: linear is 2, quadratic 4."""
FLOOR = 0.004
"""Seconds: what takes less is noise."""
LIMIT = 0.2
"""Seconds for one text."""
_CALLS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
_MANY = 20
"""A repetition that may be as often as that is taken for one without end."""
_ALPHABET = " \n\ta1A.,;:-_/\\\"'<>()[]{}&=#*|!?$€%@é–“"


class Pattern(NamedTuple):
    """An expression and where it stands."""

    where: str
    text: str | bytes
    flags: int


class Slow(NamedTuple):
    """A text that takes an expression more than linear time: the seconds of it and of twice the text."""

    pattern: Pattern
    attack: str
    seconds: tuple[float, ...]


def patterns() -> list[Pattern]:
    """What the modules of the product compile as they are imported, data files included, and what stands in their
    calls of `re`. To be called in a process that has imported none of them."""
    known: dict[tuple[str | bytes, int], Pattern] = {}
    compiled = re._compile  # type: ignore[attr-defined]

    def note(pattern: Any, flags: int) -> Any:
        frame, where = sys._getframe(1), ""
        while frame is not None and not where:
            file = frame.f_code.co_filename
            if file.startswith(str(ROOT)) and "/.venv/" not in file:
                where = f"{Path(file).relative_to(ROOT)}:{frame.f_lineno}"
            elif "site-packages" in file:
                break
            frame = frame.f_back  # type: ignore[assignment]
        if where.startswith(PACKAGES) and isinstance(pattern, (str, bytes)):
            known.setdefault((pattern, int(flags)), Pattern(where, pattern, int(flags)))
        return compiled(pattern, flags)

    re._compile = note  # type: ignore[attr-defined]
    try:
        import_all()
    finally:
        re._compile = compiled  # type: ignore[attr-defined]
    for pattern in _in_calls():
        known.setdefault((pattern.text, pattern.flags), pattern)
    return list(known.values())


def import_all() -> None:
    """Import every module of the product."""
    django.setup()
    for package in PACKAGES:
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.startswith("config.settings") and ".migrations" not in module.name:
                importlib.import_module(module.name)


def _in_calls() -> Iterator[Pattern]:
    """Expressions that are written out in calls of `re`, wherever they stand."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                match node:
                    case ast.Call(
                        func=ast.Attribute(value=ast.Name(id="re"), attr=name),
                        args=[ast.Constant(value=str() | bytes() as text), *_],
                    ) if name in _CALLS:
                        yield Pattern(f"{file.relative_to(ROOT)}:{node.lineno}", text, 0)


def attacks(text: str | bytes, flags: int) -> list[tuple[str, str, str]]:
    """Texts of one repetition each that an expression may take long for, as `before`, `again` and `after`."""
    tree = parser.parse(text, flags)
    found: dict[tuple[str, str], None] = {}
    for before, inside in _repetitions(tree, ""):
        for again in dict.fromkeys(inside):
            if again:
                found[before, again] = None
                found["", before + again] = None
                found["", again] = None
        if before:
            found["", before] = None
    whole = _sample(tree)
    if whole:
        found["", whole] = None
        for cut in {len(whole) // 2, len(whole) - 1}:
            if cut > 0:
                found["", whole[:cut]] = None
    return [(before, again, after) for before, again in found for after in ("", "\x00")]


def _repetitions(tree: Any, before: str) -> Iterator[tuple[str, list[str]]]:
    """Each repetition without end: what comes before it, and what one round of it may be."""
    for kind, value in tree:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            _, high, inner = value
            if high >= _MANY:
                yield before, _rounds(inner)
            yield from _repetitions(inner, before)
        elif kind is op.SUBPATTERN:
            yield from _repetitions(value[3], before)
        elif kind is op.ATOMIC_GROUP:
            yield from _repetitions(value, before)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _repetitions(branch, before)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _repetitions(value[1], before)
        before += _sample([(kind, value)])


def _rounds(inner: Any) -> list[str]:
    """What one round of a repetition may be: samples of it, and of each of its characters some."""
    rounds = [_sample(inner)]
    if len(inner) == 1:
        kind, value = inner[0]
        if kind is op.SUBPATTERN and len(value[3]) == 1:
            kind, value = value[3][0]
        if kind is op.IN:
            rounds += [char for char in _ALPHABET if _is_in(value, char)][:6]
        elif kind is op.ANY:
            rounds += [" ", "a", "<", '"']
        elif kind is op.NOT_LITERAL:
            rounds += [char for char in " a<[\"'" if ord(char) != value]
        elif kind is op.BRANCH:
            rounds += [_sample(branch) for branch in value[1]]
    return rounds


def _is_in(members: Any, char: str) -> bool:
    try:
        return re.match(_class(members), char, re.DOTALL) is not None
    except re.error:
        return False


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s", op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _class(members: Any) -> str:
    parts = []
    for kind, value in members:
        if kind is op.NEGATE:
            parts.append("^")
        elif kind is op.LITERAL:
            parts.append(re.escape(chr(value)))
        elif kind is op.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        elif kind is op.CATEGORY:
            parts.append(_CATEGORIES[value])
    return f"[{''.join(parts)}]"


def _sample(tree: Any) -> str:
    """The shortest text, more or less, that an expression matches."""
    text = ""
    for kind, value in tree:
        if kind is op.LITERAL:
            text += chr(value)
        elif kind is op.NOT_LITERAL:
            text += "b" if value == ord("a") else "a"
        elif kind is op.ANY:
            text += "a"
        elif kind is op.IN:
            text += next((char for char in "a1 \n" + _ALPHABET if _is_in(value, char)), _first(value))
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            text += _sample(value[2]) * min(value[0], 50)
        elif kind is op.SUBPATTERN:
            text += _sample(value[3])
        elif kind is op.ATOMIC_GROUP:
            text += _sample(value)
        elif kind is op.BRANCH:
            text += _sample(value[1][0])
    return text


def _first(members: Any) -> str:
    for kind, value in members:
        if kind is op.LITERAL:
            return chr(value)
        if kind is op.RANGE:
            return chr(value[0])
    return ""


class _TooLong(Exception):
    pass


def _ring(*_: object) -> None:
    raise _TooLong


def seconds(compiled: Any, before: str, again: str, after: str, size: int) -> float:
    """The processor time that looking for all matches takes in a text of about this size; the limit where longer."""
    text: Any = before + again * max(size // len(again), 1) + after
    if isinstance(compiled.pattern, bytes):
        text = text.encode("utf-8", "replace")
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    began = time.process_time()
    try:
        for _ in compiled.finditer(text):
            pass
        return time.process_time() - began
    except _TooLong:
        return LIMIT
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def slow(pattern: Pattern) -> Slow | None:
    """The first text that takes an expression more than linear time; null where there is none."""
    compiled = re.compile(pattern.text, pattern.flags)
    for before, again, after in attacks(pattern.text, pattern.flags):
        measure = partial(seconds, compiled, before, again, after)
        once = measure(SIZE)
        if once < FLOOR / 4:
            continue
        twice = LIMIT if once >= LIMIT else measure(2 * SIZE)
        if twice >= FLOOR and (twice > MOST * once or once >= LIMIT):
            # Once more: another process may have come in between.
            once, twice = min(once, measure(SIZE)), min(twice, measure(2 * SIZE))
            if twice > MOST * once or once >= LIMIT:
                return Slow(pattern, f"{before[:60]!r} + {again[:60]!r}… + {after!r}", (once, twice))
    return None


def main() -> None:
    listed = patterns()
    signal.signal(signal.SIGPROF, _ring)
    count = 0
    where = tuple(sys.argv[1:]) or PACKAGES
    for pattern in sorted((item for item in listed if item.where.startswith(where)), key=lambda item: item.where):
        if result := slow(pattern):
            count += 1
            shown = pattern.text if len(pattern.text) < 150 else pattern.text[:150] + type(pattern.text)()
            print(
                f"{pattern.where}\n    {shown!r}\n    {result.attack} {[round(s, 4) for s in result.seconds]}",
                flush=True,
            )
    print(f"{len(listed)} expressions, {count} of them more than linear, {time.process_time():.1f} s")


if __name__ == "__main__":
    main()
