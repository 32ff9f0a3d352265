"""The ways in which a name is written: open or closed, with or without hyphens, apostrophes, dots and signs."""

import re
from collections.abc import Iterator

from visibility.detection.folding import fold
from visibility.detection.words import parts_of_speech

# What is replaced, and by what else it may be written. Applied one after another to all forms so far.
_REWRITES = (
    (re.compile(r"[!*\"]"), ("",)),
    (re.compile(r"(?<=[A-Z])\.\s?(?=[A-Z][a-z])"), (". ", ".", " ")),
    (re.compile(r"(?<=[A-Za-z])\.\s?(?=[A-Z])"), (" ", ".", ". ", "")),
    (re.compile(r"(?<=\b[A-Z])\s(?=[A-Z])"), (".", ". ")),
    (re.compile(r"(?<=[A-Za-z])\.(?=\s|\Z)"), ("",)),
    (re.compile(r"\b(Dr|St|Mr|Mrs|Ms)\.?\s(?=\w)"), (r"\1. ", r"\1 ", r"\1")),
    (re.compile(r"(?<=\w)['’](?=\w)"), ("",)),
    (re.compile(r"\s*[&+]\s*(?=\w)|\s+and\s+"), (" and ", " & ", "&", " + ", "+")),
    (re.compile(r"(?<=\w)[-‐‑–](?=\w)"), ("",)),
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Z])")
_OWNER = re.compile(r"[A-Z][\w’'-]{2,}s")
_OWNED = re.compile(r"['’]s\b")
_OF_MANY = re.compile(r"(?<=[a-z])[A-Z][a-z]{2,20}s\Z")
_LETTERS = re.compile(r"(?:[A-Za-z]\.){2,6}")
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "å": "aa", "ø": "oe", "Ö": "Oe", "Ü": "Ue"})
_MOST_FORMS = 60
_MIN_CLOSED = 4
_MIN_OPENED = 5
_MIN_PART = 3
_SHORT = 6
_LONG = 24


def variants(name: str) -> Iterator[str]:
    """The name as it is, then other ways to write it, without those that fold to the same."""
    own = " ".join(name.replace("\0", " ").split())
    seen: set[str] = set()
    for form in (own, *_rewritten(own)):
        folded = fold(form).strip()
        if folded and folded not in seen:
            seen.add(folded)
            yield form


def _rewritten(name: str) -> list[str]:
    forms = [name, name.translate(_SPELT_OUT)]
    for pattern, others in _REWRITES:
        forms += [pattern.sub(other, form) for form in forms[:_MOST_FORMS] for other in others]
        forms = list(dict.fromkeys(forms))
    if name.endswith("+"):
        forms.append(f"{name[:-1].rstrip()} Plus")
    forms += [closed for form in forms if len(closed := form.replace(" ", "")) >= _MIN_CLOSED and closed.isalnum()]
    forms += [_CAMEL.sub(" ", form) for form in forms if " " not in form and len(form) > _MIN_OPENED]
    if (parts := _OF_MANY.search(name)) and "n" in parts_of_speech(parts[0][:-1].lower()):
        forms.append(name[:-1])  # one product of "WinkBeds"
    return [*forms, *_opened(name), *_owners(name), *_lettered(name)]


def _opened(name: str) -> Iterator[str]:
    """A closed compound as the two plain words that it is made of: "Sales Force"."""
    if not (name.isalpha() and name.isascii() and name[1:].islower() and len(name) <= _LONG):
        return
    for joint in range(_MIN_PART, len(name) - _MIN_PART + 1):
        first, second = name[:joint].lower(), name[joint:].lower()
        if parts_of_speech(first) and parts_of_speech(second):
            yield f"{first.capitalize()} {second.capitalize()}"


def _owners(name: str) -> Iterator[str]:
    """A name with the 's that people add or leave out: "Levis" and "Levi's"."""
    if _OWNED.search(name):
        yield _OWNED.sub("s", name)
        without = _OWNED.sub("", name)
        if not parts_of_speech(without.lower()) or " " in without:
            yield without
    elif _OWNER.fullmatch(name) and not parts_of_speech(name[:-1].lower()):
        yield f"{name[:-1]}'s"


def _lettered(name: str) -> Iterator[str]:
    """An abbreviation with and without its stops."""
    if name.isupper() and name.isalpha() and name.isascii() and 1 < len(name) < _SHORT:
        yield "".join(f"{letter}." for letter in name)
    if _LETTERS.fullmatch(name):
        yield name.replace(".", "").upper()
