"""Which gaps one day's answers show, and how much each matters. Pure.

An answer *shows the gap* when it names a competitor that its question does not name, and not the brand.
Questions that name the brand are left out: they measure recognition.

*Mention gap*, one per question: at least half of the answers of at least one engine show the gap.
    priority = 100 · mean over engines of k/(n+1) · (1 + share of the topic's questions with a gap) / 2
*Source gap*, one per cited domain that neither side owns: at least two answers that cite it, and at least half of
them, show the gap.
    priority = 100 · k/(n+1) · share of the questions with gap answers whose gap answers cite the domain

k of n answers show the gap. n + 1 instead of n lets three answers of three weigh more than one of one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from uuid import UUID

from visibility.insights.recommendations.types import Findings, Gap, GapKind, Measured, Tally
from visibility.measured.facts import AnswerFacts, PromptFacts, most_named

MIN_SHARE = 0.5
MIN_CITING_ANSWERS = 2
_NO_NAMES: Mapping[UUID, str] = MappingProxyType({})


def find_gaps(answers: Iterable[AnswerFacts], prompts: Mapping[UUID, PromptFacts]) -> Findings:
    """All gaps, those of the most worth first."""
    by_prompt = _by_prompt(answers, prompts)
    mention_gaps = _mention_gaps(by_prompt, prompts, MIN_SHARE)
    source_gaps, by_domain = _source_gaps(by_prompt, prompts)
    measured = {(GapKind.MENTION, str(prompt)): _measured(group) for prompt, group in by_prompt.items()}
    measured |= {(GapKind.SOURCE, domain): _measured(group) for domain, group in by_domain.items()}
    gaps = sorted([*mention_gaps, *source_gaps], key=lambda gap: gap.worth)
    return Findings(gaps=tuple(gaps), measured=measured)


def all_mention_gaps(answers: Iterable[AnswerFacts], prompts: Mapping[UUID, PromptFacts]) -> list[Gap]:
    """Every question with an answer that shows the gap, however rare, ranked as the others are."""
    gaps = _mention_gaps(_by_prompt(answers, prompts), prompts, 0.0)
    return sorted(gaps, key=lambda gap: gap.worth)


def _by_prompt(
    answers: Iterable[AnswerFacts], prompts: Mapping[UUID, PromptFacts]
) -> Mapping[UUID, Sequence[AnswerFacts]]:
    """The answers by question, without questions that name the brand."""
    by_prompt: dict[UUID, list[AnswerFacts]] = defaultdict(list)
    for answer in answers:
        if not prompts[answer.prompt].branded:
            by_prompt[answer.prompt].append(answer)
    return by_prompt


def shows_gap(answer: AnswerFacts, prompt: PromptFacts) -> bool:
    """Whether the answer names a competitor that the question does not name, and not the brand."""
    return not answer.brand_named and any(rival not in prompt.named for rival in answer.rivals)


def _mention_gaps(
    by_prompt: Mapping[UUID, Sequence[AnswerFacts]], prompts: Mapping[UUID, PromptFacts], least_share: float
) -> Iterable[Gap]:
    """The questions where, for an engine, at least this share of the answers, and at least one, shows the gap."""
    tallies = {prompt: tallies_of(group, prompts) for prompt, group in by_prompt.items()}
    open_prompts = {
        prompt
        for prompt, rows in tallies.items()
        if any(row.gaps >= max(least_share * row.answers, 1) for row in rows)
    }
    prompt_counts = Counter(prompts[prompt].topic for prompt in by_prompt)
    missed = Counter(prompts[prompt].topic for prompt in open_prompts)
    for prompt in open_prompts:
        rows, topic = tallies[prompt], prompts[prompt].topic
        consistency = sum(row.gaps / (row.answers + 1) for row in rows) / len(rows)
        breadth = (1 + missed[topic] / prompt_counts[topic]) / 2
        gap_answers = [answer for answer in by_prompt[prompt] if shows_gap(answer, prompts[prompt])]
        gap = gap_from(GapKind.MENTION, str(prompt), gap_answers, rows, consistency * breadth, prompts)
        yield replace(gap, wording=prompts[prompt].text)


def _source_gaps(
    by_prompt: Mapping[UUID, Sequence[AnswerFacts]], prompts: Mapping[UUID, PromptFacts]
) -> tuple[list[Gap], Mapping[str, Sequence[AnswerFacts]]]:
    by_domain: dict[str, list[AnswerFacts]] = defaultdict(list)
    prompts_with_gaps = set()
    for prompt, group in by_prompt.items():
        for answer in group:
            for domain in answer.domains:
                by_domain[domain].append(answer)
            if shows_gap(answer, prompts[prompt]):
                prompts_with_gaps.add(prompt)
    gaps = []
    for domain, group in by_domain.items():
        gap_answers = [answer for answer in group if shows_gap(answer, prompts[answer.prompt])]
        if len(gap_answers) < MIN_CITING_ANSWERS or len(gap_answers) < MIN_SHARE * len(group):
            continue
        breadth = len({answer.prompt for answer in gap_answers}) / len(prompts_with_gaps)
        weight = len(gap_answers) / (len(group) + 1) * breadth
        gaps.append(gap_from(GapKind.SOURCE, domain, gap_answers, tallies_of(group, prompts), weight, prompts))
    return gaps, by_domain


def gap_from(
    kind: GapKind,
    subject: str,
    gap_answers: Sequence[AnswerFacts],
    tallies: Sequence[Tally],
    weight: float,
    prompts: Mapping[UUID, PromptFacts],
    names: Mapping[UUID, str] = _NO_NAMES,
) -> Gap:
    """The gap that these answers show; `weight` is 0-1. Equally named competitors come by their `names`."""
    rivals = Counter(
        rival for answer in gap_answers for rival in answer.rivals if rival not in prompts[answer.prompt].named
    )
    return Gap(
        kind=kind,
        subject=subject,
        prompts=tuple(sorted({answer.prompt for answer in gap_answers}, key=str)),
        rivals=tuple(most_named(rivals, names)),
        tallies=tuple(tallies),
        answers=tuple(_spread_over_engines(gap_answers)),
        priority=round(100 * weight),
        brand_page_cited=any(answer.cites_brand for answer in gap_answers),
    )


def tallies_of(group: Sequence[AnswerFacts], prompts: Mapping[UUID, PromptFacts]) -> list[Tally]:
    """How many of each engine's answers show the gap."""
    answers = Counter(answer.engine for answer in group)
    gaps = Counter(answer.engine for answer in group if shows_gap(answer, prompts[answer.prompt]))
    return [Tally(engine, gaps[engine], answers[engine]) for engine in sorted(answers)]


def _spread_over_engines(answers: Sequence[AnswerFacts]) -> list[AnswerFacts]:
    """The answers in the order that makes the best evidence: other questions first, engines in turn."""
    repeats: Counter[tuple[str, UUID]] = Counter()
    answered: Counter[str] = Counter()
    turns = {}
    for answer in sorted(answers, key=lambda answer: str(answer.id)):
        repeats[answer.engine, answer.prompt] += 1
        answered[answer.engine] += 1
        turns[answer.id] = (repeats[answer.engine, answer.prompt], answered[answer.engine], answer.engine)
    return sorted(answers, key=lambda answer: turns[answer.id])


def _measured(group: Sequence[AnswerFacts]) -> Measured:
    return Measured(
        engines=frozenset(answer.engine for answer in group),
        brand_named=any(answer.brand_named for answer in group),
    )
