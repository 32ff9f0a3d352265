"""What reads cost with many brands: the portfolio, competitors and the sweep, over BRANDS brands (1,000) with 60
counted days each; an owner has 1,000 of them, another the rest. Prints for each read its statements, milliseconds and
the rows that its scans pass. Answers have short texts: none of these reads looks at them.
"""

import io
import json
import os
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from tests.bench.history import copy_statement, day_copies  # isort: skip - starts a server before the settings are read

from django.db import connection, models, transaction
from django.test import Client, override_settings
from django.urls import reverse

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from brands.models import Brand, Competitor, Domain, Name
from tests.factories import UserFactory
from tests.live import own_database
from visibility.competitors.reads import competitors_of
from visibility.counts.reader import select_now
from visibility.imports.services import NewBrand, import_answers
from visibility.jobs import defer_what_is_missing, end_invitations, end_overdue_calls, settle_cancelled_runs
from visibility.models import (
    Answer,
    Cell,
    Citation,
    DailyScore,
    Mention,
    Prompt,
    PromptVersion,
    Run,
    RunEngine,
    Topic,
    UntrackedName,
    WatchedName,
)
from visibility.overview.portfolio import read_portfolio
from visibility.overview.reads import list_sites
from visibility.runs.schedule import start_due_scans
from visibility.runs.services import cancel_ownerless_runs
from visibility.scores.recount import rescore

BRANDS = int(os.environ.get("BRANDS") or 1_000)
OWNED, DAYS, PROMPTS = 1_000, 60, 5
STRIDE = 10_000_000
"""More than any id of the first brand: each copy of it has its ids so much higher than the one before."""
CALLS = 5
READ = ("SELECT", "WITH", "UPDATE", "DELETE")
COPIED: tuple[type[models.Model], ...] = (
    *(Brand, Competitor, Name, Domain, Topic, Prompt, PromptVersion, Run, RunEngine, Answer),
    *(Mention, Citation, UntrackedName, WatchedName, Cell, DailyScore),
)
PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


def make_world() -> Brand:
    """A brand with DAYS counted days, and copies of it."""
    owner = UserFactory()
    today = date.today()
    text = "1. **{}** is a fine bike.\n2. **{}** – lighter.\n3. **Oreno** and **Lumen** and **Merida** – dearer."

    def line(number: int, engine: str) -> str:
        names = ("Kryton", "Zentra", "Avola")
        answer = {
            "prompt": f"Which bike for wish {number}?",
            "topic": f"topic {number}",
            "engine": engine,
            "time": f"{today - timedelta(DAYS - 1)}T00:00:00Z",
            "text": text.format(names[number % 3], names[(number + 1) % 3]),
            "citations": [f"https://reviews{number % place}.example/{number}" for place in (2, 3)],
        }
        return json.dumps(answer)

    lines = [line(number, engine) for number in range(PROMPTS) for engine in ("chatgpt", "gemini")]
    rivals = [("Zentra", "zentra.example"), ("Avola", "avola.example")]
    new = NewBrand(owner, "Kryton", "kryton.example", competitors=rivals)
    brand = import_answers(system_caller("command:bench"), brand=new, file=io.StringIO("\n".join(lines))).brand
    rest = UserFactory()
    with connection.cursor() as cursor:
        for statement in day_copies(DAYS - 1):
            cursor.execute(statement)
        rescore(brand.pk)
        Brand.objects.update(cadence="daily", next_run_at=f"{today + timedelta(1)}T00:00:00Z")
        cursor.execute("SET session_replication_role = replica")  # no foreign key is looked up for each row
        for model in COPIED:
            cursor.execute(_brand_copies(model))
        cursor.execute("SET session_replication_role = DEFAULT")
        others = list(Brand.objects.exclude(pk=brand.pk).order_by("pk").values_list("pk", flat=True)[OWNED - 1 :])
        Brand.objects.filter(pk__in=others).update(owner=rest)
        cursor.execute("VACUUM ANALYZE")
    return brand


def _brand_copies(model: type[models.Model]) -> str:
    """The statement that copies a table's rows to the other brands, with ids that follow from the first one's."""
    changed = {"import_key": "md5(old.import_key || '/' || n)"}
    changed |= {"domain": "n || '.' || old.domain", "name": "old.name || ' ' || n"} if model is Brand else {}
    for field in model._meta.concrete_fields:
        target = field.related_model if field.is_relation else model if field.primary_key else None
        if target in COPIED:
            column = f'old."{field.column}"'
            is_number = "int" in str(field.db_type(connection)) or "serial" in str(field.db_type(connection))
            copied = f"{column} + n * {STRIDE}::bigint" if is_number else f"md5({column}::text || n)::uuid"
            changed[field.column] = copied
    table = model._meta.db_table
    return copy_statement(model, f"SELECT {{}} FROM {table} AS old, generate_series(1, {BRANDS - 1}) AS n", **changed)


def cost_of(work: Callable[[], Any]) -> tuple[int, float, int]:
    """Statements of a piece of work, milliseconds of the fastest of CALLS, and rows that its scans pass."""
    statements: list[tuple[str, Any]] = []

    def note(run: Any, sql: str, params: Any, *about: Any) -> Any:
        statements.append((sql, params))
        return run(sql, params, *about)

    with connection.execute_wrapper(note):
        work()
    best = min(_milliseconds(work) for _ in range(CALLS))
    rows = sum(_rows(sql, params) for sql, params in statements if sql.lstrip("( ").startswith(READ))
    return len(statements), best, rows


def _milliseconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return 1_000 * (time.perf_counter() - began)


def _rows(sql: str, params: Any) -> int:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
        [(plans,)] = cursor.fetchall()
        transaction.set_rollback(True)
    return round(_passed(plans[0]["Plan"]))


def _passed(plan: dict[str, Any]) -> float:
    """The rows that the scans of a plan look at."""
    kept = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
    own = kept * plan["Actual Loops"] if "Relation Name" in plan else 0
    return float(own + sum(map(_passed, plan.get("Plans", ()))))


def sweep() -> None:
    """What the worker's sweep does each five seconds."""
    end_overdue_calls()
    cancel_ownerless_runs()
    settle_cancelled_runs()
    defer_what_is_missing()
    end_invitations()
    start_due_scans(system_caller("schedule"))


def works_of(brand: Brand) -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    caller, page = Caller.from_user(brand.owner), Client()
    page.force_login(brand.owner)
    return {
        "portfolio, agents": lambda: read_portfolio(caller),
        "portfolio, page": lambda: page.get(reverse("start")),
        "list of sites, agents": lambda: list_sites(caller),
        "competitors": lambda: competitors_of(select_now(Brand.objects.get(pk=brand.pk)), full=True),
        "sweep": sweep,
    }


def main() -> int:
    """Make the world, measure, print."""
    with own_database(), override_settings(ALLOWED_HOSTS=["testserver"], SECURE_SSL_REDIRECT=False, STORAGES=PLAIN):
        began = time.perf_counter()
        brand = make_world()
        names = {"answers": Answer, "untracked names": UntrackedName, "cells": Cell, "daily scores": DailyScore}
        counts = ", ".join(f"{model.objects.count():,} {name}" for name, model in names.items())
        print(f"{BRANDS:,} brands × {DAYS} days: {counts}; made in {time.perf_counter() - began:.0f} s")
        print(f"{'':<24}{'statements':>12}{'ms':>10}{'rows':>12}")
        for name, work in works_of(brand).items():
            statements, best, rows = cost_of(work)
            print(f"{name:<24}{statements:>12,}{best:>10.1f}{rows:>12,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
