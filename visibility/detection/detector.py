"""The detector: mentions with ranks, stances and quotes from the text of an answer."""

from collections.abc import Iterable, Sequence
from itertools import islice

from visibility.detection.dictionary import Dictionary, Match, settle
from visibility.detection.entries import Ranking, entries
from visibility.detection.folding import compose
from visibility.detection.labels import echoes, labelled
from visibility.detection.quotes import quote
from visibility.detection.senses import Senses
from visibility.detection.stance import Stances
from visibility.detection.types import Detected, Mention, Subject
from visibility.detection.untracked import untracked_names
from visibility.detection.visible import Visible, read

VERSION = 7
"""Raised with every change of what is detected, so that history is read again."""

_MAX_MATCHES = 1_000
"""More names than any honest answer has; those behind them are not read."""


class Detector:
    """Finds the mentions of these subjects, and by the same rules of those that are only watched: nobody tracks them,
    their names stay untracked. Prepared once; safe to share between threads."""

    def __init__(self, subjects: Iterable[Subject] = (), watched: Iterable[Subject] = ()) -> None:
        watched = list(watched)
        self._watched = frozenset(each.key for each in watched)
        self._dictionary = Dictionary([*subjects, *watched])

    def detect(self, text: str, prompt: str = "", sources: Sequence[tuple[str, str]] = ()) -> Detected:
        """The mentions in an answer's visible prose, by place, with offsets into `text`; in time linear in it.

        `sources` are the addresses and titles that the answer cites: a link with such a title only names its source.
        """
        seen = read(text, [title for _, title in sources])
        question, _ = compose(prompt)
        listed = entries(seen)
        ranking = Ranking(listed, seen.text)
        matches = self._meant(seen, question, ranking)
        stances = Stances(seen, ranking)
        ranks: dict[str, tuple[int, str]] = {}
        for match in matches:
            if entry := ranking.entry_of(match.start, match.end):
                for claim in match.claims:
                    ranks.setdefault(claim.subject, (entry.number, entry.rule))
        mentions = [mention for match in matches for mention in _mentions(seen, match, stances, ranks)]
        tracked = [
            (match.start, match.end)
            for match in matches
            if any(claim.subject not in self._watched for claim in match.claims)
        ]
        untracked = untracked_names(seen, listed, tracked, [address for address, _ in sources])
        of_watched = [each for each in mentions if each.subject in self._watched]
        of_tracked = [each for each in mentions if each.subject not in self._watched]
        return Detected(of_tracked, ranking.picks, untracked, of_watched)

    def _meant(self, seen: Visible, question: str, ranking: Ranking) -> list[Match]:
        found = list(islice(self._dictionary.matches(seen.text), _MAX_MATCHES))
        if not found:
            return []
        hidden = bytearray(len(seen.text))
        for start, end in (*labelled(seen), *echoes(seen.text, question)):
            hidden[start:end] = b"\1" * (end - start)
        counted = [match for match in found if hidden.find(1, match.start, match.end) < 0]
        return settle(Senses(seen, question, self._dictionary, ranking).meant(counted))


def _mentions(seen: Visible, match: Match, stances: Stances, ranks: dict[str, tuple[int, str]]) -> Iterable[Mention]:
    stance = stances.stance_at(match.start, match.end)
    quoted = quote(seen.text, (match.start, match.end), stances.bounds(match.start, match.end))
    start, end = seen.raw_span(match.start, match.end)
    quote_start, quote_end = seen.raw_span(*quoted)
    for subject in dict.fromkeys(claim.subject for claim in match.claims):
        rank, rank_rule = ranks.get(subject, (None, ""))
        yield Mention(subject, start, end, rank, stance, match.rule, rank_rule, quote_start, quote_end)
