"""Words a question anew by rule. It understands a short list of instructions; the rest is left to engines."""

import re
from collections.abc import Callable

from visibility.writers.protocol import CannotWrite, WrittenWording
from visibility.writers.tasks import RefineTask
from visibility.writers.templates import language_of

HOW_TO = (
    "The embedded writer understands: change to “…”, replace “…” with “…”, remove “…”, add “…”, for … or in … (who "
    "or where), shorter. Word the instruction so, or ask the operator for an engine that writes."
)
_QUOTED = r"[\"“„«'‘](?P<{0}>.+?)[\"”“»'’]"  # noqa: RUF001 -- the quotes that people type
_END = re.compile(r"\s*([?？!.]*)\s*$")  # noqa: RUF001 -- full-width marks end questions too
# What a question can do without; the question itself stays.
_FILLER = re.compile(
    r"^(?:please|hello|(?:could|can) you(?: please)?|i (?:want|would like) to know|tell me|asking as [^:]+:)[,:]?\s+"
    r"|\s*\([^()]*\)|\b(?:really|actually|currently|right now|in your opinion|with reasons)\b,?\s*",
    re.IGNORECASE,
)


def refine(task: RefineTask) -> WrittenWording:
    """The question changed as the instruction says, or as it is where that holds already.

    Raises CannotWrite for what it does not understand.
    """
    instruction = " ".join(task.instruction.split())
    for pattern, change in _RULES:
        found = pattern.fullmatch(instruction)
        if found:
            changed = change(task.text, found)
            if changed == task.text:
                return WrittenWording(text=task.text)
            text = _tidied(changed, spaced=language_of(task.locale) == "fr")
            if not text.strip("?!. "):
                raise CannotWrite("instruction", "Nothing of the question would be left. Say what to ask instead.")
            return WrittenWording(text=text)
    raise CannotWrite("instruction", HOW_TO)


def _changed_to(text: str, found: re.Match[str]) -> str:
    return found["new"]


def _replaced(text: str, found: re.Match[str]) -> str:
    return _substituted(text, found["old"], found["new"])


def _removed(text: str, found: re.Match[str]) -> str:
    return _substituted(text, found["old"], "")


def _added(text: str, found: re.Match[str]) -> str:
    new = found["new"].strip()
    if _phrase(new).search(text):
        return text
    end = _END.search(text)
    mark = end[1] if end else ""
    return f"{_END.sub('', text)} {new}{mark}"


def _shortened(text: str, found: re.Match[str]) -> str:
    return _FILLER.sub("", text)


def _substituted(text: str, old: str, new: str) -> str:
    pattern = _phrase(old)
    if not pattern.search(text):
        raise CannotWrite("instruction", f"The question does not contain “{old}”. Give words as they stand in it.")
    return pattern.sub(lambda _: new, text)


def _phrase(text: str) -> re.Pattern[str]:
    """The words where they stand as words, in whatever case."""
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)


def _tidied(text: str, *, spaced: bool) -> str:
    """One space between words, none before a mark, unless the language has it `spaced`; the first letter large."""
    line = re.sub(r"\s+([.,])" if spaced else r"\s+([?!.,;:])", r"\1", " ".join(text.split()))
    return line[:1].upper() + line[1:]


def _rule(
    pattern: str, change: Callable[[str, "re.Match[str]"], str]
) -> tuple["re.Pattern[str]", Callable[..., str]]:
    return re.compile(rf"(?:please\s+)?{pattern}\.?", re.IGNORECASE), change


_OLD, _NEW = _QUOTED.format("old"), _QUOTED.format("new")
_RULES = [
    _rule(
        rf"(?:change|reword|rewrite|set)(?: it| the (?:question|prompt|wording))?(?: to| as)?:? {_NEW}", _changed_to
    ),
    _rule(rf"(?:use|ask|make it):? {_NEW}", _changed_to),
    _rule(rf"(?:replace|change|swap) {_OLD} (?:with|by|to|for) {_NEW}", _replaced),
    _rule(r"(?:replace|swap) (?P<old>\S.*?) (?:with|by|for) (?P<new>\S.*?)", _replaced),
    _rule(rf"(?:remove|drop|delete|leave out|without) {_OLD}", _removed),
    _rule(r"(?:remove|drop|delete|leave out|without) (?P<old>\S.*?)", _removed),
    _rule(rf"(?:add|append|mention|include):? {_NEW}", _added),
    _rule(r"(?:add|append|mention|include)?:? ?(?P<new>(?:for|in|near|from|under|within|with) \S.*?)", _added),
    _rule(r"(?:make (?:it|this) )?(?:shorter|more concise|briefer)|shorten(?: it| this)?", _shortened),
]
