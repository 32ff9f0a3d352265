"""Everything of a brand in one file: a ZIP of CSV tables over its whole history."""

import io
import zipfile
from collections.abc import Iterator
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import IO, Any

from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.text import slugify
from django.utils.translation import gettext

from apikeys.cells import ENCODING, write_cells
from apikeys.language import neutral
from visibility.answers.reads import BATCH, COLUMNS, read_answers
from visibility.models import Citation, DayNote, Mention, Prompt, Recommendation, Run
from visibility.pages import history, todo
from visibility.pages.frame import Visit, brand_page
from visibility.pages.tables import Table
from visibility.recommendations.reads import cards_of
from visibility.scores.reads import TREND_COLUMNS, iterate_trend, trend_row

MOST_AT_ONCE = 2
"""Files that a process makes at once: each takes one of its threads for as long as that takes."""
PROMPT_FIELDS = {
    "id": "pk",
    "topic": "topic__name",
    "topicIsYours": "topic__own",
    "text": "text",
    "version": "version",
    "purpose": "purpose",
    "stage": "stage",
    "intent": "intent",
    "persona": "persona",
    "locale": "locale",
    "created": "created_at",
    "archived": "archived_at",
}
MENTION_FIELDS = {
    "answer": "answer",
    "competitor": "competitor__name",
    "start": "start",
    "end": "end",
    "rank": "rank",
    "stance": "stance",
}
CITATION_FIELDS = {
    "answer": "answer",
    "position": "position",
    "url": "url",
    "domain": "domain",
    "title": "title",
    "class": "source_class",
}
_turns = BoundedSemaphore(MOST_AT_ONCE)


@brand_page
def export(visit: Visit) -> HttpResponseBase:
    """The file. It is made in full before it goes out, in little memory, and is gone with the answer."""
    if not _turns.acquire(blocking=False):
        messages.error(visit.request, gettext("Others take their data out just now. Try again in a minute."))
        return HttpResponseRedirect(visit.address("brand-settings"))
    try:
        file = TemporaryFile()  # noqa: SIM115 - the answer closes it
        with neutral(), transaction.atomic():  # so that rows are read in batches, and not all at once into a cursor
            write_archive(file, visit)
    finally:
        _turns.release()
    file.seek(0)
    name = f"{slugify(visit.brand.name) or 'brand'}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


def write_archive(file: IO[bytes], visit: Visit) -> None:
    """Write the tables as a ZIP, a row at a time."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for table in tables_of(visit):
            with (
                archive.open(f"{table.name}.csv", "w", force_zip64=True) as raw,
                io.TextIOWrapper(raw, encoding=ENCODING, newline="") as text,
            ):
                write_cells(text, table.columns, table.rows())


def tables_of(visit: Visit) -> list[Table]:
    """The tables of a brand. Mentions and citations name the `id` of their answer; no competitor is the brand."""
    caller, brand = visit.caller, visit.brand
    prompts = Prompt.objects.filter(brand=brand).order_by("created_at", "pk")
    mentions = Mention.objects.filter(answer__brand=brand).visible().order_by("answer", "start", "pk")
    citations = Citation.objects.filter(brand=brand).order_by("answer", "position")
    cards = Recommendation.objects.filter(brand=brand)
    runs = Run.objects.filter(brand=brand).newest()
    return [
        Table("days", TREND_COLUMNS, lambda: map(trend_row, iterate_trend(caller, brand.pk))),
        Table("prompts", tuple(PROMPT_FIELDS), lambda: _rows(prompts, PROMPT_FIELDS)),
        Table("answers", COLUMNS, lambda: read_answers(caller, brand.pk)),
        Table("mentions", tuple(MENTION_FIELDS), lambda: _rows(mentions, MENTION_FIELDS)),
        Table("citations", tuple(CITATION_FIELDS), lambda: _rows(citations, CITATION_FIELDS)),
        Table("recommendations", todo.COLUMNS, lambda: map(todo.cells_of, cards_of(brand, cards))),
        Table("competitors", ("name", "domain", "names", "description", "added"), lambda: _competitors(visit)),
        Table("notes", ("day", "text"), DayNote.objects.filter(brand=brand).values_list("day", "text").iterator),
        Table("scans", history.RUN_COLUMNS, lambda: map(history.cells_of, runs.iterator(chunk_size=BATCH))),
    ]


def _rows(rows: Any, fields: dict[str, str]) -> Iterator[tuple[Any, ...]]:
    found: Iterator[tuple[Any, ...]] = rows.values_list(*fields.values()).iterator(chunk_size=BATCH)
    return found


def _competitors(visit: Visit) -> Iterator[list[Any]]:
    for each in visit.brand.competitors.prefetch_related("names"):
        names = [name.text for name in each.names.all()]
        yield [each.name, each.domain, names, each.description, each.created_at.date()]
