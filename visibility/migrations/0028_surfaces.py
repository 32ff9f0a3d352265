"""Each answer says where it was taken, and imports are an engine of their own beside one that is asked here; a daily
score keeps its figures by locale."""

from collections import defaultdict

from django.db import migrations, models
from django.db.models import Q

LOCAL = Q(engine="local-search") | Q(engine__startswith="local-search-")


def say_surfaces(apps, schema_editor):
    answers = apps.get_model("visibility", "Answer").objects
    answers.filter(run__trigger="import").exclude(LOCAL).update(surface="imported")
    answers.filter(LOCAL).update(surface="pages")


def part_imports(apps, schema_editor):
    """As a scan does from now on: an import that has the name of an engine that the brand was scanned with gets
    another. History of brands that have both is measured again, as their mean holds the scans alone."""
    Run, Answer = apps.get_model("visibility", "Run"), apps.get_model("visibility", "Answer")
    Generation = apps.get_model("visibility", "Generation")
    asked = defaultdict(set)
    for brand, engines in Run.objects.exclude(trigger="import").order_by().values_list("brand_id", "engines"):
        asked[brand] |= set(engines)
    imports = Run.objects.filter(trigger="import", brand__in=[brand for brand, names in asked.items() if names])
    mixed = set()
    for run in imports.only("brand_id", "engines").iterator():
        imported = Answer.objects.filter(run=run, surface="imported")
        if not imported.exists():
            continue
        mixed.add(run.brand_id)
        new_names = {name: f"{name} (imported)" for name in asked[run.brand_id].intersection(run.engines)}
        for name, new_name in new_names.items():
            imported.filter(engine=name).update(engine=new_name)
        if new_names:
            run.engines = sorted(new_names.get(name, name) for name in run.engines)
            run.save(update_fields=["engines"])
    Generation.objects.filter(brand__in=mixed, state__in=["current", "building"]).update(detector=0)


class Migration(migrations.Migration):
    dependencies = [("visibility", "0027_development")]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="surface",
            field=models.CharField(
                choices=[
                    ("api", "api"),
                    ("app", "app"),
                    ("api_imported", "api_imported"),
                    ("imported", "imported"),
                    ("pages", "pages"),
                ],
                db_default="api",
                default="api",
                help_text="where the answer was taken",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="answer",
            name="engine",
            field=models.CharField(help_text="its name in figures, the surface in it", max_length=100),
        ),
        migrations.AddField(
            model_name="dailyscore",
            name="by_locale",
            field=models.JSONField(
                help_text="a LocaleScore for each locale, empty where that is one; null: of an earlier release",
                null=True,
            ),
        ),
        migrations.RunPython(say_surfaces, migrations.RunPython.noop),
        migrations.RunPython(part_imports, migrations.RunPython.noop),
    ]
