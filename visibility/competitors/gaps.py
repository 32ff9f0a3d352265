"""Where answers name others and not the brand: the prompts, and the pages that these answers cite."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import Worded, worded
from brands.access import readable_brand
from visibility.competitors.resources import CitedDomain, CompetitorCount, GapPage, PromptGap, PromptGaps
from visibility.counts.reader import Selection, select_now
from visibility.counts.rows import CountRow
from visibility.counts.untracked import sums_naming
from visibility.counts.words import foreign_topic_words
from visibility.models import Answer, Citation, Mention, Prompt, Topic
from visibility.prompts.wordings import older_wordings
from visibility.scores.engines import asked_engine

MOST_CITED, MOST_CITED_OF_PROMPT = 10, 3
MOST_PAGES, MOST_PROMPTS = 20, 3
SHORT_COMPETITORS = 5


def list_gaps(
    caller: Caller,
    brand_id: UUID,
    *,
    competitor_id: UUID | None = None,
    untracked: str | None = None,
    topic: Topic | None = None,
    engine: str | None = None,
    full: bool = False,
) -> PromptGaps:
    """The prompts whose answers of now (of all engines or of one) name a competitor and not the brand, the most
    consistent first, with what these answers cite. `untracked`: those that name this company, which nobody tracks.

    Raises invalid_arguments for a competitor of others, and for an engine that was not asked.
    """
    brand = readable_brand(caller, brand_id)
    if competitor_id is not None and not brand.competitors.filter(pk=competitor_id).exists():
        raise invalid(
            "competitor_id", gettext("This is no competitor of this brand. Take an id from the list of them.")
        )
    engines = [] if engine is None else [asked_engine(brand, engine)]
    now = select_now(brand).narrow(topics=[topic] if topic else [], engines=engines)
    of_prompt: dict[Prompt, list[CountRow]] = defaultdict(list)
    naming = sums_naming(now.scored, [untracked]) if untracked else None
    subjects = [untracked] if untracked else [competitor_id] if competitor_id else now.names
    for row in now.scored.rows("subject", "prompt", subjects=subjects, untracked=naming.sums if naming else None):
        if row.without_brand and not row.named and row.prompt:
            of_prompt[row.prompt].append(row)
    gaps = sorted(of_prompt.values(), key=lambda rows: _rank(min(rows, key=_rank)))
    mentions = Mention.objects.filter(answer=OuterRef("pk")).visible()
    rivals = mentions.filter(competitor=competitor_id) if competitor_id else mentions.exclude(competitor=None)
    others = Q(pk__in=naming.answers.get(untracked or "", ())) if naming else Q(Exists(rivals))
    brand_named = Exists(mentions.filter(competitor=None))
    behind = now.scored.answers.filter(others, ~brand_named, prompt__in=[prompt.pk for prompt in of_prompt])
    cited, answers = _cited(behind), behind.count()
    older = older_wordings(of_prompt, {prompt.pk: rows[0].wording for prompt, rows in of_prompt.items()})
    pages = Count("citations__digest", distinct=True, filter=Q(citations__is_own=False))
    most_cited = sum(cited.values(), Counter[str]()).most_common(MOST_CITED)
    return PromptGaps(
        site_id=brand.pk,
        summary=[_summary(now, len(gaps), answers, topic, None if naming is None or naming.sums else untracked)],
        total=len(gaps),
        answers=answers,
        cited=[CitedDomain(domain=domain, answers=number) for domain, number in most_cited],
        pages=_pages(now.scored, behind),
        pages_total=behind.aggregate(number=pages)["number"],
        gaps=[_gap(sorted(rows, key=_rank), cited, older, None if full else SHORT_COMPETITORS) for rows in gaps],
    )


def _rank(row: CountRow) -> tuple[object, ...]:
    without = row.without_brand or 0
    return -without / row.of, -without, row.prompt and row.prompt.text, row.subject


def _gap(
    rows: Sequence[CountRow], cited: dict[UUID, Counter[str]], older: Mapping[UUID, str], most: int | None
) -> PromptGap:
    """One prompt, with at most so many competitors (`most`)."""
    prompt = rows[0].group.prompt
    assert prompt is not None  # noqa: S101 - the rows are by prompt
    return PromptGap(
        prompt_id=prompt.pk,
        prompt=prompt.text,
        older_wording=older.get(prompt.pk),
        topic=prompt.topic_name,
        answers=rows[0].of,
        competitors=[
            CompetitorCount(
                competitor_id=row.competitor_id,
                name=row.subject,
                mentioned=row.mentioned,
                without_site=row.without_brand,
            )
            for row in rows[:most]
        ],
        more_competitors=len(rows) - len(rows[:most]),
        cited=[domain for domain, _ in cited[prompt.pk].most_common(MOST_CITED_OF_PROMPT)],
    )


def _pages(scored: Selection, behind: QuerySet[Answer]) -> list[GapPage]:
    """The pages that most of these answers cite, each with all answers of now that do, and the prompts of these."""
    answers = Count("answer", distinct=True)
    cited = Citation.objects.filter(answer__in=behind, is_own=False).order_by()
    most = list(
        cited.values("digest").annotate(number=answers, page=Min("url")).order_by("-number", "page")[:MOST_PAGES]
    )
    rows = Citation.objects.filter(answer__in=scored.answers, digest__in=[each["digest"] for each in most]).order_by()
    brand = Exists(Mention.objects.filter(answer=OuterRef("answer"), competitor=None).visible())
    counted = rows.values_list("digest").annotate(number=answers, naming=Count("answer", distinct=True, filter=brand))
    counts = {bytes(digest): (number, naming) for digest, number, naming in counted}
    prompts: dict[bytes, list[str]] = defaultdict(list)
    of_gaps = cited.filter(digest__in=list(counts)).values_list("digest", "answer__version__text")
    for digest, text, _ in of_gaps.annotate(number=answers).order_by("-number", "answer__version__text"):
        prompts[bytes(digest)].append(text)
    return [
        GapPage(url=each["page"], cited_by=number, names_site=naming, prompts=prompts[key][:MOST_PROMPTS])
        for each in most
        for key in [bytes(each["digest"])]
        for number, naming in [counts[key]]
    ]


def _cited(answers: QuerySet[Answer]) -> dict[UUID, Counter[str]]:
    """How many of these answers cite each domain, by prompt; the domains of a prompt by name."""
    citations = Citation.objects.filter(answer__in=answers).order_by("domain")
    counted = citations.values_list("answer__prompt", "domain").annotate(number=Count("answer", distinct=True))
    cited: dict[UUID, Counter[str]] = defaultdict(Counter)
    for prompt, domain, number in counted:
        cited[prompt][domain] = number
    return cited


def _summary(now: Selection, gaps: int, answers: int, topic: Topic | None, unknown: str | None) -> Worded:
    """`unknown`: a name that was asked for and no answer has."""
    name = now.brand.name
    if unknown:
        return worded(lambda theirs: f"No answer of now has {theirs(unknown)}. Is it written so?")
    if gaps:
        counts = f"On {gaps} prompt{'s' * (gaps != 1)} {answers} answers of now"
        return worded(lambda theirs: f"{counts} name a competitor and not {theirs(name)}.")
    if topic is not None and topic.own is False:
        return foreign_topic_words(name)
    if not now.brand.competitors.exists():
        return worded(lambda theirs: f"{theirs(name)} has no competitor yet, so there are no gaps to see.")
    if not now.averaged:
        return worded(lambda theirs: f"{theirs(name)} is not measured: no answer counts for it yet.")
    where = "wherever answers of now name such a competitor"
    return worded(lambda theirs: f"No gap: {where}, they name {theirs(name)}, too.")
