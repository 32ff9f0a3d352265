from collections import defaultdict

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import migrations, transaction
from django.db.models import Exists, OuterRef, Q, Value

BATCH = 10_000


def _known_market(answer):
    """What is stored says it: the locale, else the brand's region where the answer's own country is the same, or the
    answer is still to be asked. Where the brand has a region that nothing confirms, the market is not known."""
    language, *rest = answer["version__locale"].split("-")
    language = "-".join([language, *(part for part in rest if len(part) == 4)])
    country = next((part.upper() for part in rest if len(part) == 2 and part.isalpha()), "")
    region = "" if answer["run__trigger"] == "import" else answer["brand__region"]
    if region and not country:
        if answer["state"] != "pending" and answer["country"] != region:
            return ""
        country = region
    return "-".join(part for part in ((language or "und") if country else language, country) if part)


def write_markets(apps, schema_editor):
    """In batches, each in its own transaction; run again, it goes on. Workers of this release count again by it."""
    answers = apps.get_model("visibility", "Answer").objects
    columns = ("pk", "state", "country", "version__locale", "brand__region", "run__trigger")
    rows = answers.filter(market="").exclude(version__locale="", brand__region="").order_by("pk")
    last = 0
    while batch := list(rows.filter(pk__gt=last).values(*columns)[:BATCH]):
        last = batch[-1]["pk"]
        by_market = defaultdict(list)
        for answer in batch:
            if market := _known_market(answer):
                by_market[market].append(answer["pk"])
        with transaction.atomic():
            for market, keys in by_market.items():
                answers.filter(pk__in=keys).update(market=market)


def write_markets_of_runs(apps, schema_editor):
    """Runs have the markets that were asked for, and the countries that engines say where none was: before, they had
    all countries."""
    answers, engines = apps.get_model("visibility", "Answer").objects, apps.get_model("visibility", "RunEngine").objects
    unasked = ~Q(country="") & ~Q(market__regex="-[A-Z]{2}$")
    stated = {
        "markets": ArrayAgg("market", filter=~Q(market=""), distinct=True, default=Value([])),
        "countries": ArrayAgg("country", filter=unasked, distinct=True, default=Value([])),
    }
    known = Q(Exists(answers.filter(run=OuterRef("run")).exclude(market="")))
    for run in engines.filter(known | ~Q(countries=[])).order_by().values_list("run", flat=True).distinct():
        of_run = answers.filter(run=run, state="answered").order_by().values("engine", "surface")
        for row in of_run.annotate(**{f"{name}_of": values for name, values in stated.items()}):
            place = {"run": run, "engine": row["engine"], "surface": row["surface"]}
            engines.filter(**place).update(markets=row["markets_of"], countries=row["countries_of"])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("visibility", "0011_markets_and_absent_answers"), ("brands", "0005_share_links")]

    operations = [
        migrations.RunPython(write_markets, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(write_markets_of_runs, migrations.RunPython.noop, elidable=True),
    ]
