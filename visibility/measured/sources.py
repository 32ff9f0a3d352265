"""Which pages the answers of now cite, and who is named beside them: counted without texts, addresses and titles read
for the pages that are shown. As many statements for one source as for all.

Questions that name the brand are left out, as in every figure: their answers can hardly avoid it. A competitor is not
counted where the question names it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from django.db.models import F, Max, Min

from brands.models import Brand
from visibility.detection.types import SourceClass
from visibility.measured.basis import EngineDay
from visibility.measured.facts import AnswerFacts, CitedPage, PromptFacts
from visibility.measured.reading import answers_of
from visibility.models import Answer, Citation, SourceSighting


@dataclass(slots=True)
class Tally:
    """Of the answers that cite something: how many, how many of them name the brand, how many a competitor and not
    the brand (`gaps`), whom they name, on which engines and topics, and their first day."""

    answers: int = 0
    named: int = 0
    gaps: int = 0
    day: date = date.max
    rivals: Counter[UUID] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    topics: Counter[str] = field(default_factory=Counter)

    def count(self, answer: AnswerFacts, prompt: PromptFacts) -> None:
        """Add an answer."""
        self.answers += 1
        self.named += answer.brand_named
        rivals = answer.rivals.keys() - prompt.named
        self.gaps += bool(rivals) and not answer.brand_named
        self.rivals.update(rivals)
        self.day = min(self.day, answer.day)
        self.engines[answer.engine] += 1
        self.topics[prompt.topic] += 1

    @property
    def is_absent(self) -> bool:
        """Whether these answers name a competitor, and none of them the brand."""
        return self.gaps > 0 and not self.named


@dataclass(slots=True)
class Source:
    """A cited domain with its pages by digest; a domain that the brand or a competitor shares with others is one
    source for each of them."""

    domain: str
    owner: str
    tally: Tally = field(default_factory=Tally)
    pages: dict[CitedPage, Tally] = field(default_factory=lambda: defaultdict(Tally))

    @property
    def cls(self) -> SourceClass:
        """The class of most of its citations: an entry of the table may stand for a part of a domain."""
        classes: Counter[SourceClass] = Counter()
        for page, tally in self.pages.items():
            classes[page.cls] += tally.answers
        return min(classes, key=lambda cls: (-classes[cls], cls))

    @property
    def ranked_pages(self) -> list[CitedPage]:
        """Its pages, the most cited first."""
        return sorted(self.pages, key=lambda page: (-self.pages[page].answers, page.digest))


@dataclass(frozen=True, slots=True)
class Sources:
    """What some answers cite, the sources of most answers first. `looked_at` counts all of these answers,
    whether they cite anything or not; `citing` how many do."""

    looked_at: Tally
    citing: int
    sources: Sequence[Source]


@dataclass(frozen=True, slots=True)
class PageWords:
    """What is shown of a page."""

    url: str
    title: str


FirstDays = Mapping[tuple[str, str, str], date]
"""By domain, owner and digest of the page, which is empty for the domain itself."""
CitedByAnswer = Mapping[UUID, Sequence[CitedPage]]
"""The pages that each answer cites, in its order."""


@dataclass(frozen=True, slots=True)
class CitingAnswer:
    """An answer that cites a source, with the wording that it answers; `named`: it names the brand."""

    id: UUID
    prompt: UUID
    text: str
    engine: str
    named: bool


def read_citing_answers(
    engines: Iterable[EngineDay], domain: str, most: int, naming: Collection[UUID]
) -> list[CitingAnswer]:
    """The newest answers of these engines on their days that cite the domain, so many at most; `naming` are those of
    the answers that name the brand."""
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED)
    citing = Citation.objects.filter(domain=domain, answer__in=answers.values("pk")).values("answer")
    newest = answers.filter(pk__in=citing).order_by(F("answered_at").desc(nulls_last=True), "pk")
    rows = newest.values_list("pk", "prompt_id", "version__text", "engine")[:most]
    return [CitingAnswer(*row, named=row[0] in naming) for row in rows]


def find_sources(
    answers: Iterable[AnswerFacts], prompts: Mapping[UUID, PromptFacts], cited: CitedByAnswer
) -> Sources:
    """Who is cited by these answers to questions that do not name the brand. Pure."""
    looked_at, citing = Tally(), 0
    sources: dict[tuple[str, str], Source] = {}
    for answer in answers:
        prompt = prompts[answer.prompt]
        if prompt.branded:
            continue
        looked_at.count(answer, prompt)
        pages = cited.get(answer.id, ())
        citing += bool(pages)
        for domain, owner in {(page.domain, page.owner) for page in pages}:
            sources.setdefault((domain, owner), Source(domain, owner)).tally.count(answer, prompt)
        for page in pages:
            source = sources[page.domain, page.owner]
            source.pages[page].count(answer, prompt)
    ranked = sorted(sources.values(), key=lambda source: (-source.tally.answers, source.domain, source.owner))
    return Sources(looked_at, citing, ranked)


def read_page_words(engines: Iterable[EngineDay], pages: Collection[CitedPage]) -> dict[str, PageWords]:
    """Address and title of these pages that the answers of now cite, by digest."""
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED)
    rows = Citation.objects.filter(answer__in=answers.values("pk"), url_digest__in={page.digest for page in pages})
    words = rows.order_by().values_list("url_digest").annotate(address=Min("url"), caption=Max("title"))
    return {digest: PageWords(url, title) for digest, url, title in words}


def read_first_days(brand: Brand, sources: Iterable[Source], pages: Iterable[CitedPage] = ()) -> FirstDays:
    """The day of the first answer on record that cites each of these sources and pages."""
    domains = {source.domain for source in sources}
    rows = SourceSighting.objects.filter(
        generation__brand=brand, domain__in=domains, page__in={"", *(page.digest for page in pages)}
    )
    return {
        (domain, owner, page): day for domain, owner, page, day in rows.values_list("domain", "owner", "page", "day")
    }
