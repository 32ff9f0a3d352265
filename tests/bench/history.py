"""What history costs: a recount, the longest trend, and the counts behind a page of 60 days: `make bench`.

ANSWERS=100000 in the environment recounts so many instead of the usual ones; with the reference data they are real.
"""

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import tests.postgres  # noqa: F401 - starts a server before the settings are read, unless DATABASE_URL names one

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402 - needs the settings, as the models do
from django.db import connection, models  # noqa: E402
from django.db.models import F, Sum  # noqa: E402

from apikeys.accounts.operators import system_caller  # noqa: E402
from brands.brands import update_brand  # noqa: E402
from brands.competitors import add_competitor  # noqa: E402
from brands.models import Brand  # noqa: E402
from tests.factories import BrandFactory, DailyScoreFactory, UserFactory  # noqa: E402
from tests.live import own_database  # noqa: E402
from tests.reference import reference_folder  # noqa: E402
from visibility.models import Cell, DailyScore, Run  # noqa: E402
from visibility.scores.reads import read_trend  # noqa: E402
from visibility.scores.recount import recount, rescore  # noqa: E402

SYSTEM = system_caller("command:bench")
ANSWERS = int(os.environ.get("ANSWERS", "10000"))
TREND_DAYS = 1_800
PROMPTS, TOPICS, ENGINES, SUBJECTS, DAYS = 350, 50, 5, 26, 60
FIRST = date(2025, 1, 1)


def main() -> int:
    """Print all of it."""
    with own_database():
        _recounts()
    with own_database():
        _trend()
        _pivot()
    return 0


def _recounts() -> None:
    brand = _history()
    total = brand.answers.count()
    print(f"{total:,} answers, {len(set(brand.runs.values_list('day', flat=True))):,} days")
    sizes = {name: size / total for name, size in _sizes().items() if size >= total}
    print(
        f"  {sum(sizes.values()):,.0f} bytes an answer:",
        ", ".join(f"{name} {size:,.0f}" for name, size in sizes.items()),
    )
    edits: dict[str, Callable[[], Any]] = {
        "an alias that no answer has": lambda: update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"]),
        "an alias that few have": lambda: update_brand(SYSTEM, brand_id=brand.pk, aliases=["Suunto"]),
        "a competitor that many name": lambda: add_competitor(
            SYSTEM, brand_id=brand.pk, name="Bose", domain="bose.com"
        ),
        "a new detector": lambda: Brand.objects.update(names_version=F("names_version") + 1),
        "topics alone": lambda: None,
    }
    for name, edit in edits.items():
        edit()
        began, cpu = time.perf_counter(), time.process_time()
        counted = rescore(brand.pk) if name == "topics alone" else recount(brand.pk)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        print(f"  {name}: {seconds:.1f} s, {cpu:.1f} s CPU, {_memory()} MB at most; {counted or 'nothing read'}")


def _sizes() -> dict[str, int]:
    """The bytes of each table of measurements, the largest first, with its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT substr(relname, 12), pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relname LIKE 'visibility%' ORDER BY 2 DESC"
        )
        return dict(cursor.fetchall())


def _history() -> Brand:
    """A brand with a day of real answers, and copies of it on as many days as it takes; no two texts are the same."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "day.jsonl")
        path.write_text("\n".join(_lines()))
        rivals = [part for name in ("Apple", "Coros") for part in ("--competitor", name, f"{name.lower()}.com")]
        owner = UserFactory().email
        call_command(
            "import_answers", path, "--new-brand", "Garmin", "garmin.com", "--owner", owner, *rivals, verbosity=0
        )
    brand = Brand.objects.get()
    with connection.cursor() as cursor:
        for statement in day_copies(max(1, ANSWERS // brand.answers.count()) - 1):
            cursor.execute(statement)
    rescore(brand.pk)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return brand


def _lines() -> list[str]:
    if folder := reference_folder():
        rows = map(json.loads, (folder / "real-answers/answers.jsonl").read_text().splitlines())
        return [json.dumps({**row, "time": f"{FIRST}T10:00:00Z"}) for row in rows]
    names = ("Garmin", "Apple", "Coros", "Bose", "Suunto", "Polar")
    text = "1. **{}** is a fine watch.\n2. **{}** – lighter, and dearer.\n\n" + "Much more could be said of it. " * 60
    return [
        json.dumps(
            {
                "prompt": f"Best watch number {number}?",
                "topic": f"topic {number % 17}",
                "engine": "chatgpt",
                "time": f"{FIRST}T10:00:00Z",
                "text": text.format(names[number % 6], names[number % 5]),
            }
        )
        for number in range(400)
    ]


def day_copies(number: int) -> list[str]:
    """Statements that copy the only run to so many later days, with all that is below it."""
    run = f"(SELECT gen_random_uuid() AS copy, id, n FROM visibility_run, generate_series(1, {number}) AS n)"
    return [
        f"CREATE TEMP TABLE copied AS SELECT * FROM {run} AS each",
        _copy("run", "SELECT {} FROM visibility_run AS old JOIN copied USING (id)", id="copied.copy", day="day + n"),
        _copy(
            "runengine", "SELECT {} FROM visibility_runengine AS old JOIN copied ON run_id = copied.id", run_id="copy"
        ),
        _copy(
            "answer",
            "SELECT {} FROM visibility_answer AS old JOIN copied ON run_id = copied.id",
            run_id="copy",
            day="day + n",
            text="text || E'\\n' || n",
            import_key="old.id || ':' || n",
        ),
        *(
            _copy(
                table,
                f"SELECT {{}} FROM visibility_{table} AS old CROSS JOIN (SELECT n FROM copied) AS copies"
                " JOIN visibility_answer AS new ON new.import_key = old.answer_id || ':' || n",
                answer_id="new.id",
                day="new.day",
            )
            for table in ("mention", "citation", "untrackedname")
        ),
        _copy(
            "cell",
            "SELECT {} FROM visibility_cell AS old JOIN copied ON run_id = copied.id",
            run_id="copy",
            day="day + n",
        ),
    ]


def _copy(table: str, select: str, **changed: str) -> str:
    return copy_statement(django.apps.apps.get_model("visibility", table), select, **changed)


def copy_statement(model: type[models.Model], select: str, **changed: str) -> str:
    """A statement that copies the rows `old` of a table, with other values in the columns `changed`."""
    fields = [field for field in model._meta.concrete_fields if not getattr(field, "generated", False)]
    columns = [field.column for field in fields if not field.primary_key or "id" in changed]
    values = [changed.get(column, f'old."{column}"') for column in columns]
    quoted = ", ".join(f'"{column}"' for column in columns)
    return f"INSERT INTO {model._meta.db_table} ({quoted}) {select.format(', '.join(values))}"


def _trend() -> None:
    brand = BrandFactory()
    DailyScore.objects.bulk_create(
        DailyScoreFactory.build(brand=brand, date=FIRST + timedelta(day)) for day in range(TREND_DAYS)
    )
    best = min(_seconds(lambda: read_trend(SYSTEM, brand.pk, date.min, date.max)) for _ in range(3))
    print(f"A trend of {TREND_DAYS:,} days: {1_000 * best:.0f} ms")


def _pivot() -> None:
    """The brand's row of each wording, and those of a quarter of the competitors, as answers of many topics have."""
    brand = BrandFactory()
    with connection.cursor() as cursor:
        for statement in _PANEL:
            cursor.execute(statement, {"brand": brand.pk, "first": FIRST, "prompts": PROMPTS, "topics": TOPICS})
    rows = Cell.objects.filter(brand=brand).count()
    cells = Cell.objects.filter(brand=brand, day__gte=FIRST, run__kind=Run.Kind.VISIBILITY)
    pivot = cells.values("version__prompt__topic", "engine", "competitor").annotate(
        sum_answers=Sum("answers"), sum_mentioned=Sum("mentioned"), sum_first=Sum("first")
    )
    best = min(_seconds(lambda: list(pivot.order_by())) for _ in range(3))
    shape = f"{DAYS} days, {PROMPTS} prompts × {ENGINES} engines × {SUBJECTS} names"
    print(f"Topic × engine × competitor over {shape}, {rows:,} cells: {best:.2f} s, {len(pivot):,} rows")


_PANEL = (
    f"""INSERT INTO visibility_engine (name, preset, model, base_url, search, is_enabled, max_output_tokens,
        max_searches, concurrency, writes) SELECT 'bench-' || n, '', '', '', true, false, 1, 1, 1, false
        FROM generate_series(1, {ENGINES}) AS n""",
    f"""INSERT INTO brands_competitor (id, brand_id, name, domain, created_at)
        SELECT gen_random_uuid(), %(brand)s, 'Rival ' || n, 'rival' || n || '.example', now()
        FROM generate_series(1, {SUBJECTS - 1}) AS n""",
    """INSERT INTO visibility_topic (id, brand_id, name, decided_by, pooled)
        SELECT gen_random_uuid(), %(brand)s, 'topic ' || n, '', false FROM generate_series(0, %(topics)s - 1) AS n""",
    """INSERT INTO visibility_prompt (id, brand_id, topic_id, text, version, stage, intent, persona, locale, purpose,
        digest, created_at) SELECT gen_random_uuid(), %(brand)s, topic.id, 'prompt ' || n, 1, '', '', '', '',
        'visibility', n::text, now() FROM generate_series(1, %(prompts)s) AS n
        JOIN visibility_topic AS topic ON topic.brand_id = %(brand)s AND topic.name = 'topic ' || n %% %(topics)s""",
    """INSERT INTO visibility_promptversion (prompt_id, number, text, locale, created_at, created_by)
        SELECT id, 1, text, '', now(), '' FROM visibility_prompt WHERE brand_id = %(brand)s""",
    f"""INSERT INTO visibility_run (id, brand_id, kind, status, trigger, actor, day, created_at, total, done, failed,
        error_code, error_message, credits_reserved, credits_spent, repeated)
        SELECT gen_random_uuid(), %(brand)s, 'visibility', 'succeeded', 'schedule', '', %(first)s + n, now(), 0, 0, 0,
        '', '', 0, 0, 0 FROM generate_series(0, {DAYS - 1}) AS n""",
    """INSERT INTO visibility_cell (brand_id, day, run_id, engine_id, surface, version_id, competitor_id, answers,
        failed, mentioned, ranked, first, gain, gain_squares, recommended, cautioned, alone, cited, comentions,
        without_brand, named, unsourced)
        SELECT %(brand)s, run.day, run.id, engine.id, 'api', version.id, subject.id, 3, 0, 1, 1, 0, 0.5, 0.25, 0, 0,
        0, 0, 2, 0, false, 0
        FROM visibility_run AS run, visibility_engine AS engine, visibility_promptversion AS version
        JOIN visibility_prompt AS prompt ON prompt.id = version.prompt_id,
        (SELECT id, row_number() OVER () AS number FROM brands_competitor WHERE brand_id = %(brand)s
         UNION ALL SELECT NULL, 0) AS subject
        WHERE run.brand_id = %(brand)s AND prompt.brand_id = %(brand)s AND engine.name LIKE 'bench-%%'
        AND (subject.id IS NULL OR (version.id + subject.number) %% 4 = 0)""",
    "ANALYZE visibility_cell",
)


def _seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    sys.exit(main())
