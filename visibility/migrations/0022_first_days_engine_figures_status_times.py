"""A first measured day is comparable with nothing, which is null; each engine of a day names its models, share of voice
and citation rate; a recommendation says since when it has its status."""

from collections import defaultdict
from itertools import islice

import django.utils.timezone
from django.db import migrations, models
from django.db.models import Exists, F, OuterRef

AT_ONCE = 500
FIGURES = (("share_of_voice", "shareOfVoice"), ("citation_rate", "citationRate"))


def free_first_days(apps, schema_editor):
    """Of brands and of competitors: no day of the brand stands before them."""
    scores = apps.get_model("visibility", "DailyScore").objects
    before = scores.filter(
        brand=OuterRef("brand"), generation=OuterRef("generation"), competitor=None, date__lt=OuterRef("date")
    )
    first = scores.filter(~Exists(before)).values_list("pk", flat=True)
    rows = iter(list(first))
    while batch := list(islice(rows, AT_ONCE)):
        scores.filter(pk__in=batch).update(comparable=None)


def bind_first_days(apps, schema_editor):
    apps.get_model("visibility", "DailyScore").objects.filter(comparable=None).update(comparable=False)


def describe_engines(apps, schema_editor):
    """From what is stored beside them: the figures in `details`, the models in the panel or the day's answers."""
    scores = apps.get_model("visibility", "DailyScore").objects
    keys = iter(list(scores.order_by("pk").values_list("pk", flat=True)))
    while batch := list(islice(keys, AT_ONCE)):
        rows = list(scores.filter(pk__in=batch).select_related("panel").defer("changes", "budget"))
        served = _served(apps, {run for row in rows for run in row.runs})
        for row in rows:
            row.engines = [_described(item, row, served) for item in row.engines]
        scores.bulk_update(rows, ["engines"])


def _served(apps, runs):
    """The models by run and engine."""
    answers = apps.get_model("visibility", "Answer").objects.filter(run__in=runs, state="answered")
    served_models = defaultdict(set)
    for run, engine, model in answers.order_by().values_list("run", "engine", "served_model").distinct():
        served_models[str(run), engine].add(model)
    return served_models


def _described(item, row, served):
    name = item["engine"]
    models_of_day = set().union(*(served[run, name] for run in row.runs))
    described = {"engine": name, "models": sorted(models_of_day - {""}), **item}
    details = row.details.get("engines", {}).get(name, {})
    for stored, public_name in FIGURES:
        figure = details.get(stored) or details.get(public_name) or {}
        for end, part in (("", "value"), ("Low", "low"), ("High", "high")):
            described.setdefault(f"{public_name}{end}", figure.get(part))
    return described


def date_statuses(apps, schema_editor):
    """What is open has been so since it was made, as far as is known; others since they were last written at most."""
    recommendations = apps.get_model("visibility", "Recommendation").objects
    recommendations.filter(status="open").update(status_changed_at=F("created_at"))
    recommendations.exclude(status="open").update(status_changed_at=F("updated_at"))


class Migration(migrations.Migration):
    dependencies = [("visibility", "0021_change_causes")]

    operations = [
        migrations.AlterField(
            model_name="dailyscore",
            name="comparable",
            field=models.BooleanField(help_text="with the measured day before; null: there is none", null=True),
        ),
        migrations.AlterField(
            model_name="dailyscore",
            name="engines",
            field=models.JSONField(default=list, help_text="an EngineScore for each engine that was asked"),
        ),
        migrations.AlterField(
            model_name="recommendation",
            name="updated_at",
            field=models.DateTimeField(
                default=django.utils.timezone.now, help_text="when something in it last changed"
            ),
        ),
        migrations.AddField(
            model_name="recommendation",
            name="status_changed_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.RunPython(free_first_days, bind_first_days),
        migrations.RunPython(describe_engines, migrations.RunPython.noop),
        migrations.RunPython(date_statuses, migrations.RunPython.noop),
    ]
