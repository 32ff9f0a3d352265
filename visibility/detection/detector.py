"""The detector: mentions with ranks, stances and quotes from the text of an answer."""

from collections.abc import Iterable, Sequence
from itertools import islice

from visibility.detection.dictionary import Dictionary, Match, settle
from visibility.detection.entries import Ranking, entries
from visibility.detection.folding import compose
from visibility.detection.labels import echoes, labelled
from visibility.detection.quotes import quote
from visibility.detection.senses import WEIGHTS, Sense, Senses, Weights
from visibility.detection.stance import Stances
from visibility.detection.types import Detected, Mention, Place, Stance, Subject
from visibility.detection.untracked import untracked_names
from visibility.detection.visible import Span, Visible, read

VERSION = 9
"""Raised with every change of what is detected, so that history is read again."""

_MAX_MATCHES = 1_000
"""More names than any honest answer has; those behind them are not read."""
_LABEL, _ECHO = 1, 2
"""Why a stretch is hidden."""
_HIDDEN = {_LABEL: "hidden: label of a source", _ECHO: "echo of the question"}


class Detector:
    """Finds the mentions of these subjects, and by the same rules of those that are only watched: nobody tracks them,
    their names stay untracked. `weights` are those of the evidence for names that are also words. Prepared once; safe
    to share between threads."""

    def __init__(
        self, subjects: Iterable[Subject] = (), watched: Iterable[Subject] = (), weights: Weights = WEIGHTS
    ) -> None:
        watched = list(watched)
        self._watched = frozenset(each.key for each in watched)
        self._dictionary = Dictionary([*subjects, *watched])
        self._weights = weights

    def detect(self, text: str, prompt: str = "", sources: Sequence[tuple[str, str]] = ()) -> Detected:
        """The mentions in an answer's visible prose, by place, with offsets into `text`; in time linear in it.

        `sources` are the addresses and titles that the answer cites: a link with such a title only names its source.
        """
        seen = read(text, [title for _, title in sources])
        question, _ = compose(prompt)
        listed = entries(seen)
        ranking = Ranking(listed, seen.text)
        shown, _ = self._found(seen, question)
        matches = self._senses(seen, question, sources).meant(shown)
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

    def named(
        self, text: str, prompt: str = "", sources: Sequence[tuple[str, str]] = ()
    ) -> list[tuple[str, int, int]]:
        """Only which subjects an answer mentions and where: the subject and place of each mention that `detect` would
        give, at half of its cost; without those that the answer says it does not know."""
        seen = read(text, [title for _, title in sources])
        question, _ = compose(prompt)
        shown, _ = self._found(seen, question)
        stances = Stances(seen, Ranking((), seen.text))
        return [
            (subject, *seen.raw_span(match.start, match.end))
            for match in self._senses(seen, question, sources).meant(shown)
            if stances.stance_at(match.start, match.end) is not Stance.NOT_FOUND
            for subject in dict.fromkeys(claim.subject for claim in match.claims)
        ]

    def places(self, text: str, prompt: str = "", sources: Sequence[tuple[str, str]] = ()) -> list[Place]:
        """Every place of an answer at which a name of a subject is written, in any letters, and whether it counts."""
        seen = read(text, [title for _, title in sources])
        question, _ = compose(prompt)
        shown, hidden = self._found(seen, question)
        senses = self._senses(seen, question, sources)
        places = [_place(seen, sense, sense.counts, senses.reasons(sense)) for sense in senses.judge(shown)]
        for reason, matches in hidden.items():
            places += [_place(seen, sense, False, [_HIDDEN[reason]]) for sense in senses.judge(matches)]
        taken = {(place.subject, offset) for place in places for offset in range(place.start, place.end)}
        for match in settle(islice(self._dictionary.matches(seen.text, any_case=True), _MAX_MATCHES)):
            start, end = seen.raw_span(match.start, match.end)
            for claim in {claim.subject: claim for claim in match.claims}.values():
                if taken.isdisjoint(((claim.subject, start), (claim.subject, end - 1))):
                    why = "a policy" if claim.policy and claim.policy.case_sensitive else "in small letters"
                    places.append(Place(claim.subject, claim.name, start, end, 0.0, False, [why]))
        return sorted(places, key=lambda place: (place.start, place.end, place.subject))

    def judged(
        self, text: str, prompt: str = "", sources: Sequence[tuple[str, str]] = ()
    ) -> list[tuple[Sense, Span]]:
        """The sense of each place that is not hidden, with its span in the raw text: what weights are fitted to."""
        seen = read(text, [title for _, title in sources])
        question, _ = compose(prompt)
        shown, _ = self._found(seen, question)
        judged = self._senses(seen, question, sources).judge(shown)
        return [(sense, seen.raw_span(sense.match.start, sense.match.end)) for sense in judged]

    def _senses(self, seen: Visible, question: str, sources: Sequence[tuple[str, str]]) -> Senses:
        return Senses(seen, question, self._dictionary, sources, self._weights)

    def _found(self, seen: Visible, question: str) -> tuple[list[Match], dict[int, list[Match]]]:
        """The longest names of each subject: those in the answer's own words, and hidden ones by what hides them."""
        found = list(islice(self._dictionary.matches(seen.text), _MAX_MATCHES))
        hidden: dict[int, list[Match]] = {_LABEL: [], _ECHO: []}
        if not found:
            return [], hidden
        marks = bytearray(len(seen.text))
        for why, spans in ((_LABEL, labelled(seen)), (_ECHO, echoes(seen.text, question))):
            for start, end in spans:
                marks[start:end] = bytes([why]) * (end - start)
        shown: list[Match] = []
        for match in found:
            why = max(marks[match.start : match.end])
            (hidden[why] if why else shown).append(match)
        return settle(shown), {why: settle(matches) for why, matches in hidden.items()}


def _place(seen: Visible, sense: Sense, counts: bool, reasons: Sequence[str]) -> Place:
    start, end = seen.raw_span(sense.match.start, sense.match.end)
    return Place(sense.claim.subject, sense.claim.name, start, end, sense.chance, counts, reasons)


def _mentions(seen: Visible, match: Match, stances: Stances, ranks: dict[str, tuple[int, str]]) -> Iterable[Mention]:
    stance = stances.stance_at(match.start, match.end)
    quoted = quote(seen.text, (match.start, match.end), stances.bounds(match.start, match.end))
    start, end = seen.raw_span(match.start, match.end)
    quote_start, quote_end = seen.raw_span(*quoted)
    for subject in dict.fromkeys(claim.subject for claim in match.claims):
        rank, rank_rule = ranks.get(subject, (None, ""))
        yield Mention(subject, start, end, rank, stance, match.rule, rank_rule, quote_start, quote_end)
