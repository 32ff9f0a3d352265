"""The demo brand and its past. Each day's answers are those that the engines give over the pages of that day."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.models import User
from brands.brands import create_brand
from brands.competitors import add_competitor
from brands.models import Brand
from brands.names import mark_counted
from visibility.answers.detect import Reader, detect
from visibility.demo.content import Content, DemoPage, read_content
from visibility.detection import VERSION
from visibility.engines import LocalSearch, Passage, Question, Reply
from visibility.engines.local_search import CANDIDATES
from visibility.models import Answer, BrandEngine, Engine, Page, PromptVersion, Run, RunEngine, Surface, Topic
from visibility.prompts.services import add_prompts
from visibility.runs.engines import LOCAL, find_pages
from visibility.scores.measure import measure_runs
from visibility.scores.watched import watch_names

DAYS = 60
ASKED_AT = time(6, tzinfo=UTC)
SECOND_ENGINE = "local-search-recent"
Asked = tuple[PromptVersion, Engine, Reply]


@transaction.atomic
def seed_brand(caller: Caller, owner: User) -> Brand:
    """Make the demo brand with sixty measured days that end yesterday, and today. All of it or nothing.

    Its runs are imports: they spend no credits, and a scan can be started at once. Errors as `create_brand`.
    """
    content = read_content()
    now = timezone.now()
    brand = _make_brand(caller, owner, content)
    engines = _choose_engines(brand)
    runs = [_store(caller, brand, moment, asked) for moment, asked in _ask_each_day(brand, content, engines, now)]
    reader = Reader(brand)
    detect(reader, Answer.objects.filter(brand=brand))
    with connection.cursor() as cursor:  # else the planner takes the tables for empty, and measuring takes minutes
        cursor.execute("ANALYZE visibility_answer, visibility_citation, visibility_mention")
    measure_runs(reader, [run.pk for run in runs])
    watch_names(brand)
    return brand


def _make_brand(caller: Caller, owner: User, content: Content) -> Brand:
    """The brand with its competitors, topics and prompts. One sample a prompt: the answers never vary."""
    own = content.brand
    brand = create_brand(
        caller,
        owner=owner,
        name=own.name,
        domain=own.domain,
        description=content.description,
        aliases=own.aliases,
        domains=own.domains,
        samples=1,
    )
    for each in content.competitors:
        add_competitor(caller, brand_id=brand.pk, name=each.name, domain=each.domain, aliases=each.aliases)
    Topic.objects.bulk_create(
        Topic(
            brand=brand,
            name=topic.name,
            own=topic.own,
            decided_by="" if topic.own is None else caller.actor,
            decided_at=None if topic.own is None else timezone.now(),
        )
        for topic in content.topics
    )
    add_prompts(caller, brand_id=brand.pk, drafts=[draft for topic in content.topics for draft in topic.prompts])
    Brand.objects.filter(pk=brand.pk).update(detector_version=VERSION)
    brand.refresh_from_db()
    mark_counted(brand, brand.names_version)  # there is nothing to count yet
    return brand


def _choose_engines(brand: Brand) -> list[Engine]:
    """Make the two local engines the brand's chosen ones, so that no provider is asked about an invented brand."""
    engines = [
        Engine.objects.get_or_create(name=name, defaults={"preset": LOCAL, "model": ranking, "is_enabled": True})[0]
        for name, ranking in ((LOCAL, ""), (SECOND_ENGINE, "recent"))
    ]
    BrandEngine.objects.bulk_create(BrandEngine(brand=brand, engine=engine) for engine in engines)
    return engines


def _ask_each_day(
    brand: Brand, content: Content, engines: Sequence[Engine], now: datetime
) -> Iterator[tuple[datetime, Sequence[Asked]]]:
    """When each day was asked, the oldest first, and what was answered; afterwards the brand has the pages of today.

    The same question over the same pages has the same answer: days on which no page changed repeat the day before.
    """
    wordings = PromptVersion.objects.filter(prompt__brand=brand, number=F("prompt__version"))
    versions = list(wordings.order_by("prompt__topic__name", "pk"))
    first = now.astimezone(UTC).date() - timedelta(days=DAYS)
    pages: dict[str, DemoPage] = {}
    asked: list[Asked] = []
    for day in range(1, DAYS + 2):
        pages, before = content.pages_on(day), pages
        if pages != before:
            _put_pages(brand, pages, first)
            asked = _ask(brand, versions, engines)
        yield min(now, datetime.combine(_date(first, day), ASKED_AT)), asked


def _put_pages(brand: Brand, pages: dict[str, DemoPage], first: date) -> None:
    """Make these the pages of the brand."""
    Page.objects.filter(brand=brand).delete()
    Page.objects.bulk_create(
        Page(brand=brand, url=page.url, title=page.title, text=page.text, published_on=_date(first, page.appears))
        for page in pages.values()
    )


def _date(first: date, day: int) -> date:
    return first + timedelta(days=day - 1)


def _ask(brand: Brand, versions: Sequence[PromptVersion], engines: Sequence[Engine]) -> list[Asked]:
    """What each engine answers to each wording now; pages are looked up once for both engines."""
    found = {version.text: find_pages(brand.pk, version.text, CANDIDATES) for version in versions}

    async def retrieve(query: str, number: int) -> Sequence[Passage]:
        return found[query][:number]

    async def ask() -> list[Asked]:
        local = [(engine, LocalSearch(retrieve, name=engine.name, ranking=engine.model)) for engine in engines]
        return [
            (version, engine, await search.ask(Question(version.text)))
            for version in versions
            for engine, search in local
        ]

    return asyncio.run(ask())


def _store(caller: Caller, brand: Brand, moment: datetime, asked: Sequence[Asked]) -> Run:
    """A run with these answers, to be measured."""
    run = Run.objects.create(
        brand=brand,
        kind=Run.Kind.VISIBILITY,
        status=Run.Status.RUNNING,
        trigger=Run.Trigger.IMPORT,
        actor=caller.actor,
        day=moment.date(),
        created_at=moment,
        started_at=moment,
        finished_at=moment,
        total=len(asked),
        done=len(asked),
    )
    numbers = {engine: sum(each == engine for _, each, _ in asked) for _, engine, _ in asked}
    RunEngine.objects.bulk_create(
        RunEngine(run=run, engine=engine, surface=Surface.PAGES, total=number, done=number)
        for engine, number in numbers.items()
    )
    Answer.objects.bulk_create(_answer(run, position, *each) for position, each in enumerate(asked, start=1))
    return run


def _answer(run: Run, position: int, version: PromptVersion, engine: Engine, reply: Reply) -> Answer:
    return Answer(
        run=run,
        brand_id=run.brand_id,
        day=run.created_at.date(),
        prompt_id=version.prompt_id,
        version=version,
        engine=engine,
        surface=Surface.PAGES,
        position=position,
        state=Answer.State.ANSWERED,
        text=reply.text,
        sources=[
            {"url": source.url, "title": source.title, "start": source.start, "end": source.end}
            for source in reply.sources
        ],
        searched=reply.searched,
        searches=list(reply.searches),
        served_model=reply.served_model,
        answered_at=run.started_at,
    )
