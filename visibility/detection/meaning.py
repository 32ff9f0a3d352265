"""Which of the matches in an answer mean their subject: policies, and the senses of names that mean other things."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from visibility.detection.addresses import host_of
from visibility.detection.context import Context, context
from visibility.detection.lines import Line, Lines
from visibility.detection.matching import Claim, Dictionary, Match
from visibility.detection.questions import asks_for_products
from visibility.detection.senses import is_last_name, judge
from visibility.detection.types import Policy
from visibility.detection.verdicts import Evidence, Verdict
from visibility.detection.visible import VisibleText

_NAME_IN_PROMPT = r"(?P<article>\b(?:a|an|the|my|your|some|any)\s)?(?<![^\W_])(?P<name>{})(?P<plural>s)?(?![^\W_])"


class Meanings:
    """Judges the matches of one answer."""

    def __init__(self, seen: VisibleText, lines: Lines, prompt: str, dictionary: Dictionary) -> None:
        self._seen = seen
        self._lines = lines
        self._prompt = prompt
        self._owners = dictionary.owners
        self._asks = asks_for_products(prompt)
        self._kin: set[object] = set()

    def meant(self, matches: Sequence[Match]) -> Iterator[Match]:
        """The matches with only those claims that hold, each with the rule that decided; others are left out."""
        if not matches:
            return
        self._kin = {
            self._neighbourhood(self._lines.at(match.start))
            for match in matches
            if any(claim.kind is None for claim in match.claims)
        }
        verdicts = [[self._verdict(match, claim) for claim in match.claims] for match in matches]
        certain = {
            claim.subject
            for match, judged in zip(matches, verdicts, strict=True)
            for claim, verdict in zip(match.claims, judged, strict=True)
            if verdict.meant
        }
        for match, judged in zip(matches, verdicts, strict=True):
            held: dict[str, tuple[Claim, str]] = {}
            for claim, verdict in zip(match.claims, judged, strict=True):
                if verdict.meant or (verdict.meant is None and claim.subject in certain):
                    held.setdefault(claim.subject, (claim, verdict.rule if verdict.meant else "discourse"))
            if held:
                yield replace(match, claims=tuple(claim for claim, _ in held.values()), rule=_rule(match, held))

    def _verdict(self, match: Match, claim: Claim) -> Verdict:
        if claim.kind is None and claim.policy is None:
            return Verdict(not is_last_name(self._seen.prose.text, match.start), "name")
        place = context(self._seen.prose.text, self._lines.at(match.start), match.start, match.end)
        if claim.policy:
            if not _allows(claim.policy, place):
                return Verdict(False, "policy")
            if claim.policy.required_near:
                return Verdict(True, "policy")
        if match.rule == "glued" or (match.rule == "joined" and claim.kind not in ("homonym", None)):
            return Verdict(True, match.rule)
        return judge(place, claim.kind, self._evidence(match, claim, place))

    def _evidence(self, match: Match, claim: Claim, place: Context) -> Evidence:
        if claim.kind is None:
            return Evidence()
        hosts = self._owners.hosts.get(claim.subject, frozenset())
        named, common = self._in_prompt(claim.text)
        return Evidence(
            kin=self._neighbourhood(place.line) in self._kin,
            topic=self._asks or named,
            common=common and not named,
            owned=any(
                start <= match.start and match.end <= end and _is_below(host_of(href), hosts)
                for start, end, href in self._seen.links
            ),
            owner=place.follows_capital and any(host.split(".")[-2:-1] == [place.before.lower()] for host in hosts),
        )

    def _in_prompt(self, name: str) -> tuple[bool, bool]:
        """Whether the question names the subject with its capital, and whether it uses the plain word."""
        if self._prompt.islower() or name.casefold() not in self._prompt.casefold():
            return False, False
        found = [*re.finditer(_NAME_IN_PROMPT.format(re.escape(name)), self._prompt, re.IGNORECASE)]
        named = any(word["name"][0].isupper() for word in found)
        # People write names small, too; a plural, an article or a question about no product shows the word.
        common = any(
            word["name"][0].islower() and (word["plural"] or word["article"] or not self._asks) for word in found
        )
        return named, common

    def _neighbourhood(self, line: Line) -> object:
        """What a line belongs to: its list or table, the headings, the lines that begin in bold, or itself."""
        if line.place.kind in ("item", "cell"):
            return line.place.kind, line.place.group
        if line.place.kind == "heading":
            return "heading"
        return "bold" if self._seen.bold.touches(line.start, line.start + 1) else line.start


def _allows(policy: Policy, place: Context) -> bool:
    beside = {place.before.casefold(), place.after.casefold()}
    if beside & {word.casefold() for word in policy.forbidden_near}:
        return False
    if not policy.required_near:
        return True
    words = set(re.findall(r"[\w'-]+", place.line.text.casefold()))
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
