"""What becomes of names that no rule of language tells of: by what their owner sells, else as a judge has decided."""

from collections.abc import Iterable, Sequence

from visibility.detection.names.description import Described
from visibility.detection.names.matching import Claim, Dictionary, Match
from visibility.detection.names.questions import Question
from visibility.detection.names.verdicts import DESCRIPTION, JUDGE, Verdict
from visibility.detection.text.lines import Lines
from visibility.detection.text.visible import VisibleText
from visibility.detection.types import Judged

AROUND = 200
"""Characters of its line, before and behind a name, that tell what is spoken of."""


class Openings:
    """The open names of one answer; `left` are those that stay open, whether or not a judge has decided them."""

    def __init__(
        self, seen: VisibleText, lines: Lines, question: Question, dictionary: Dictionary, judged: Judged | None
    ) -> None:
        self.left: list[tuple[Match, Claim]] = []
        self._seen = seen
        self._lines = lines
        self._described = Described(dictionary.descriptions, f"{seen.prose.text} {question.text}")
        self._judged = judged or {}

    def settled(
        self, matches: Sequence[Match], judged: Iterable[Sequence[tuple[Claim, Verdict]]]
    ) -> list[list[tuple[Claim, Verdict]]]:
        """What is concluded of each match's claims, and in place of open verdicts on names that also mean something
        else what is known here."""
        return [
            [(claim, self._settled(match, claim, verdict)) for claim, verdict in of_match]
            for match, of_match in zip(matches, judged, strict=True)
        ]

    def _settled(self, match: Match, claim: Claim, verdict: Verdict) -> Verdict:
        if verdict.meant is not None or not claim.kind:
            return verdict
        line = self._lines.at(match.start)
        around = slice(max(line.start, match.start - AROUND), min(line.end, match.end + AROUND))
        told = self._described.tells(claim.subject, claim.text, self._seen.prose.text[around])
        if told is not None:
            return Verdict(told, DESCRIPTION)
        self.left.append((match, claim))
        judged = self._judged.get((claim.subject, claim.text))
        return verdict if judged is None else Verdict(judged, JUDGE)
