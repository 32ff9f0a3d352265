"""Words of answers: which answers have them, by the index of their texts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q

from visibility.detection.quotes import quote
from visibility.detection.visible import Span, Visible
from visibility.models.answers import WORD_SIGNS

CUT = ((8, 3), (5, 1), (0, 0))
"""Least letters of a word, and how many of its last ones other forms may lack: "warrant" finds warranties."""
LOOKED_AT = 20
"""Places of the words in one answer."""
_SPACES = str.maketrans(dict.fromkeys(f"{WORD_SIGNS}'\0", " "))


@dataclass(frozen=True, slots=True)
class Words:
    """Words to find, also in other forms, which begin alike and differ in the last letters of longer words."""

    single: Sequence[str]

    @classmethod
    def of(cls, text: str) -> "Words":
        """The words of a text, split as the index splits them."""
        return cls(text.translate(_SPACES).split())

    @property
    def beginnings(self) -> list[str]:
        """What other forms of the words begin with."""
        return [word[: len(word) - next(cut for least, cut in CUT if len(word) >= least)] for word in self.single]

    @property
    def patterns(self) -> list[str]:
        """What to look for in a text: the words as they are, in other forms, and each, the longest first."""
        forms = [rf"{re.escape(beginning)}\w*" for beginning in self.beginnings]
        single = sorted(zip(self.single, forms, strict=True), key=lambda each: -len(each[0]))
        return [r"\W{1,3}".join(map(re.escape, self.single)), r"\W{1,3}".join(forms), *(form for _, form in single)]

    def query(self, between: str, *, forms: bool) -> SearchQuery:
        """These words, as they are or in any form, joined by `between`, an operator of full-text search."""
        written = [f"'{word}':*" for word in self.beginnings] if forms else [f"'{word}'" for word in self.single]
        return SearchQuery(f" {between} ".join(written), config="simple", search_type="raw")

    def in_text(self, between: str, *, forms: bool) -> Q:
        """The condition that an answer has these words, joined as in `query`."""
        return Q(words=self.query(between, forms=forms))

    def sentences_of(self, seen: Visible) -> Iterator[Span]:
        """The sentences of a visible text that hold the words one after the other, else the longest of them."""
        done = -1
        for pattern in filter(None, self.patterns):
            for place in islice(re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", seen.text, re.IGNORECASE), LOOKED_AT):
                line = seen.line_at(place.start())
                bounds = min(line.start, place.start()), max(line.end, place.end())
                start, end = quote(seen.text, place.span(), bounds)
                if start > done:
                    done = start
                    yield start, end
            if done >= 0:
                return
