"""What evidence is made of: the answers of now, and what the latest audit read of the site's own pages."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any
from uuid import UUID

from brands.models import Brand
from visibility.answers.text import AnswerText, Named
from visibility.audit import ParsedPage, SitePage, from_json
from visibility.counts.reader import select_now
from visibility.evidence.labels import TopicAnswer
from visibility.models import Answer, AuditPage, Mention, Run, Topic, UntrackedName

_BATCH = 200
_COLUMNS = ("pk", "engine__name", "prompt_id", "version__text", "text")


def unbranded_by_topic(brand: Brand) -> Iterator[tuple[Topic, list[TopicAnswer]]]:
    """The answers of now to questions that name no tracked brand, one topic at a time: texts need much memory."""
    scored = select_now(brand).scored
    named = {each.version for each in scored.sums if each.named}
    by_topic: defaultdict[UUID, list[int]] = defaultdict(list)
    for key, topic, version in scored.answers.values_list("pk", "prompt__topic", "version"):
        if version not in named:
            by_topic[topic].append(key)
    for topic in Topic.objects.filter(pk__in=by_topic).order_by("name"):
        yield topic, list(_texts(sorted(by_topic[topic.pk])))


def _texts(keys: list[int]) -> Iterator[TopicAnswer]:
    """The answers with the names in them, a batch at a time."""
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        mentions = Mention.objects.filter(answer__in=batch).values_list("answer", "start", "end", "competitor")
        named = _by_answer((answer, Named(first, last, str(key))) for answer, first, last, key in mentions)
        untracked = _by_answer(UntrackedName.objects.offered().filter(answer__in=batch).values_list("answer", "name"))
        rows = Answer.objects.filter(pk__in=batch).order_by("pk").values_list(*_COLUMNS)
        for key, engine, prompt, question, text in rows:
            yield TopicAnswer(key, engine, str(prompt), question, AnswerText(text, named[key]), untracked[key])


def _by_answer(rows: Iterable[tuple[int, Any]]) -> defaultdict[int, list[Any]]:
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for answer, value in rows:
        found[answer].append(value)
    return found


def own_pages(brand: Brand, kinds: Collection[str] = ()) -> list[ParsedPage]:
    """What the latest audit that ended well read of the site, in the order of the crawl; of these kinds, if any."""
    audits = Run.objects.measured().filter(brand=brand, kind=Run.Kind.AUDIT)
    run = audits.filter(audit__report__isnull=False).newest().first()
    return [page for page in pages_of(run) if not kinds or page.kind in kinds] if run else []


def pages_of(run: Run) -> list[ParsedPage]:
    """What an audit has read of the site up to now, in the order of the crawl."""
    rows = AuditPage.objects.filter(run=run).order_by("position")
    return list(filter(None, map(_parsed, rows.values_list("page", flat=True))))


def _parsed(stored: Any) -> ParsedPage | None:
    """The page; None where it is not the site's own, or was stored by another version of the reader."""
    try:
        page = from_json(SitePage, bytes(stored))
    except ValueError:
        return None
    return None if page.aside else page.parsed
