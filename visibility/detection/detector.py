"""Which subjects an answer mentions, where, in which order, and what it says of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from visibility.detection.names.matching import Claim, Dictionary, Match, settle
from visibility.detection.names.meaning import Meanings
from visibility.detection.names.openings import Openings
from visibility.detection.names.questions import Question, is_compared
from visibility.detection.stance.quotes import as_written
from visibility.detection.stance.ranking import Rank, Ranking
from visibility.detection.stance.stance import Stances, Told
from visibility.detection.text.echo import Echo
from visibility.detection.text.entries import entries
from visibility.detection.text.folding import fold
from visibility.detection.text.lines import Lines
from visibility.detection.text.reading import Reading
from visibility.detection.text.visible import VisibleText, as_typed
from visibility.detection.types import FoundMention, Judged, OpenName, Stance

DETECTOR_VERSION = "10"
"""Changes with every change of what is found; answers analysed by another version are analysed again."""

MAX_OCCURRENCES = 100
"""So often a name is looked at in one answer, from its beginning: four times as often as any stood in a real answer.
A flood says nothing more; with this bound the time follows the length of the text, not how dense it is."""

WITHIN = "within"
"""The rule of a mention of an owner that stands in the name of its line ("Google" in "Google Maps")."""


def detect(answer: Reading, prompt: str, dictionary: Dictionary, judged: Judged | None = None) -> list[FoundMention]:
    """All mentions in an answer's visible prose, by their place.

    `prompt` is the question as it was asked: where the answer repeats it, the names in it do not count. The answer's
    sources tell links that only name their source apart from prose. Where names overlap the longest counts; a name
    that two subjects share counts for both. Where nothing tells what a name means, `judged` decides. Takes any
    string, in time linear in its length.
    """
    matches, _ = _meant(answer, prompt, dictionary, judged)
    return list(_Reader(answer, dictionary).mentions(settle(matches), prompt)) if matches else []


def open_names(answer: Reading, prompt: str, dictionary: Dictionary) -> list[OpenName]:
    """The names in an answer of which nothing tells for sure what they mean, by their place: a judge may decide."""
    _, places = _meant(answer, prompt, dictionary, None)
    found = (
        OpenName(claim.subject, claim.text, *answer.seen.prose.source_span(match.start, match.end))
        for match, claim in places
    )
    return sorted(found, key=lambda name: (name.start, name.subject))


def _meant(
    answer: Reading, prompt: str, dictionary: Dictionary, judged: Judged | None
) -> tuple[list[Match], list[tuple[Match, Claim]]]:
    """The matches that mean their subjects, and those that nothing tells of, each with its claim."""
    seen, lines = answer.seen, answer.lines
    named = dictionary.occurrences(answer.folded, seen.prose.text, seen.code)
    found = list(_bounded(match for match in named if _is_shown(seen, match)))
    if not found:
        return [], []
    echo = Echo(answer.folded, prompt, seen.bold)
    found = [
        match
        for match in found
        if not echo.covers(lines, match.start, match.end) and not answer.labels.hide(match.start)
    ]
    question = Question(prompt)
    openings = Openings(seen, lines, question, dictionary, judged)
    return list(Meanings(seen, lines, question, dictionary, openings).meant(found)), openings.left


def named_in(prompt: str, dictionary: Dictionary) -> frozenset[str]:
    """The subjects that a prompt names, which makes it branded for them; of overlapping names each one counts.

    A name that is also a word counts by what stands around it, as in an answer: "How to Stay Away From Scams" does
    not name Away. Where that does not tell it counts if the prompt asks for things to choose.
    """
    found = list(dictionary.occurrences(fold(prompt), prompt))
    seen = as_typed(prompt)
    meant = list(Meanings(seen, Lines(seen), Question(prompt, alone=True), dictionary).meant(found)) if found else []
    if prompt.islower() and len(titled := prompt.title()) == len(prompt):
        # Who writes everything small writes names small: what is compared or reviewed is a name all the same.
        meant += [
            each for each in dictionary.occurrences(fold(titled), titled) if is_compared(prompt, each.start, each.end)
        ]
    return frozenset(subject for match in meant for subject in match.subjects)


def _bounded(matches: Iterable[Match]) -> Iterator[Match]:
    """The first so many matches of each name's subjects."""
    seen: Counter[tuple[str, ...]] = Counter()
    for match in matches:
        seen[match.subjects] += 1
        if seen[match.subjects] <= MAX_OCCURRENCES:
            yield match


def _is_shown(seen: VisibleText, match: Match) -> bool:
    """Whether a name at this place counts: not where it is hidden, in inline code only where it fills it."""
    start, end = match.start, match.end
    if seen.hidden.touches(start, end):
        return False
    if not seen.code.touches(start, end):
        return True
    holding = seen.code.holding(start, end)
    return holding is not None and seen.prose.text[slice(*holding)].strip() == match.written


class _Reader:
    """Makes mentions of the settled matches of one answer."""

    def __init__(self, answer: Reading, dictionary: Dictionary) -> None:
        self._text = answer.text
        self._seen = answer.seen
        self._lines = answer.lines
        self._dictionary = dictionary

    def mentions(self, matches: Sequence[Match], prompt: str) -> Iterator[FoundMention]:
        """The mentions by their place. A subject of which the first stance says that nothing is known has no rank."""
        listed = entries(self._seen, self._lines, asked=Question(prompt).offers)
        ranking = Ranking(listed, self._seen.prose.text)
        stances = Stances(matches, self._lines, ranking, prompt)
        told = [stances.of(index) for index in range(len(matches))]
        unknown = _unknown(matches, told)
        ranks = ranking.of(matches)
        for match, said in zip(matches, told, strict=True):
            for subject in match.subjects:
                if subject in unknown:
                    yield self._mention(match, subject, None, said._replace(stance=Stance.NOT_FOUND))
                else:
                    yield self._mention(match, subject, ranks.get(subject), said)
            for owner, line in self._owners(match).items():
                if not unknown & {owner, line}:
                    shown = self._mention(match, owner, ranks.get(owner) or ranks.get(line), said)
                    yield replace(shown, rule=WITHIN, stance=Stance.UNKNOWN)

    def _owners(self, match: Match) -> dict[str, str]:
        """The owners whose names the words contain, each with its line: "Google Maps" shows Google, "Instagram" does
        not show Meta."""
        parents = self._dictionary.owners.parents
        lines = {parents[subject]: subject for subject in match.subjects if subject in parents}
        return {
            owner: line
            for owner, line in lines.items()
            if owner not in match.subjects and self._dictionary.is_named(owner, match.written)
        }

    def _mention(self, match: Match, subject: str, rank: Rank | None, said: Told) -> FoundMention:
        start, end = self._seen.prose.source_span(match.start, match.end)
        quote = as_written(
            self._lines.shown, (said.start, said.end), (match.start, match.end), self._seen.prose.source_span
        )
        number, rule = rank or (None, "")
        return FoundMention(subject, start, end, self._text[start:end], number, match.rule, rule, said.stance, *quote)


def _unknown(matches: Sequence[Match], told: Sequence[Told]) -> frozenset[str]:
    """The subjects of which the first place with a stance says that nothing is known."""
    first: dict[str, Stance] = {}
    for match, said in zip(matches, told, strict=True):
        for subject in match.subjects:
            if said.stance != Stance.UNKNOWN:
                first.setdefault(subject, said.stance)
    return frozenset(subject for subject, stance in first.items() if stance == Stance.NOT_FOUND)
