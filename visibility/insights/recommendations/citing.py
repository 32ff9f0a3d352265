"""The answers of now that cite a page: counted without their texts, and of the few that are quoted the sentences that
rest on the page. Only questions that do not name the brand count, as in every figure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.text.sentences import joined, one_line, shortened
from apikeys.text.untrusted import clean
from visibility.insights.recommendations.kind import Effect, Effort, Factors, Observation, Standing
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.types import Tally
from visibility.insights.recommendations.wording import MAX_QUOTE, EvidenceText
from visibility.measured.facts import AnswerFacts, BrandFacts, CitedPage, main_topic, most_named
from visibility.models import Citation

MIN_ANSWERS = 3
"""Answers that tell something of a page; two are enough where two engines gave them."""
MIN_TOPIC_ANSWERS = 12
"""Answers on a topic that, none of them citing a page, tell that it is cited no more: one that a quarter of them
cited would be missing from all in 3 % of cases."""
MAX_QUOTED = 3
MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class Citing:
    """A page with the answers that cite it, and those of them that show the gap."""

    page: CitedPage
    answers: tuple[AnswerFacts, ...]
    showing: tuple[AnswerFacts, ...]

    @property
    def share(self) -> float:
        """Of the answers that cite it, how many show the gap."""
        return len(self.showing) / len(self.answers)

    def standing(self, opens: float, closes: float) -> Standing:
        """Open from this share on, on enough answers that show it; closed up to the other."""
        if self.share >= opens and is_enough(self.showing):
            return Standing.OPEN
        return Standing.CLOSED if self.share <= closes else Standing.BETWEEN


def read_citing(material: Material, shows: Callable[[AnswerFacts], bool]) -> list[Citing]:
    """Every page that enough answers cite to tell something of it."""
    by_page: dict[CitedPage, list[AnswerFacts]] = defaultdict(list)
    for answer in material.unbranded:
        for page in material.cited.get(answer.id, ()):
            by_page[page].append(answer)
    return [
        Citing(page, tuple(answers), tuple(filter(shows, answers)))
        for page, answers in by_page.items()
        if is_enough(answers)
    ]


def is_enough(answers: Sequence[AnswerFacts]) -> bool:
    """Whether so many answers are more than a chance hit."""
    return len(answers) >= MIN_ANSWERS or len({answer.engine for answer in answers}) > 1


def observation(
    material: Material, citing: Citing, standing: Standing, effect: Effect, effort: Effort
) -> Observation:
    """What the answers that cite a page say, on the topic where it is cited most."""
    prompts, gaps = material.subject.prompts, citing.showing
    topics = [prompts[answer.prompt].topic for answer in gaps]
    of_topics = [prompts[answer.prompt].topic for answer in citing.answers]
    rivals = Counter(rival for answer in gaps for rival in answer.rivals if rival not in prompts[answer.prompt].named)
    return Observation(
        subject=citing.page.digest,
        standing=standing,
        factors=Factors(
            answers=len(gaps),
            of_answers=len(citing.answers),
            engines=len({answer.engine for answer in gaps}),
            of_engines=len(material.engines),
            reach=len(gaps) / len(material.unbranded),
            effect=effect,
            effort=effort,
        ),
        topic=main_topic(topics or of_topics, among=of_topics),
        tallies=tallies(citing.answers, gaps),
        prompts=tuple(sorted({answer.prompt for answer in gaps}, key=str)),
        rivals=tuple(most_named(rivals, material.subject.competitors)),
        details=citing,
    )


def tallies(answers: Iterable[AnswerFacts], gaps: Iterable[AnswerFacts]) -> tuple[Tally, ...]:
    """How many answers of each engine show it."""
    counts, hits = Counter(answer.engine for answer in answers), Counter(answer.engine for answer in gaps)
    return tuple(Tally(engine, hits[engine], counts[engine]) for engine in sorted(counts))


def no_longer_cited(material: Material, kind: str, cited: Collection[str]) -> list[Observation]:
    """The stored pages that no answer of now cites, where enough answers on their topic could."""
    answers = Counter(material.subject.prompts[answer.prompt].topic for answer in material.unbranded)
    return [
        closed(material, subject, topic, answers[topic])
        for subject, topic in material.standing.get(kind, ())
        if subject not in cited and answers[topic] >= MIN_TOPIC_ANSWERS
    ]


def closed(material: Material, subject: str, topic: str, answers: int) -> Observation:
    """That none of so many answers shows a stored gap any more."""
    factors = Factors(0, answers, 0, len(material.engines), 0.0, Effect.UNKNOWN, Effort.HIGH)
    return Observation(subject=subject, standing=Standing.CLOSED, factors=factors, topic=topic)


@dataclass(frozen=True, slots=True)
class CitedText:
    """An answer's text beside one page that it cites: `spans` are its sentences that rest on the page, where the
    engine tells which do."""

    answer: AnswerFacts
    url: str
    title: str
    text: str
    spans: tuple[tuple[int, int], ...]

    @property
    def sentences(self) -> list[str]:
        """The sentences that rest on the page."""
        quotes = (clean(self.text[start:end]).strip() for start, end in self.spans)
        return [shortened(quote, MAX_QUOTE) for quote in quotes if quote]

    def quote(self, text: str) -> EvidenceText:
        """Words of the answer as evidence."""
        return EvidenceText("answer", text, self.answer.engine, self.answer.prompt, self.answer.id)

    def page(self) -> EvidenceText:
        """The cited page as evidence."""
        text = shortened(one_line(self.title) or one_line(self.url), MAX_QUOTE)
        return EvidenceText("citation", text, self.answer.engine, self.answer.prompt, self.answer.id, self.url)


CitedTexts = Mapping[str, Sequence[CitedText]]
"""By digest of the page, the answers in the order in which they were asked for."""


def read_cited_texts(observations: Sequence[Observation]) -> CitedTexts:
    """The texts of a few answers that show each page's gap, spread over engines; one statement for all pages."""
    quoted = {row.subject: spread(row.details.showing) for row in observations}
    facts = {answer.id: answer for answers in quoted.values() for answer in answers}
    rows = Citation.objects.filter(url_digest__in=quoted, answer__in=facts).order_by()
    texts: dict[tuple[str, UUID], CitedText] = {}
    for digest, pk, url, title, text, spans in rows.values_list(
        "url_digest", "answer_id", "url", "title", "answer__text", "spans"
    ).iterator(chunk_size=100):
        places = tuple((start, end) for start, end in spans)
        texts[digest, pk] = CitedText(facts[pk], url, title, text, places)
    return {
        digest: [texts[digest, answer.id] for answer in answers if (digest, answer.id) in texts]
        for digest, answers in quoted.items()
    }


def spread(answers: Sequence[AnswerFacts], most: int = MAX_QUOTED) -> list[AnswerFacts]:
    """So many of them: of each engine one, then of each the next; of each question one, before it has a second."""
    turns: Counter[str] = Counter()
    repeats: Counter[tuple[str, UUID]] = Counter()
    order = []
    for place, answer in enumerate(answers):
        order.append((repeats[answer.engine, answer.prompt], turns[answer.engine], place))
        repeats[answer.engine, answer.prompt] += 1
        turns[answer.engine] += 1
    return [answers[place] for *_, place in sorted(order)[:most]]


def rivals_in_words(rivals: Sequence[UUID], facts: BrandFacts) -> str:
    """The first of these competitors by name: "Apple, Samsung and 2 others"."""
    names = [one_line(facts.competitors[rival]) for rival in rivals if rival in facts.competitors]
    if len(names) > MAX_NAMES:
        names[MAX_NAMES - 1 :] = [f"{len(names) - MAX_NAMES + 1} others"]
    return joined(names) if names else "competitors"
