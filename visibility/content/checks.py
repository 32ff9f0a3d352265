"""Checks of a draft: each statement rests on rows of the brief, or claims nothing of anybody.

They show what has no source, and never that a text is true.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext, gettext_noop
from pydantic import BaseModel, Field

from apikeys.text import clean
from visibility.answers.detect import BRAND, Reader
from visibility.content.brief import Brief
from visibility.content.resources import Check, Source
from visibility.content.words import Language, language_of
from visibility.reading.checks import numbers

LONGEST_TITLE, LONGEST_SENTENCE, MOST_SENTENCES, FIRST_WORDS = 200, 600, 120, 80
ABOUT_NOBODY = ("prompt", "gap")
"""Kinds of rows that say what is asked or missing, and support no statement."""
_FOREIGN = re.compile(r"<[a-z/!][^>]{0,200}>|https?://|www\.|[\[\]|`]|^[#>*+-]|\n", re.IGNORECASE)


class StatementText(BaseModel):
    """One sentence, and the ids of the rows that it rests on."""

    text: str = Field(min_length=1, max_length=LONGEST_SENTENCE)
    rows: list[str] = []


class Section(BaseModel):
    """Sentences under a heading; the first section may have none."""

    heading: str = Field(default="", max_length=LONGEST_TITLE)
    sentences: list[StatementText] = Field(min_length=1, max_length=MOST_SENTENCES)


class DraftText(BaseModel):
    """What an engine writes."""

    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    sections: list[Section] = Field(min_length=1, max_length=MOST_SENTENCES)

    @property
    def texts(self) -> list[str]:
        """All that is to be read."""
        return [
            self.title,
            *(
                text
                for each in self.sections
                for text in (each.heading, *(one.text for one in each.sentences))
                if text
            ),
        ]

    @property
    def markdown(self) -> str:
        """The page in Markdown."""
        parts = []
        for each in self.sections:
            parts += [f"## {each.heading}"] if each.heading else []
            parts.append(" ".join(sentence.text for sentence in each.sentences))
        return clean("\n\n".join(parts))

    @property
    def rows(self) -> set[str]:
        """The ids of all rows that it rests on."""
        return {row for each in self.sections for sentence in each.sentences for row in sentence.rows}


@dataclass(frozen=True, slots=True)
class Fault:
    """A sentence that cannot be used, and why."""

    reason: str
    text: str


@dataclass(frozen=True)
class Checker:
    """Checks sentences by the rows of a brief."""

    reader: Reader
    brief: Brief
    language: Language

    @cached_property
    def _rows(self) -> dict[str, Source]:
        return {row.id: row for row in self.brief.rows}

    @cached_property
    def _names(self) -> dict[str, str]:
        """The names of the brand and its competitors by the keys that the detector gives them."""
        rivals = {str(pk): name for pk, name in self.reader.brand.competitors.values_list("pk", "name")}
        return {BRAND: self.reader.brand.name, **rivals}

    @cached_property
    def _name_words(self) -> frozenset[str]:
        return self.language.telling(*self.reader.brand.names.values_list("text", flat=True))

    def faults(self, draft: DraftText) -> Iterator[Fault]:
        """What cannot be used of a draft."""
        yield from self.heading(draft.title)
        for section in draft.sections:
            yield from self.heading(section.heading)
            for each in section.sentences:
                yield from self.sentence(each.text, each.rows)

    def heading(self, text: str) -> Iterator[Fault]:
        """A heading has words of what is asked, missing, and known of the brand; one that names somebody has words of
        rows on them."""
        named = self.named(text)
        allowed: set[str | None] = {*named} or {None, self.reader.brand.name}
        rows = [row for row in self.brief.rows if row.about in allowed]
        yield from self._unfounded(text, rows, self.language.of_texts, numbers(" ".join(row.text for row in rows)))

    def sentence(self, text: str, ids: Sequence[str]) -> Iterator[Fault]:
        """A sentence rests on rows about those whom it names; without rows it has words on the text itself alone, or
        asks what the brief asks."""
        rows = [self._rows[each] for each in ids if each in self._rows]
        named = self.named(text)
        if unknown := [each for each in ids if each not in self._rows]:
            yield Fault(f"the brief has no row {', '.join(unknown)[:50]}", text)
        elif text.rstrip().endswith("?") and not named:
            yield from self.heading(text)
        elif not ids:
            reason = "names no row, and says more than what the page is about"
            yield from self._unfounded(text, (), self.language.of_texts, set(), reason)
        else:
            yield from self._founded(text, rows, named)

    def _founded(self, text: str, rows: Sequence[Source], named: set[str]) -> Iterator[Fault]:
        own = self.reader.brand.name
        about = {row.about for row in rows if row.kind not in ABOUT_NOBODY}
        others, known = about - {own}, about | self.named(" ".join(row.text for row in rows))
        stated = numbers(" ".join(row.text for row in rows))
        telling = self.language.telling(text)
        if named - known:
            yield Fault(f"names {', '.join(sorted(named - known))} without a row on it", text)
        elif others - named:
            yield Fault(f"rests on a row on {', '.join(sorted(map(str, others - named)))} and does not name it", text)
        elif not about:
            yield Fault("rests on what is asked or missing alone", text)
        elif len(about) > 1:
            yield Fault("rests on rows on more than one brand: make a sentence for each", text)
        elif idle := [row.id for row in rows if not telling & self.language.telling(row.text)]:
            yield Fault(f"says nothing of row {', '.join(idle)}", text)
        else:
            free = self.language.of_texts
            free |= self.language.of_choosing if others else frozenset()
            supporting = [row for row in rows if row.kind not in ABOUT_NOBODY]
            yield from self._unfounded(text, supporting, free, stated)

    def _unfounded(
        self, text: str, rows: Sequence[Source], free: frozenset[str], stated: set[str], reason: str = ""
    ) -> Iterator[Fault]:
        """What a text has that neither these rows have nor may be written freely: signs, numbers, words."""
        known = self.language.telling(*(row.text for row in rows)) | free | self._name_words
        if found := _FOREIGN.search(text):
            yield Fault(f"has HTML, an address or signs of Markdown: {found[0][:20]}", text)
        if invented := sorted(numbers(text) - stated):
            yield Fault(f"has numbers that are in no row of it: {', '.join(invented[:3])}", text)
        elif new := sorted(self.language.telling(text) - known):
            yield Fault(reason or f"has words that are in no row of it: {', '.join(new[:5])}", text)

    def named(self, text: str) -> set[str]:
        """Whom of the tracked a text names: in any place that its name is written as a name."""
        places = self.reader.detector.places(text)
        return {
            self._names[place.subject]
            for place in places
            if place.subject in self._names and not text[place.start : place.end].islower()
        }


def refusal(reader: Reader, brief: Brief, draft: DraftText) -> str | None:
    """Why a draft cannot be used, with the first sentences; None: it can."""
    language = Language(language_of(" ".join(draft.texts)))
    faults = list(Checker(reader, brief, language).faults(draft))
    return "; ".join(f"“{each.text[:120]}” {each.reason}" for each in faults[:6]) or None


def checks_of(brief: Brief, draft: DraftText) -> list[Check]:
    """What was looked at in a draft that can be used: what it rests on, and which limit it leaves out."""
    sentences = [each for section in draft.sections for each in section.sentences]
    resting, used = sum(bool(each.rows) for each in sentences), draft.rows
    first = gettext("names the brand in the first {number} words").format(number=FIRST_WORDS)
    words = gettext("{resting} of {number} sentences rest on {rows} rows of the brief; others claim nothing")
    detail = words.format(resting=resting, number=len(sentences), rows=len(used))
    is_named = brief.brand.name in " ".join(draft.markdown.split()[:FIRST_WORDS])
    checks = [
        Check(name=gettext_noop("sources"), passed=True, detail=detail),
        Check(name=gettext_noop("answer first"), passed=is_named, detail=first),
    ]
    limits = [row for row in brief.rows if row.kind == "limit"]
    if left := [row for row in limits if row.id not in used]:
        detail = gettext("it does not speak of what answers hold against you")
        checks.append(Check(name=gettext_noop("limits"), passed=False, detail=detail, quote=left[0].heading))
    elif limits:
        checks.append(Check(name=gettext_noop("limits"), passed=True, detail=gettext("it speaks of each")))
    return checks
