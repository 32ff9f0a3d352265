"""The rules of the detector that can be switched off one by one, found where they stand.

A rule group is what a module of the detector's rooms holds at its top under a name: an entry of a table of rules, a
predicate, a pattern, a list of words; or a method that says yes or no. Off means what finds nothing: a table without
the entry, a predicate that says no, a pattern that matches nothing, an empty list. The service knows of none.
"""

import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial, wraps
from types import ModuleType
from typing import Any

from visibility import detection

ROOMS = ("text", "names", "stance")
ELSEWHERE = ("stance.choice_phrases", "stance.preference", "names.proposing")
"""Modules that decide what the labels do not tell: whom of two an answer prefers, what care a name is proposed."""

_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True)
class Group:
    """`kind` is table, predicate, pattern or words. `old` becomes `new` wherever a module or `holder` holds it; of a
    table `entry` is left out, which is `rule`."""

    name: str
    kind: str
    old: Any
    new: Any
    holder: type | None = None
    entry: str = ""
    rule: Any = None

    @property
    def is_watchable(self) -> bool:
        """Whether it can be seen where it finds something."""
        return self.kind in ("predicate", "pattern") or _spied(self, lambda _: None) is not None


def modules() -> list[ModuleType]:
    """All modules of detection, by their names."""
    prefix = f"{detection.__name__}."
    return [importlib.import_module(name) for name in _module_names(prefix)]


@cache
def _module_names(prefix: str) -> list[str]:
    return sorted(each.name for each in pkgutil.walk_packages(detection.__path__, prefix))


def groups(rooms: Iterable[str] = ROOMS) -> list[Group]:
    """The rule groups of these rooms, each once, by their places."""
    found: dict[object, Group] = {}
    for module in modules():
        where = module.__name__.removeprefix(f"{detection.__name__}.")
        if where.split(".")[0] in rooms and where not in ELSEWHERE:
            for group in _of_module(module, where):
                found.setdefault((id(group.old), group.entry), group)
    in_tables = {id(group.rule) for group in found.values() if group.entry}
    return [group for group in found.values() if id(group.old) not in in_tables]


@contextmanager
def switched_off(*switchable: Group) -> Iterator[None]:
    """While it lasts the detector does without these groups."""
    with ExitStack() as stack:
        for table, entries in _by_table(switchable).items():
            if not table:
                for group in entries:
                    stack.enter_context(_replaced(group.old, group.new, group.holder))
                continue
            gone = {group.entry for group in entries}
            rest = _rebuilt(entries[0].old, lambda entry, rule, gone=gone: None if entry in gone else rule)
            stack.enter_context(_replaced(entries[0].old, rest))
        forget()
        yield
    forget()


def _by_table(switchable: Iterable[Group]) -> dict[int, list[Group]]:
    """The groups by the table that they are entries of; 0 for those that stand alone."""
    tables: dict[int, list[Group]] = {}
    for group in switchable:
        tables.setdefault(id(group.old) if group.entry else 0, []).append(group)
    return tables


@contextmanager
def watched(switchable: Iterable[Group], note: Callable[[Group], None]) -> Iterator[None]:
    """While it lasts `note` is told each time that one of these groups finds something."""
    tables: dict[int, list[Group]] = {}
    with ExitStack() as stack:
        for group in switchable:
            if group.entry:
                tables.setdefault(id(group.old), []).append(group)
            else:
                stack.enter_context(_replaced(group.old, _spied(group, note), group.holder))
        for listed in tables.values():
            spies = {group.entry: _spied(group, note) for group in listed}
            watching = _rebuilt(listed[0].old, lambda entry, rule, spies=spies: spies.get(entry, rule))
            stack.enter_context(_replaced(listed[0].old, watching))
        yield


def forget() -> None:
    """Empty the caches of the detector's functions: what they keep was concluded with other rules."""
    for module in modules():
        for value in vars(module).values():
            if hasattr(value, "cache_clear") and _has_parameters(value):
                value.cache_clear()


@cache
def _has_parameters(function: Callable[..., Any]) -> bool:
    return bool(inspect.signature(function).parameters)


@contextmanager
def _replaced(old: object, new: object, holder: type | None = None) -> Iterator[None]:
    places = [
        (place, name)
        for place in ([holder] if holder else modules())
        for name, value in list(vars(place).items())
        if value is old
    ]
    for place, name in places:
        setattr(place, name, new)
    try:
        yield
    finally:
        for place, name in places:
            setattr(place, name, old)


def _of_module(module: ModuleType, where: str) -> Iterator[Group]:
    for name, value in list(vars(module).items()):
        if name.startswith("__"):
            continue
        if inspect.isclass(value):
            if value.__module__ == module.__name__ and not issubclass(value, (tuple, Enum)):
                yield from _of_class(value, where)
        elif not callable(value) or value.__module__ == module.__name__:
            yield from _of_value(value, f"{where}.{name}")


def _of_value(value: Any, name: str) -> Iterator[Group]:
    if isinstance(value, re.Pattern):
        yield Group(name, "pattern", value, _NOTHING)
    elif callable(value):
        if (off := _saying_no(value)) is not None:
            yield Group(name, "predicate", value, off)
    elif isinstance(value, (frozenset, set)):
        yield Group(name, "words", value, type(value)())
    elif (type(value) is tuple or isinstance(value, Mapping)) and value:
        entries = list(_entries(value))
        for entry, rule in entries:
            rest = _rebuilt(value, lambda other, kept, entry=entry: None if other == entry else kept)
            yield Group(f"{name}[{entry}]", "table", value, rest, None, entry, rule)
        if not entries:
            yield Group(name, "words", value, {} if isinstance(value, Mapping) else ())


def _of_class(holder: type, where: str) -> Iterator[Group]:
    for name, value in vars(holder).items():
        if name.startswith("__"):
            continue
        function = value.fget if isinstance(value, property) else value
        off = _saying_no(function) if inspect.isfunction(function) else None
        if off is not None:
            new = property(off) if isinstance(value, property) else off
            yield Group(f"{where}.{holder.__name__}.{name}", "predicate", value, new, holder)


def _saying_no(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """What finds nothing in the place of a function, by what it says that it gives; None where it must give more."""
    told = inspect.signature(function).return_annotation
    if told is bool:
        return lambda *_, **__: False
    if type(None) in typing.get_args(told):
        return lambda *_, **__: None
    if typing.get_origin(told) is Iterator:
        return lambda *_, **__: iter(())
    return None


def _is_rule(value: Any) -> bool:
    """Whether something stands in a table as a rule: a function, a pattern, or a row of these with a name."""
    if type(value) is tuple:
        return bool(value) and isinstance(value[0], str) and any(map(_is_rule, value[1:]))
    return callable(value) or isinstance(value, re.Pattern) or hasattr(value, "_fields") or hasattr(value, "name")


def _is_table(value: object) -> bool:
    return type(value) is tuple and bool(value) and all(map(_is_rule, value))


def _entries(table: Any) -> Iterator[tuple[str, Any]]:
    """The rules of a table, each with what it is called; nothing for a table of anything else."""
    named = (
        table.items() if isinstance(table, Mapping) else ((_called(each, at), each) for at, each in enumerate(table))
    )
    for entry, value in named:
        if _is_table(value):
            yield from ((f"{entry}, {inner}", rule) for inner, rule in _entries(value))
        elif _is_rule(value):
            yield str(entry), value


def _rebuilt(table: Any, change: Callable[[str, Any], Any], before: str = "") -> Any:
    """The table with what `change` makes of each of its entries; None leaves one out."""
    if isinstance(table, Mapping):
        listed = [(str(entry), entry, value) for entry, value in table.items()]
    else:
        listed = [(_called(each, at), at, each) for at, each in enumerate(table)]
    kept = {}
    for entry, key, value in listed:
        if _is_table(value):
            kept[key] = _rebuilt(value, change, f"{before}{entry}, ")
        elif (made := change(f"{before}{entry}", value)) is not None:
            kept[key] = made
    return kept if isinstance(table, Mapping) else tuple(kept.values())


def _called(rule: Any, place: int) -> str:
    if isinstance(rule, tuple) and rule and isinstance(rule[0], str):
        return f"{place} {rule[0]}"
    return str(getattr(rule, "name", None) or getattr(rule, "__name__", None) or place)


def _spied(group: Group, note: Callable[[Group], None]) -> Any:
    """What does the same as the group and tells where it finds something; None where that cannot be seen."""
    rule = group.rule if group.entry else group.old
    if isinstance(rule, re.Pattern):
        return _Watching(rule, partial(note, group))
    if isinstance(rule, property):
        return property(_watching(rule.fget, partial(note, group)))
    return _watching(rule, partial(note, group)) if callable(rule) else None


def _watching(function: Any, note: Callable[[], None]) -> Callable[..., Any]:
    @wraps(function)
    def asked(*arguments: Any, **named: Any) -> Any:
        found = function(*arguments, **named)
        if found is not None and found is not False:
            note()
        return found

    return asked


class _Watching:
    """A pattern that tells when it is found."""

    def __init__(self, pattern: re.Pattern[str], note: Callable[[], None]) -> None:
        self._pattern, self._note = pattern, note

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._pattern, name)
        if name in ("search", "match", "fullmatch"):
            return _watching(found, self._note)
        self._note()
        return found
