"""Own pages that were cited day after day and are cited no more, or the own domain on a topic where no page tells.

Open: a loss that is confirmed over two measured days or more (`metrics.losses`). Closed: the last two days cite it
three quarters as often as its best seven in a row, or more. Between: all else that was cited at all.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Factors,
    Fix,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.types import Tally
from visibility.insights.recommendations.wording import MAX_QUOTE, MAX_TITLE, EvidenceText
from visibility.measured.own_citations import CitedDays, read_own_citations
from visibility.metrics.losses import find_losses
from visibility.metrics.shown import shown


@dataclass(frozen=True, slots=True)
class Lost:
    """A page, or the own domain on a topic, with the day on which a loss began, and the shares before and since."""

    of: CitedDays
    began: date | None
    before: float
    since: float

    @property
    def subject(self) -> str:
        """The page, or the topic."""
        return self.of.digest or f"topic:{hashlib.sha256(self.of.topic.encode()).hexdigest()}"


class OwnPagesLost:
    """Own pages that lost their citations."""

    id = "own_page_lost"
    reason = "A page that engines used and have dropped can win its place back sooner than a new one can win one."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.CITATION_RATE
    max_open = 5

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each own page and topic that was cited in the measured days; a topic opens where no page of it does."""
        rows = read_own_citations(material.brand)
        if not rows:
            return []
        losses = find_losses(np.stack([row.cited for row in rows]), np.stack([row.cells for row in rows]), len(rows))
        observations, explained = [], set()
        for number, row in enumerate(rows):
            place = int(losses.began[number])
            began = row.days[place] if place >= 0 else None
            lost = Lost(row, began, float(losses.before[number]), float(losses.since[number]))
            standing = Standing.CLOSED if losses.recovered[number] else Standing.BETWEEN
            if began is not None and (row.digest or row.topic not in explained):
                standing = Standing.OPEN
                explained.add(row.topic)
            observations.append(_observation(material, lost, standing))
        return observations

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each; nothing more is read."""
        return [_words(material, row, row.details, row.details.began) for row in observations]


def _observation(material: Material, lost: Lost, standing: Standing) -> Observation:
    now = lost.of.now
    missing = sum(answers - cited for cited, answers in now.values())
    of_answers = sum(answers for _, answers in now.values())
    gone = max(0.0, lost.before - lost.since) * float(lost.of.cells[-1])
    cells = float(lost.of.cells[-1])
    return Observation(
        subject=lost.subject,
        standing=standing,
        factors=Factors(
            answers=missing,
            of_answers=of_answers,
            engines=sum(not cited for cited, _ in now.values()),
            of_engines=max(1, len(now)),
            reach=min(1.0, gone / cells * of_answers / len(material.unbranded))
            if cells and material.unbranded
            else 0,
            effect=Effect.LIKELY,
            effort=Effort.LOW,
        ),
        topic=lost.of.topic,
        tallies=tuple(Tally(engine, answers - cited, answers) for engine, (cited, answers) in sorted(now.items())),
        # Between: what was written when the loss was told stays, as nothing says anew when it began.
        details=lost if lost.began else None,
    )


def _words(material: Material, row: Observation, lost: Lost, day: date) -> Words:
    facts = material.subject
    brand, topic, site = one_line(facts.brand), one_line(facts.topic_name(row.topic)), one_line(facts.domain)
    what = f"your {site} page on “{topic}”" if lost.of.digest else f"{site} on “{topic}”"
    began = date_format(day)
    cited = sum(count for count, _ in lost.of.now.values())
    return Words(
        title=shortened(
            f"Win back the citations of {what}: {cited} of {row.factors.of_answers} answers cite it, since {began}",
            MAX_TITLE,
        ),
        summary=f"Until {began} answers cited it on each measured day, {shown(100 * lost.before)} % of the questions "
        f"and engines that were asked; since then {shown(100 * lost.since)} %, on all days. The same questions, "
        "engines and models are compared.",
        evidence=_evidence(lost),
        fix=Fix(
            goal=f"Have engines cite {what} again, which {brand} lost about {began}.",
            tasks=(
                "Check whether the page can still be read: its address answers 200 without a detour, no noindex, not "
                "barred by robots.txt, its text in the HTML, in the sitemap.",
                f"List what changed on the page or the site about {began}: address, template, title, date, facts "
                "that were dropped. Undo what took away what was cited.",
                "Ask the questions below and compare the page with what is cited now: what do those pages tell that "
                "it does not, and which of its facts are out of date? Update these, with the date of the update.",
            ),
            keep=("Keep the address of the page; where it has to change, redirect the old one to it for good.",),
            done_when="The page answers, is current, and the next scans cite it again on two days.",
        ),
    )


def _evidence(lost: Lost) -> list[EvidenceText]:
    """The page, and its days."""
    days = zip(lost.of.days, lost.of.cited, lost.of.cells, strict=True)
    history = "; ".join(
        f"{date_format(day)}: {shown(cited, 0 if float(cited).is_integer() else 1)} of {cells:g}"
        for day, cited, cells in [(day, float(cited), cells) for day, cited, cells in days][-9:]
    )
    page = shortened(one_line(lost.of.title) or one_line(lost.of.url), MAX_QUOTE)
    pages = [EvidenceText("citation", page, url=lost.of.url)] if lost.of.url else []
    text = f"Questions and engines whose answers cite it, in shares of their answers: {history}."
    return [*pages, EvidenceText("measurement", shortened(text, MAX_QUOTE))]
