"""Whether an answer holds what it should, by its facts' numbers and ids; its wording is not looked at.

*right*: every expected fact is there. *refused*: none is, no figure is wrong, and a next step is named. *partial*:
some are missing. *wrong*: a figure differs from the counted one, or is another subject's.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from tests.asking.counting import Counted

MAX_DIFFERENCE = 0.051
"""Of a rate: it may be rounded to one decimal."""
_WORDS = re.compile(r"[^\W_]+")


class Outcome(StrEnum):
    """How an answer was judged."""

    RIGHT = "right"
    REFUSED = "refused"
    PARTIAL = "partial"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome, and what is missing or wrong."""

    outcome: Outcome
    reasons: Sequence[str] = ()


Leaf = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """An answer with its facts laid flat. `topics` maps the names that are shown to those that are stored.

    `first_ids` are the first recommendation and opportunity that the tools list, `sites` all sites of the asker,
    `interval` what the tool of the scores shows of the brand's score now.
    """

    answer: Mapping[str, Any]
    counted: Counted
    topics: Callable[[str], str]
    first_ids: Mapping[str, str] = field(default_factory=dict)
    sites: frozenset[str] = frozenset()
    credits: frozenset[int] = frozenset()
    interval: tuple[float | None, float | None] = (None, None)

    @property
    def facts(self) -> Sequence[Mapping[str, Any]]:
        """The facts as the tool gives them."""
        facts: Sequence[Mapping[str, Any]] = self.answer["facts"]
        return facts

    @property
    def refs(self) -> set[str]:
        """Every id that a fact speaks of."""
        return {ref for fact in self.facts for ref in fact["refs"]} | {str(fact["site"]) for fact in self.facts}

    @property
    def step(self) -> str:
        """The tool that would tell more; "people" where no tool does, empty without a next step."""
        step = self.answer.get("nextStep")
        return (step["tool"] or "people") if step else ""

    def leaves(self) -> Iterator[Leaf]:
        """Each row of each fact, with what stands above it."""
        for fact in self.facts:
            yield from _flat(fact["values"], {"tool": fact["tool"]})

    def of(self, subject: str, topic: str = "", engine: str = "") -> list[Leaf]:
        """The rows about a subject on a topic by an engine; empty: of all."""
        return [
            leaf
            for leaf in self.leaves()
            if self.subject(leaf) == subject and self.topic(leaf) == topic and (leaf.get("engine") or "") == engine
        ]

    def subject(self, leaf: Leaf) -> str:
        """Whom a row is about: the brand where it does not say."""
        return str(leaf.get("subject") or self.counted.brand.name)

    def topic(self, leaf: Leaf) -> str:
        """The stored name of the row's topic; empty for none."""
        return self.topics(str(leaf["topic"])) if leaf.get("topic") else ""


def _flat(values: Any, above: Mapping[str, Any]) -> Iterator[Leaf]:
    if not isinstance(values, dict):
        return
    own = {key: value for key, value in values.items() if not isinstance(value, (dict, list))}
    leaf = {**above, **own}
    nested = [row for value in values.values() if isinstance(value, list) for row in value]
    nested += [value for value in values.values() if isinstance(value, dict)]
    yield leaf
    for row in nested:
        yield from _flat(row, {key: value for key, value in leaf.items() if key not in _FIGURES})


_FIGURES = frozenset({"named", "answers", "score", "low", "high", "count", "shareOfVoice"})


def judge(told: Told, expected: Sequence[str]) -> Verdict:
    """The verdict on one answer."""
    errors = list(_errors(told))
    if errors:
        return Verdict(Outcome.WRONG, errors)
    missing = [words for words in expected if not _holds(told, words.split())]
    if not missing:
        return Verdict(Outcome.RIGHT)
    if len(missing) == len(expected) and told.step and not any(leaf.keys() & _FIGURES for leaf in told.leaves()):
        return Verdict(Outcome.REFUSED, missing)
    subjects = {words.split()[1] for words in expected if words.split()[0] in ("score", "count", "interval", "share")}
    about = {told.subject(leaf) for leaf in told.leaves() if leaf.keys() & {"named", "score"}}
    if subjects and about and not subjects & about:
        return Verdict(Outcome.WRONG, [f"about {sorted(about)}, asked was {sorted(subjects)}"])
    return Verdict(Outcome.PARTIAL, missing)


def _errors(told: Told) -> Iterator[str]:
    """Figures that differ from what is counted."""
    for leaf in told.leaves():
        subject, topic, engine = told.subject(leaf), told.topic(leaf), leaf.get("engine") or ""
        if subject not in told.counted.subjects:
            continue
        day = date.fromisoformat(leaf["day"]) if leaf.get("day") and engine else None
        rows = told.counted.of_now(topic, engine, day)
        if leaf.get("domain"):
            count = sum(leaf["domain"] in row.domains for row in rows)
            if leaf.get("answers") not in (None, count):
                yield f"{leaf['domain']} cited by {leaf['answers']}, counted {count}"
        elif leaf.get("named") is not None and leaf.get("answers") is not None and not leaf.get("prompt"):
            counted = told.counted.count(subject, rows)
            if (leaf["named"], leaf["answers"]) != counted:
                yield f"{subject} {topic} {engine}: {leaf['named']} of {leaf['answers']}, counted {counted}"
        if leaf.get("score") is not None and not topic and day in (None, told.counted.days.get(engine)):
            score = told.counted.score(subject, engine)
            if abs(leaf["score"] - score) > MAX_DIFFERENCE:
                yield f"{subject} {engine} has {leaf['score']}, counted {score:.2f}"


def _holds(told: Told, words: list[str]) -> bool:
    return _CHECKS[words[0]](told, *words[1:])


def _score(told: Told, subject: str, engine: str = "") -> bool:
    return any(leaf.get("score") is not None for leaf in told.of(subject, engine=engine.lstrip("@")))


def _count(told: Told, subject: str, topic: str, engine: str = "") -> bool:
    """The sum over the engines, or each engine's own."""
    wanted = [engine.lstrip("@")] if engine else ["", *told.counted.days]
    engines = {name for name in wanted if any("named" in leaf for leaf in told.of(subject, topic, name))}
    return "" in engines or engines >= set(wanted) - {""}


def _share(told: Told, subject: str) -> bool:
    share = told.counted.share_of_voice(subject)
    return any(_is(leaf.get("shareOfVoice"), share) for leaf in told.of(subject))


def _ahead(told: Told, subject: str) -> bool:
    """Every competitor with a higher score; where there is none, the brand's own score."""
    own = told.counted.score(subject)
    ahead = [name for name in told.counted.subjects if told.counted.score(name) > own]
    return all(_score(told, name) for name in ahead or [subject])


def _extreme(strongest: bool) -> Callable[..., bool]:
    """Some topic of that end, with its count."""

    def holds(told: Told, subject: str) -> bool:
        topics = told.counted.topics
        share = told.counted.share(subject, topics[0] if strongest else topics[-1])
        extremes = [topic for topic in topics if abs(told.counted.share(subject, topic) - share) < 1e-9]
        return any(_count(told, subject, topic) for topic in extremes)

    return holds


_NAMES = ("label", "subject", "name")


def _untracked(told: Told, name: str) -> bool:
    folded = name.casefold()
    rows = [leaf for leaf in told.leaves() if folded in {str(leaf.get(key)).casefold() for key in _NAMES}]
    listed = told.counted.listed(name)
    return told.step.endswith("add_competitor") and any(
        listed in (row.get("count"), row.get("named")) for row in rows
    )


def _source(told: Told, *narrowing: str) -> bool:
    engine = next((word.lstrip("@") for word in narrowing if word.startswith("@")), "")
    topic = next((word for word in narrowing if not word.startswith("@")), "")
    cited = told.counted.cited(topic, engine)
    most = max(cited.values(), default=0)
    if not most:
        return not any(leaf.get("domain") for leaf in told.leaves())
    return any(cited[leaf.get("domain") or ""] == most == leaf.get("answers") for leaf in told.leaves())


def _absent(told: Told) -> bool:
    rows = [leaf["domain"] for leaf in told.leaves() if leaf.get("domain")]
    absent = told.counted.absent()
    return bool(rows) and all(domain in absent for domain in rows)


def _criterion(told: Told, topic: str) -> bool:
    """A label whose words stand in three answers on the topic, or more."""
    texts = [text.casefold() for text in told.counted.texts(topic)]
    labels = [str(leaf["label"]).casefold() for leaf in told.leaves() if leaf.get("label")]
    return any(
        sum(all(word[:5] in text for word in _WORDS.findall(label)) for text in texts) >= 3 for label in labels
    )


def _step(told: Told, tool: str) -> bool:
    return told.step.endswith(tool)


def _empty(told: Told) -> bool:
    return bool(told.step)


def _interval(told: Told, subject: str) -> bool:
    low, high = told.interval
    return any(_is(leaf.get("low"), low) and _is(leaf.get("high"), high) for leaf in told.of(subject))


def _verdict(told: Told, subject: str) -> bool:
    change = told.counted.stored(subject).change
    return change is not None and any(leaf.get("verdict") == change["verdict"] for leaf in told.leaves())


def _no_next_scan(told: Told, *_: str) -> bool:
    return told.step.endswith("run_visibility_scan")


def _run(told: Told) -> bool:
    return bool(told.refs & {str(told.counted.latest_run().pk), *told.counted.stored(told.counted.brand.name).runs})


def _credits(told: Told) -> bool:
    return any(leaf.get("credits") in told.credits for leaf in told.leaves())


def _scan(told: Told, *_: str) -> bool:
    """What a scan costs; without an engine that could be asked, who would have to set one up."""
    return bool(told.step) or any(leaf.get("credits") for leaf in told.leaves())


def _listed_first(kind: str) -> Callable[..., bool]:
    """The first that the tools list; where they list none, that nothing is named."""
    return lambda told: told.first_ids[kind] in told.refs if told.first_ids[kind] else not told.refs


_COUNTED_STATES = ("open", "inProgress", "done", "resolved", "dismissed")


def _progress(told: Told) -> bool:
    """How many recommendations are in each state, of one topic or all."""
    for leaf in told.leaves():
        if leaf.keys() >= set(_COUNTED_STATES):
            states = told.counted.states(told.topic(leaf))
            return [leaf[name] for name in _COUNTED_STATES] == list(states)
    return False


def _proof(told: Told) -> bool:
    """The latest verdict with its figures; where nothing was judged, how many are done."""
    verdict = told.counted.latest_verdict()
    if verdict is None:
        return any(leaf.get("done") == told.counted.states("")[2] for leaf in told.leaves())
    pk, result = verdict
    figures = ("delta", "low", "high")
    if told.counted.latest_outcome() == "not_comparable":
        return pk in told.refs
    return pk in told.refs and any(
        all(_is(leaf.get(name), result[name]) for name in figures) for leaf in told.leaves()
    )


def _weak_prompt(told: Told, *_: str) -> bool:
    refs = [ref for fact in told.facts for ref in fact["refs"]]
    return bool(refs) and set(refs) <= told.counted.weak_prompts()


def _prompts(told: Told) -> bool:
    return any(told.counted.prompts() in (leaf.get("count"), leaf.get("used")) for leaf in told.leaves())


def _sites(told: Told) -> bool:
    return told.refs >= told.sites


def _refused(told: Told) -> bool:
    return not told.facts and len(re.findall(r"[.!?](?:\s|$)", told.answer["answer"])) == 1


def _is(value: Any, figure: float | None) -> bool:
    return isinstance(value, (int, float)) and figure is not None and abs(value - figure) <= MAX_DIFFERENCE


_CHECKS: Mapping[str, Callable[..., bool]] = {
    "score": _score,
    "count": _count,
    "share": _share,
    "ahead": _ahead,
    "strongest": _extreme(True),
    "weakest": _extreme(False),
    "untracked": _untracked,
    "source": _source,
    "absent": _absent,
    "criterion": _criterion,
    "step": _step,
    "empty": _empty,
    "interval": _interval,
    "verdict": _verdict,
    "no": _no_next_scan,
    "run": _run,
    "credits": _credits,
    "scan": _scan,
    "recommendation": _listed_first("recommendation"),
    "progress": _progress,
    "proof": _proof,
    "opportunity": _listed_first("opportunity"),
    "weak": _weak_prompt,
    "prompts": _prompts,
    "sites": _sites,
    "refused": _refused,
}
