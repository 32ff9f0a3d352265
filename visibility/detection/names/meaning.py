"""Which of the matches in an answer mean their subject: policies, and the senses of names that mean other things."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from visibility.detection.names.bearers import is_last_name, is_person, is_place, is_set_apart, is_word_itself
from visibility.detection.names.context import Context, context
from visibility.detection.names.grammar import ARTICLES as DETERMINED
from visibility.detection.names.homonyms import speaks_of_trade_unspaced
from visibility.detection.names.inflection import is_inflecting
from visibility.detection.names.matching import Claim, Dictionary, Match
from visibility.detection.names.openings import Openings
from visibility.detection.names.questions import Question
from visibility.detection.names.senses import PHRASES, in_phrase, judge, small
from visibility.detection.names.trade import speaks_of_trade
from visibility.detection.names.verdicts import ALONE, ARTICLED, Evidence, Verdict
from visibility.detection.text.addresses import host_of
from visibility.detection.text.languages import ARTICLES, is_foreign
from visibility.detection.text.lines import Line, Lines
from visibility.detection.text.visible import VisibleText
from visibility.detection.text.words import parts_of_speech
from visibility.detection.types import Policy

_PRODUCT = re.compile(r" (?:[^\W\d_a-z\u00df-\u00ff]|\d)")
"""A capital or a number behind a name: the product."""


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
        self._lines = lines
        self._question = question
        self._owners = dictionary.owners
        self._openings = openings or Openings(seen, lines, question, dictionary, None)
        self._takes_open = question.alone and question.chooses
        self._chooses = question.chooses or question.trades or speaks_of_trade_unspaced(question.text)
        self._asks = question.asks
        self._capital: set[str] = set()
        self._full: Mapping[str, set[str]] = {}
        self._contexts: dict[int, Context] = {}
        self._kin: dict[object, dict[int, Match]] = {}

    def meant(self, matches: Sequence[Match]) -> Iterator[Match]:
        """The matches with only those claims that hold, each with the rule that decided; others are left out."""
        if not matches:
            return
        if not self._question.text.strip():
            # Without a question the company of other brands has to tell what the talk is of.
            claims = [claim for match in matches for claim in match.claims]
            self._asks = len({claim.subject for claim in claims}) > 1 or any(claim.kind is None for claim in claims)
        self._capital, self._full = _with_capital(matches), _words_of_full_names(matches)
        self._note_kin((match, self._is_company(match)) for match in matches)
        verdicts = [[self._verdict(match, claim) for claim in match.claims] for match in matches]
        if any(claim.kind for match in matches for claim in match.claims):
            # Names that are certain by now are company for the others.
            self._note_kin(zip(matches, map(_is_certain, matches, verdicts), strict=True))
            verdicts = [
                [
                    verdict if verdict.meant or not claim.kind else self._verdict(match, claim)
                    for claim, verdict in zip(match.claims, judged, strict=True)
                ]
                for match, judged in zip(matches, verdicts, strict=True)
            ]
        verdicts = self._openings.settled(matches, verdicts)
        certain = {
            claim.subject
            for match, judged in zip(matches, verdicts, strict=True)
            for claim, verdict in zip(match.claims, judged, strict=True)
            if verdict.meant
        }
        for match, judged in zip(matches, verdicts, strict=True):
            held: dict[str, tuple[Claim, str]] = {}
            for claim, verdict in zip(match.claims, judged, strict=True):
                if verdict.meant or (verdict.meant is None and self._takes(verdict, claim.subject in certain)):
                    held.setdefault(
                        claim.subject,
                        (claim, verdict.rule if verdict.meant or verdict.rule in (ALONE, ARTICLED) else "discourse"),
                    )
            if held:
                yield replace(match, claims=tuple(claim for claim, _ in held.values()), rule=_rule(match, held))

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

    def _note_kin(self, matches: Iterable[tuple[Match, bool]]) -> None:
        """Remember where the matches stand that are true."""
        for match, is_kin in matches:
            if is_kin:
                around = self._neighbourhood(match, self._lines.at(match.start))
                self._kin.setdefault(around, {})[match.start] = match

    def _verdict(self, match: Match, claim: Claim) -> Verdict:
        shown = self._seen.prose.text
        if claim.text.endswith("!") and shown[match.end : match.end + 1] == "!":
            return Verdict(False, "sign")  # the name with its mark is judged by itself
        if is_word_itself(shown, match.start, match.end):
            return Verdict(False, "word_itself")
        if claim.kind == "homonym" and is_set_apart(shown, match.end):
            return Verdict(False, "apart")
        if claim.kind is None and claim.policy is None:
            if not self._is_name(match, claim):
                return Verdict(False, "name")
            return Verdict(None, ARTICLED) if self._is_articled(match) else Verdict(True, "name")
        if is_person(shown, match.start, match.end) or (claim.kind == "noun" and is_last_name(shown, match.start)):
            return Verdict(False, "person")
        place = self._context(match)
        if claim.policy:
            if not _allows(claim.policy, place):
                return Verdict(False, "policy")
            if claim.policy.required_near and _has_near(claim.policy, place.clause):
                return Verdict(True, "policy")
        if match.rule in ("glued", "inflected") or (match.rule == "joined" and claim.kind not in ("homonym", None)):
            return Verdict(True, match.rule)
        evidence = self._evidence(match, claim, place)
        in_code = match.written.islower() and self._seen.code.touches(match.start, match.end)
        if match.rule == "small" or (in_code and claim.kind):
            return small(place, evidence, in_code=in_code)
        verdict = judge(place, claim.kind, evidence)
        if verdict.meant is None and claim.policy and (claim.policy.required_near or claim.policy.forbidden_near):
            return Verdict(True, "policy")  # who says where the name is not meant says that it is elsewhere
        return verdict

    def _context(self, match: Match) -> Context:
        if match.start not in self._contexts or len(self._contexts[match.start].name) != match.end - match.start:
            line = self._lines.at(match.start)
            self._contexts[match.start] = context(self._seen.prose.text, line, match.start, match.end)
        return self._contexts[match.start]

    def _evidence(self, match: Match, claim: Claim, place: Context) -> Evidence:
        if claim.kind is None:
            return Evidence()
        hosts = self._owners.hosts.get(claim.subject, frozenset())
        named, common = self._question.uses(claim.text)
        return Evidence(
            kin=self._has_kin(match, place.line),
            asks=self._asks,
            named=named,
            trade=speaks_of_trade(place.clause),
            traded=self._question.trades,
            common=common and not named,
            owned=any(
                start <= match.start and match.end <= end and _is_below(host_of(href), hosts)
                for start, end, href in self._seen.links
            ),
            full=claim.text in self._full.get(claim.subject, ()),
            owner=place.follows_capital and any(host.split(".")[-2:-1] == [place.before.lower()] for host in hosts),
            question=self._question.text,
        )

    def _is_name(self, match: Match, claim: Claim) -> bool:
        """Whether a name that means nothing else is meant: not as the last name of a person, nor where another
        language writes it small behind an article ("l'\u00e9clat")."""
        shown = self._seen.prose.text
        if (
            is_last_name(shown, match.start)
            or is_person(shown, match.start, match.end)
            or is_place(shown, match.start, match.end)
            or is_set_apart(shown, match.end)
            or (match.written.lower() in PHRASES and in_phrase(self._context(match)))
        ):
            return False
        written, name = match.written, claim.variant.written
        if " " in written and written.split()[-1] != name.split()[-1] and self._is_plain_thing(match, name):
            return False
        if " " in name and written[1:].islower() and not name[1:].islower():
            return not is_foreign(self._lines.at(match.start).text)
        if not written[:1].islower() or not name[:1].isupper():
            return True
        line = self._lines.at(match.start)
        if claim.text in self._capital and is_inflecting(line.text):
            return False  # "to je \u0161koda"
        before = context(shown, line, match.start, match.end).before.lower()
        if is_foreign(line.text):
            return before not in ARTICLES
        # Who writes the name with its capital elsewhere means the word behind an article.
        return before not in (DETERMINED if claim.text in self._capital else ("a", "an"))

    def _is_plain_thing(self, match: Match, name: str) -> bool:
        """Whether an article stands before a name that ends in a plain noun in small letters, which has a capital in
        the name: "the American standard for tiles"."""
        last = match.written.rpartition(" ")[2]
        if not last.islower() or not name.rpartition(" ")[2][:1].isupper() or "n" not in parts_of_speech(last):
            return False
        return self._context(match).before.lower() in DETERMINED

    def _is_articled(self, match: Match) -> bool:
        """Whether an article shows that a word of another language, or one of several bearers, may be meant: "der
        J\u00e4ger", "a Neuhaus in Franconia"."""
        shown = self._seen.prose.text
        if shown[match.start - 1 : match.start] != " " or match.start < 2:
            return False
        before = shown[max(0, match.start - 10) : match.start - 1].rpartition(" ")[2].lower()
        if before in ("a", "an"):
            return shown[match.end : match.end + 4] == " in "
        if _PRODUCT.match(shown, match.end):
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


def _is_certain(match: Match, judged: Sequence[Verdict]) -> bool:
    return any(claim.kind and verdict.meant for claim, verdict in zip(match.claims, judged, strict=True))


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
