"""From facts to findings: runs the checks, scores the site, sorts the findings, and writes prompts that fix them.

    overall  = 100 · Σ weight · share / Σ weight      over the checks that passed or failed
    category = the same, over the checks of the category
    score    = the least of overall and, of each check by which pages are lost, max(cap, 100 · (1 - lost))

Checks that do not apply or are inconclusive are in neither sum; a check of weight 0 is counted and changes no score.
The cap of a check is in the catalogue, else 25. Scores are exact here and rounded where they are shown.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from visibility.audit.checks import access, content, data, discovery, rendering, structure
from visibility.audit.crawl.order import slowed
from visibility.audit.facts import Site
from visibility.audit.outcome import Evidence, Outcome, not_applicable
from visibility.audit.sentences import Sentence, shortened

Severity = Literal["critical", "high", "medium", "low", "info"]
Consequence = Literal["facts", "reach", "form"]
"""The cost of a failing check: machines read wrong facts, do not get pages, or read with difficulty."""
Category = Literal[
    "access", "rendering", "discovery", "structure", "structured-data", "entity-trust", "freshness", "citability",
    "agent-surfaces",
]  # fmt: skip
LEAST_CAP = 25.0
MAX_PROMPT = 3_000
"""Characters of a prompt, about 900 tokens; evidence is left out beyond it, never the task."""
WITHOUT_PAGES = frozenset({"ACC-01", "ACC-02", "ACC-04", "ACC-05", "ACC-08", "ACC-10"})
"""Checks that robots.txt alone can answer."""
_RULES = (
    "Change nothing else. Use only facts that are on the site or that I give you; where one is missing, write "
    "[fact needed: …] instead of inventing it."
)


@dataclass(frozen=True, slots=True)
class Effect:
    """The known effect of a check on answers, the evidence against it, and the source of both."""

    known: str
    counter: str
    source: str


@dataclass(frozen=True, slots=True)
class Check:
    """A check of the catalogue. `title` describes a site that passes, `problem` one that fails. A weight of 0 is
    shown, not scored; `ground`: why its findings are trusted (they are exact, or were judged on sites of others, at
    least nine of ten right), or why they are not scored."""

    id: str
    category: Category
    severity: Severity
    weight: float
    ground: str
    consequence: Consequence
    title: str
    problem: str
    fix: str
    effect: Effect
    sources: tuple[str, ...]
    cap: float = LEAST_CAP


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """The score of the site in one category: 0 to 100, null where no check with a weight applies. `passed`, `failed`:
    checks, those of weight 0 included; `weight`: its share of all weights that apply, in percent."""

    id: Category
    score: float | None
    passed: int
    failed: int
    weight: float


@dataclass(frozen=True, slots=True)
class Finding:
    """A check that failed. `severity` is critical where a part of the pages is lost by it; `gain`: points that the
    score would win if it passed, or would win without the cap of another check."""

    check: Check
    outcome: Outcome
    severity: Severity
    gain: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an audit: the score, 0 to 100 (null where no check with a weight applies), all categories,
    findings in the order of their consequence, each check's outcome by its id, and why it took long (empty: it did
    not)."""

    score: float | None
    categories: tuple[CategoryScore, ...]
    findings: tuple[Finding, ...]
    outcomes: Mapping[str, Outcome]
    slowed: str = ""

    @property
    def critical(self) -> tuple[Finding, ...]:
        """The critical defects, the worst first."""
        return tuple(finding for finding in self.findings if finding.severity == "critical")


def _catalogue() -> dict[str, Check]:
    table = json.loads(Path(__file__).with_name("catalogue.json").read_bytes())
    effects = {name: Effect(**effect) for name, effect in table["effects"].items()}
    rows = (
        row
        | {
            "problem": Sentence(row["problem"], {}),
            "effect": effects[row["effect"]],
            "sources": tuple(row["sources"]),
        }
        for row in table["checks"]
    )
    return {row["id"]: Check(**row) for row in rows}


CATALOGUE: Mapping[str, Check] = _catalogue()
RUN: Mapping[str, Callable[[Site], Outcome]] = {
    "ACC-01": access.search_crawlers,
    "ACC-02": access.user_fetchers,
    "ACC-03": access.answers_crawlers,
    "ACC-04": access.robots_served,
    "ACC-05": access.named_groups,
    "ACC-06": access.indexable,
    "ACC-07": access.quotable,
    "ACC-08": access.policy,
    "ACC-10": access.let_in,
    "REN-01": rendering.has_text,
    "REN-02": rendering.missing_pages,
    "REN-03": rendering.encrypted,
    "REN-04": rendering.legible,
    "REN-05": rendering.without_errors,
    "DIS-01": discovery.readable_sitemap,
    "DIS-02": discovery.listed_pages,
    "DIS-03": discovery.changes,
    "DIS-04": discovery.canonicals,
    "DIS-05": discovery.key_links,
    "DIS-06": discovery.working_links,
    "DIS-07": discovery.titles,
    "DIS-08": discovery.language_versions,
    "STR-01": structure.headings,
    "STR-02": structure.landmarks,
    "STR-04": structure.tables,
    "STR-06": structure.alternatives,
    "STR-07": structure.language,
    "SCH-01": data.readable_blocks,
    "SCH-02": data.publisher,
    "SCH-03": data.types_of_kind,
    "SCH-04": data.agreement,
    "ENT-01": data.one_name,
    "ENT-02": data.profiles,
    "ENT-03": data.people_to_reach,
    "FRE-01": content.machine_dates,
    "FRE-02": content.agreeing_dates,
    "FRE-03": content.newest_content,
    "CIT-05": content.distinct_pages,
    "CIT-06": content.prices,
    "AGT-01": content.surfaces,
    "AGT-05": content.no_hidden_orders,
}


def judge(site: Site) -> Verdict:
    """The verdict of all checks on a site. Checks that need pages do not apply where none was read."""
    outcomes = {
        name: RUN[name](site)
        if site.home or name in WITHOUT_PAGES
        else not_applicable("The site lets nobody in: no page was read.")
        for name in CATALOGUE
    }
    counted = ("passed", "failed")
    judged = {CATALOGUE[name]: outcome for name, outcome in outcomes.items() if outcome.verdict in counted}
    every = sum(check.weight for check in judged)
    categories = tuple(_category(name, judged, every) for name in get_args(Category))
    findings = [
        Finding(check, outcome, _severity(check, outcome), _gain(check, judged))
        for check, outcome in judged.items()
        if outcome.verdict == "failed"
    ]
    reason = slowed(site.robots, site.user_agent, len(site.agents)) if site.home else ""
    return Verdict(_score(judged), categories, tuple(sorted(findings, key=_rank)), outcomes, reason)


def _severity(check: Check, outcome: Outcome) -> Severity:
    if outcome.critical:
        return "critical"
    return "high" if check.severity == "critical" else check.severity


def _rank(finding: Finding) -> tuple[object, ...]:
    """By consequence: lost pages, the most first; then wrong facts, pages out of reach, form; within each by the part
    of the weights that is lost, whatever cap hides it."""
    check, outcome = finding.check, finding.outcome
    weighs = check.weight > 0 or check.severity == "high"
    lost = outcome.lost if outcome.critical else 0.0
    consequence = get_args(Consequence).index(check.consequence)
    severity = get_args(Severity).index(finding.severity)
    share = outcome.share or 0.0
    return (-lost, not weighs, consequence, -check.weight * (1 - share), severity, check.id)


def _score(judged: Mapping[Check, Outcome]) -> float | None:
    mean = _mean(judged.items())
    left = [max(check.cap, 100 * (1 - outcome.lost)) for check, outcome in judged.items() if outcome.lost]
    return mean if mean is None else min([mean, *left])


def _gain(check: Check, judged: Mapping[Check, Outcome]) -> float:
    """Points that the score, or the mean without its cap, would win if this check passed."""
    mended = {each: Outcome("passed", 1.0) if each is check else outcome for each, outcome in judged.items()}
    scores = (_score(mended) or 0.0) - (_score(judged) or 0.0)
    means = (_mean(mended.items()) or 0.0) - (_mean(judged.items()) or 0.0)
    return round(max(scores, means), 1)


def _category(name: Category, judged: Mapping[Check, Outcome], every: float) -> CategoryScore:
    own = {check: outcome for check, outcome in judged.items() if check.category == name}
    verdicts = [outcome.verdict for outcome in own.values()]
    weight = 100 * sum(check.weight for check in own) / every if every else 0.0
    return CategoryScore(name, _mean(own.items()), verdicts.count("passed"), verdicts.count("failed"), weight)


def _mean(judged: Iterable[tuple[Check, Outcome]]) -> float | None:
    """The weighted mean of the shares, in percent."""
    parts = [(check.weight, outcome.share or 0.0) for check, outcome in judged]
    every = sum(weight for weight, _ in parts)
    return 100 * sum(weight * share for weight, share in parts) / every if every else None


def fix_prompt(finding: Finding, domain: str, *, mark: Callable[[str], str], notice: str) -> str:
    """The prompt that fixes a finding, for an assistant that can edit the site; empty where nothing is to be fixed.

    It describes the fault, where and how often it is, what should be there, what to do and what proves that it is
    done. All words of the site, and none of ours, are between marks (`mark`, which `notice` explains).
    """
    check, outcome = finding.check, finding.outcome
    if not check.fix:
        return ""
    what = [
        f"An audit of {domain} says: {check.problem}.",
        notice,
        f"What was seen: {mark_quotes(shortened(outcome.finding, 600), mark)}",
    ]
    task = [f"What to do: {check.fix}", _RULES]
    room = MAX_PROMPT - sum(len(part) for part in (*what, *task))
    return "\n\n".join(filter(None, [*what, _places(outcome, room, mark), *task]))


def _places(outcome: Outcome, room: int, mark: Callable[[str], str]) -> str:
    """The places of a fault: as many as there is room for, and the number of the others."""
    lines, urls = ["Where:"], set[str]()
    for piece in outcome.evidence:
        line = f"- {_place(piece, mark)}"
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
        urls.add(piece.url)
    more = outcome.affected - max(len(urls), sum(piece.pages for piece in outcome.evidence[: len(lines) - 1]))
    lines += [f"- and {more:,} more"] * (more > 0)
    return "\n".join(lines) if len(lines) > 1 else ""


def _place(piece: Evidence, mark: Callable[[str], str]) -> str:
    shared = f" (the same on {piece.pages:,} pages: mend what they share)" if piece.pages > 1 else ""
    to = f" → should be {mark(piece.to)}" if piece.to else ""
    return f"{mark(f'{piece.url} ({piece.where}): {piece.quote}')}{shared}{to}"


def mark_quotes(sentence: str, mark: Callable[[str], str]) -> str:
    """A sentence of ours with marks around what it quotes; one whose last quote was cut off is marked whole."""
    if sentence.count("“") != sentence.count("”"):
        return mark(sentence)
    ours, *quoted = sentence.split("“")
    return ours + "".join(f"{mark(quote)}{rest}" for quote, _, rest in (part.partition("”") for part in quoted))
