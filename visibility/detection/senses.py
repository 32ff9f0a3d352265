"""Whether a name that also means something else means its subject at a place, by the weight of evidence.

Each place has some features (see evidence); the chance that the subject is meant is the logistic of their weighted
sum. Then each place takes over a share of the mean evidence of the subject's other places, since a text seldom uses
one word in two senses (Gale, Church and Yarowsky 1992, "One sense per discourse"). No feature comes before another:
what is wrong is mended by a label and new weights (`python -m tests.measurement.fit`). Decided before are only rules
of people, links to the subject's own site, and names that are a part of an address, a model or a quantity.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from visibility.detection.addresses import is_below
from visibility.detection.dictionary import Claim, Dictionary, Match
from visibility.detection.evidence import REASONS, Evidence, Features
from visibility.detection.types import Policy
from visibility.detection.visible import Visible

Weights = Mapping[str, float]

WEIGHTS: Weights = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
"""The weight of each feature, in log-odds."""
DOUBTFUL = (0.3, 0.7)
"""Chances between these are worth a question to the user."""
COUNTS = 0.5
"""Above this chance a place counts."""
ONE_SENSE = 0.8
"""The share of the other places' mean evidence that each place of a subject takes over."""
_MOST = 4.0
"""A place gives others at most so much evidence."""
_RULES = {
    "policy": "a policy",
    "own link": "linked to its own site",
    "site": "a part of an address",
    "model": "a part of a model's name",
    "measure": "a unit behind a number",
}
_MAX_REASONS = 3
_MIN_REASON = 0.1
_SHORT = 3

_SITE = re.compile(r"\.[a-z]{2,6}\b(?:\.[a-z]{2}\b)?")
_NUMBER = re.compile(r"\d[ \xa0]?\Z")
_MODEL = re.compile(r"-[A-Z]{0,4}\d")
_LAST_WORD = re.compile(r"([\w'’&+.-]{1,40})[ \xa0]\Z")
_NEXT_WORD = re.compile(r"[ \xa0]([\w'’&+.-]{1,40})")
_WORD = re.compile(r"[\w'’-]+")


@dataclass(slots=True)
class Sense:
    """Whether a claim to a match is meant. Without features `rule` alone decided."""

    match: Match
    claim: Claim
    features: Features
    chance: float
    counts: bool
    rule: str


class Senses:
    """Judges the places of names in one answer."""

    def __init__(
        self,
        seen: Visible,
        question: str,
        dictionary: Dictionary,
        sources: Sequence[tuple[str, str]],
        weights: Weights = WEIGHTS,
    ) -> None:
        self._seen = seen
        self._dictionary = dictionary
        self._weights = weights
        self._evidence = Evidence(seen, question, dictionary, sources)
        self._words: dict[int, frozenset[str]] = {}

    def meant(self, matches: Sequence[Match]) -> list[Match]:
        """The matches that mean their subjects, each with only those claims and the heaviest reason as its rule."""
        by_match: dict[int, list[Sense]] = {}
        for sense in self.judge(matches):
            if sense.counts:
                by_match.setdefault(id(sense.match), []).append(sense)
        return [
            replace(match, claims=tuple(sense.claim for sense in senses), rule=self._rule(senses[0]))
            for match in matches
            if (senses := by_match.get(id(match)))
        ]

    def judge(self, matches: Iterable[Match]) -> list[Sense]:
        """The sense of each match for each of its subjects."""
        senses = [self._sense(match, claim) for match in matches for claim in self._claims(match)]
        self._look_elsewhere(senses)
        weigh([sense for sense in senses if sense.features], self._weights)
        for sense in senses:
            if sense.features:
                policy = sense.claim.policy  # one that says where the name is not meant implies that it is elsewhere
                sense.counts = sense.chance > (DOUBTFUL[0] if policy and policy.forbidden_near else COUNTS)
        return senses

    def reasons(self, sense: Sense) -> list[str]:
        """The heaviest reasons for the verdict in plain words, heaviest first."""
        if not sense.features:
            return [_RULES.get(sense.rule, "the name means nothing else")]
        reasons = [REASONS[name] for name in self._heaviest(sense)]
        return reasons or ["nothing speaks against it" if sense.counts else "too little speaks for it"]

    def _rule(self, sense: Sense) -> str:
        return next(iter(self._heaviest(sense)), "evidence") if sense.features else sense.rule

    def _heaviest(self, sense: Sense) -> list[str]:
        side = 1 if sense.counts else -1
        weights = {name: side * self._weights.get(name, 0.0) * value for name, value in sense.features.items()}
        heavy = sorted((name for name in weights if name in REASONS), key=lambda name: -weights[name])
        return [name for name in heavy[:_MAX_REASONS] if weights[name] > _MIN_REASON]

    def _claims(self, match: Match) -> Iterable[Claim]:
        """One claim a subject: the most certain, or the one that is written so."""
        written = self._seen.text[match.start : match.end]
        claims: dict[str, Claim] = {}
        for claim in sorted(
            match.claims, key=lambda each: (each.is_ambiguous, not each.policy, each.written != written)
        ):
            claims.setdefault(claim.subject, claim)
        return claims.values()

    def _sense(self, match: Match, claim: Claim) -> Sense:
        known = self._known(match, claim)
        if known is None:
            return Sense(match, claim, self._evidence.of(match, claim), 0.0, False, "")
        is_meant, rule = known
        return Sense(match, claim, {}, float(is_meant), is_meant, rule)

    def _known(self, match: Match, claim: Claim) -> tuple[bool, str] | None:
        """What is no question of evidence, and by which rule."""
        policy = claim.policy
        if policy and not self._is_allowed(policy, match):
            return False, "policy"
        if policy and policy.required_near:
            return True, "policy"
        if not claim.is_ambiguous:
            return True, match.rule
        if self._evidence.is_own_link(match, claim):
            return True, "own link"
        shown = self._seen.text
        if site := _SITE.match(shown, match.end):
            host = shown[match.start : match.end].replace(" ", "").lower() + site[0].lower()
            hosts = self._dictionary.hosts.get(claim.subject, ())
            return not hosts or is_below(host, hosts), "site"
        if len(claim.written) <= _SHORT and _MODEL.match(shown, match.end):
            return False, "model"
        is_behind_number = _NUMBER.search(shown[max(0, match.start - 2) : match.start]) is not None
        if len(claim.written) <= _SHORT and claim.written.islower() and is_behind_number:
            return False, "measure"
        return None

    def _is_allowed(self, policy: Policy, match: Match) -> bool:
        """Whether the user's policy lets a place count."""
        shown, line = self._seen.text, self._seen.line_at(match.start)
        before = _LAST_WORD.search(shown, max(line.body, match.start - 60), match.start)
        after = _NEXT_WORD.match(shown, match.end)
        around = {word[1].casefold().strip(".,'’") for word in (before, after) if word}
        if around & {word.casefold() for word in policy.forbidden_near}:
            return False
        if not policy.required_near:
            return True
        if line.start not in self._words:
            found = _WORD.findall(shown, line.start, line.end)
            self._words[line.start] = frozenset(word.casefold() for word in found)
        return any(word.casefold() in self._words[line.start] for word in policy.required_near)

    @staticmethod
    def _look_elsewhere(senses: Sequence[Sense]) -> None:
        """Add what the other places of a subject show."""
        sure = {sense.claim.subject for sense in senses if sense.counts}
        middle: dict[str, int] = {}
        for sense in senses:
            if "middle" in sense.features:
                middle[sense.claim.subject] = middle.get(sense.claim.subject, 0) + 1
        for sense in senses:
            if sense.features and sense.claim.subject in sure:
                sense.features["sure_elsewhere"] = 1.0
            if sense.features and middle.get(sense.claim.subject, 0) > ("middle" in sense.features):
                sense.features["middle_elsewhere"] = 1.0


def weigh(senses: Sequence[Sense], weights: Weights) -> None:
    """Set the chances: the evidence of each place, and a share of that of the subject's other places."""
    sums = [sum(weights.get(name, 0.0) * value for name, value in sense.features.items()) for sense in senses]
    shared: dict[str, list[float]] = {}
    for sense, total in zip(senses, sums, strict=True):
        shared.setdefault(sense.claim.subject, []).append(_bounded(total))
    for sense, total in zip(senses, sums, strict=True):
        every = shared[sense.claim.subject]
        if len(every) > 1:
            total += ONE_SENSE * (sum(every) - _bounded(total)) / (len(every) - 1)
        sense.chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def _bounded(total: float) -> float:
    return max(-_MOST, min(_MOST, total))
