"""Which of the matches in an answer mean their subject: policies, and the senses of names that mean other things."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from visibility.detection.names.bearers import is_last_name, is_person
from visibility.detection.names.context import Context, context
from visibility.detection.names.introducing import introduced
from visibility.detection.names.lists import ENGLISH
from visibility.detection.names.makers import makers_in
from visibility.detection.names.matching import Claim, Dictionary, Match
from visibility.detection.names.openings import Openings
from visibility.detection.names.questions import Question
from visibility.detection.names.senses import judge, small
from visibility.detection.names.trade import speaks_of_trade, speaks_of_trade_unspaced
from visibility.detection.names.verdicts import ALONE, ARTICLED, Evidence, Verdict
from visibility.detection.text.addresses import host_of
from visibility.detection.text.languages import ARTICLES, is_foreign
from visibility.detection.text.lines import Line, Lines
from visibility.detection.text.visible import VisibleText
from visibility.detection.types import Policy

_TOKEN = re.compile(r"[^\W\d_]*\Z")
_TOKEN_REST = re.compile(r"[^\W_]+")
_JOINT = re.compile(r"[a-z][A-Z]")
_OWNS = re.compile(r"\s[a-z]")
_REACH = 40
_PRODUCT = re.compile(r" (?:[^\W\d_a-z\u00df-\u00ff]|\d)")
"""A capital or a number behind a name: the product."""

Judged = Sequence[tuple[Claim, Verdict]]
"""The claims of one match, each with what is concluded of it."""


class Meanings:
    """Judges the matches of one answer."""

    def __init__(
        self,
        seen: VisibleText,
        lines: Lines,
        question: Question,
        dictionary: Dictionary,
        openings: Openings | None = None,
    ) -> None:
        self._seen = seen
        self._shown = seen.prose.text
        self._lines = lines
        self._question = question
        self._owners = dictionary.owners
        self._openings = openings or Openings(seen, lines, question, dictionary, None)
        self._takes_open = question.alone and question.chooses
        self._chooses = question.chooses or question.trades or speaks_of_trade_unspaced(question.text)
        self._asks = question.asks
        self._makers: frozenset[str] = frozenset()
        self._capital: set[str] = set()
        self._full: Mapping[str, set[str]] = {}
        self._contexts: dict[tuple[int, int], Context] = {}
        self._kin: dict[object, dict[int, Match]] = {}

    def meant(self, matches: Sequence[Match]) -> Iterator[Match]:
        """The matches with only those claims that hold, each with the rule that decided; others are left out."""
        judged = self._openings.settled(matches, self._judged(matches))
        certain = {claim.subject for verdicts in judged for claim, verdict in verdicts if verdict.meant}
        for match, verdicts in zip(matches, judged, strict=True):
            held: dict[str, tuple[Claim, str]] = {}
            for claim, verdict in verdicts:
                if verdict.meant or (verdict.meant is None and self._takes(verdict, claim.subject in certain)):
                    told = verdict.meant or verdict.rule in (ALONE, ARTICLED)
                    held.setdefault(claim.subject, (claim, verdict.rule if told else "discourse"))
            if held:
                yield replace(match, claims=tuple(claim for claim, _ in held.values()), rule=_rule(match, held))

    def _judged(self, matches: Sequence[Match]) -> Sequence[Judged]:
        """What is concluded of each claim: first from the place, then with names that are certain by now as company,
        then from how the answer first shows the name."""
        claims = [claim for match in matches for claim in match.claims]
        if not self._question.text.strip():
            # Without a question the company of other brands has to tell what the talk is of.
            self._asks = len({claim.subject for claim in claims}) > 1 or any(claim.kind is None for claim in claims)
        self._capital, self._full = _with_capital(matches), _words_of_full_names(matches)
        self._note_kin(match for match in matches if self._is_company(match))
        if not any(claim.kind for claim in claims):
            return [[(claim, self._verdict(match, claim)) for claim in match.claims] for match in matches]
        self._makers = makers_in(self._shown)
        judged = [[(claim, self._verdict(match, claim)) for claim in match.claims] for match in matches]
        certain = (
            match
            for match, verdicts in zip(matches, judged, strict=True)
            if any(claim.kind and verdict.meant for claim, verdict in verdicts)
        )
        self._note_kin(certain)
        again = [
            [
                (claim, verdict if verdict.meant or not claim.kind else self._verdict(match, claim))
                for claim, verdict in verdicts
            ]
            for match, verdicts in zip(matches, judged, strict=True)
        ]
        return introduced(again, [self._context(match) for match in matches])

    def _takes(self, verdict: Verdict, certain: bool) -> bool:
        """Whether an open place counts: as the certain ones of its subject do, or where there are none."""
        if verdict.rule == ARTICLED:
            return not certain
        if verdict.rule == ALONE:
            return not certain and self._chooses
        return certain or self._takes_open

    def _is_company(self, match: Match) -> bool:
        """Whether a name means nothing else, or stands alone in its line or cell where things are asked for."""
        in_own_cell = match.rule == "small" and self._asks and not self._seen.code.touches(match.start, match.end)
        return in_own_cell or any(claim.kind is None for claim in match.claims)

    def _note_kin(self, matches: Iterable[Match]) -> None:
        """Remember where these stand: they are company for others."""
        for match in matches:
            around = self._neighbourhood(match, self._lines.at(match.start))
            self._kin.setdefault(around, {})[match.start] = match

    def _verdict(self, match: Match, claim: Claim) -> Verdict:
        if claim.text.endswith("!") and self._shown[match.end : match.end + 1] == "!":
            return Verdict(False, "sign")  # the name with its mark is judged by itself
        if claim.kind is None and claim.policy is None:
            return self._of_certain_name(match, claim)
        if is_person(self._shown, match.start, match.end) or (
            claim.kind == "noun" and is_last_name(self._shown, match.start)
        ):
            return Verdict(False, "person")
        place = self._context(match)
        if claim.policy and (verdict := _by_policy(claim.policy, place)):
            return verdict
        if match.rule == "glued" and claim.kind == "word" and _is_in_compound(self._shown, match.start, match.end):
            return Verdict(False, "compound")
        if match.rule in ("glued", "inflected") or (match.rule == "joined" and claim.kind not in ("homonym", None)):
            return Verdict(True, match.rule)
        verdict = self._by_sense(match, claim, place)
        if verdict.meant is None and claim.policy and (claim.policy.required_near or claim.policy.forbidden_near):
            return Verdict(True, "policy")  # who says where the name is not meant says that it is elsewhere
        return verdict

    def _by_sense(self, match: Match, claim: Claim, place: Context) -> Verdict:
        if claim.kind is None:
            return Verdict(True, "name")
        evidence = self._evidence(match, claim, place)
        in_code = match.written.islower() and self._seen.code.touches(match.start, match.end)
        if match.rule == "small" or in_code:
            return small(place, evidence, in_code=in_code)
        return judge(place, claim.kind, evidence)

    def _context(self, match: Match) -> Context:
        key = match.start, match.end
        if key not in self._contexts:
            self._contexts[key] = context(self._shown, self._lines.at(match.start), *key)
        return self._contexts[key]

    def _evidence(self, match: Match, claim: Claim, place: Context) -> Evidence:
        hosts = self._owners.hosts.get(claim.subject, frozenset())
        named, common = self._question.uses(claim.text)
        first = claim.text.split()[0]
        return Evidence(
            kin=self._has_kin(match, place.line),
            asks=self._asks,
            named=named,
            trade=speaks_of_trade(place.clause),
            traded=self._question.trades,
            common=common and not named,
            owned=self._is_linked_to(match, hosts),
            full=claim.text in self._full.get(claim.subject, ()),
            owner=place.follows_capital and any(host.split(".")[-2:-1] == [place.before.lower()] for host in hosts),
            question=self._question.text,
            makers=self._makers - {first},
            makes=first in self._makers,
        )

    def _is_linked_to(self, match: Match, hosts: frozenset[str]) -> bool:
        """Whether a name stands in a link to one of these hosts; links stand in their order and never nest."""
        number = bisect_right(self._seen.links, match.start, key=itemgetter(0)) - 1
        if number < 0 or self._seen.links[number][1] < match.end:
            return False
        return _is_below(host_of(self._seen.links[number][2]), hosts)

    def _of_certain_name(self, match: Match, claim: Claim) -> Verdict:
        """Of a name that means nothing else: a person may bear it, and another language may write it small."""
        is_borne = is_last_name(self._shown, match.start) or is_person(self._shown, match.start, match.end)
        owns = claim.variant.rule == "apostrophe" and _OWNS.match(self._shown, match.end)
        if is_borne or owns or not self._is_written_as_name(match, claim):
            return Verdict(False, "name")
        return Verdict(None, ARTICLED) if self._is_articled(match) else Verdict(True, "name")

    def _is_written_as_name(self, match: Match, claim: Claim) -> bool:
        """Whether small letters are the name's, and not a word's behind an article ("l'\u00e9clat")."""
        written, name = match.written, claim.variant.written
        line = self._lines.at(match.start)
        if " " in name and written[1:].islower() and not name[1:].islower():
            return not is_foreign(line.text)
        if not written[:1].islower() or not name[:1].isupper():
            return True
        before = self._context(match).before.lower()
        if is_foreign(line.text):
            return before not in ARTICLES
        # Who writes the name with its capital elsewhere means the word behind an article.
        return before not in (ENGLISH.articles if claim.text in self._capital else ("a", "an"))

    def _is_articled(self, match: Match) -> bool:
        """Whether an article shows that a word of another language, or one of several bearers, may be meant: "der
        J\u00e4ger", "a Neuhaus in Franconia"."""
        if self._shown[match.start - 1 : match.start] != " " or match.start < 2:
            return False
        before = self._shown[max(0, match.start - 10) : match.start - 1].rpartition(" ")[2].lower()
        if before in ("a", "an"):
            return self._shown[match.end : match.end + 4] == " in "
        if _PRODUCT.match(self._shown, match.end):
            return False  # "der Graef Sliced Kitchen"
        return before in ARTICLES and is_foreign(self._lines.at(match.start).text)

    def _has_kin(self, match: Match, line: Line) -> bool:
        """Whether a name of another that means nothing else stands around, not right beside: that may be one name."""
        around = self._kin.get(self._neighbourhood(match, line), {})
        return any(
            (other.end < match.start - 1 or match.end + 1 < other.start)
            and set(other.subjects) != set(match.subjects)
            for other in around.values()
        )

    def _neighbourhood(self, match: Match, line: Line) -> object:
        """What a match belongs to: its list or table, the headings, the lines that begin in bold, or its sentence."""
        if line.place.kind in ("item", "cell"):
            return line.place.kind, line.place.group
        if line.place.kind == "heading":
            return "heading"
        spans = self._lines.sentences(line)
        number = bisect_right(spans, (match.start, sys.maxsize)) - 1
        if number <= 0 and self._seen.bold.touches(line.start, line.start + 1):
            return "bold"
        return spans[number][0] if number >= 0 else line.start


def _is_in_compound(shown: str, start: int, end: int) -> bool:
    """Whether a plain word is glued to one other and no more ("EcoTank"): that is one word with two capitals."""
    head, tail = shown[max(0, start - _REACH) : start], shown[start : end + _REACH]
    token = "".join(part[0] for part in (_TOKEN.search(head), _TOKEN_REST.match(tail)) if part)
    return len(_JOINT.findall(token)) == 1 and token[0].isupper()


def _with_capital(matches: Iterable[Match]) -> set[str]:
    """The names that mean nothing else and are written with a capital somewhere in the answer."""
    return {
        claim.text for match in matches if match.written[:1].isupper() for claim in match.claims if not claim.kind
    }


def _words_of_full_names(matches: Iterable[Match]) -> dict[str, set[str]]:
    """The words of the longer names that mean nothing else and stand in the answer, by subject."""
    words: dict[str, set[str]] = {}
    for match in matches:
        for claim in match.claims:
            if not claim.kind and " " in claim.text:
                words.setdefault(claim.subject, set()).update(claim.text.split())
    return words


def _by_policy(policy: Policy, place: Context) -> Verdict | None:
    """What the user's policy tells of a place."""
    if not _allows(policy, place):
        return Verdict(False, "policy")
    is_told = policy.required_near and _has_near(policy, place.clause)
    return Verdict(True, "policy") if is_told else None


def _allows(policy: Policy, place: Context) -> bool:
    beside = {place.before.casefold(), place.after.casefold()}
    if beside & {word.casefold() for word in policy.forbidden_near}:
        return False
    return not policy.required_near or _has_near(policy, place.line.text)


def _has_near(policy: Policy, text: str) -> bool:
    words = set(re.findall(r"[\w'-]+", text.casefold()))
    return any(word.casefold() in words for word in policy.required_near)


def _is_below(host: str, hosts: frozenset[str]) -> bool:
    return any(host == owned or host.endswith(f".{owned}") for owned in hosts)


def _rule(match: Match, held: dict[str, tuple[Claim, str]]) -> str:
    """What let the match count: how its edges stand, how it is varied, which sense decided; "word" where plain."""
    claim, sense = next(iter(held.values()))
    told = [match.rule] if match.rule != "word" else []
    told += [claim.variant.rule] if claim.variant.rule != "word" else []
    told += [sense] if sense not in ("name", *told) else []
    return "+".join(told) or "word"
