"""Answers of a run are analysed: the column and the stages say so."""

from django.db import migrations, models
from django.db.models import Q

STAGES = {"looking": "analysing", "looked": "analysed"}


def _rename(apps, stages):
    rows = apps.get_model("visibility", "RunScore").objects
    for before, after in stages.items():
        rows.filter(stage=before).update(stage=after)


def rename(apps, schema_editor):
    _rename(apps, STAGES)


def rename_back(apps, schema_editor):
    _rename(apps, {after: before for before, after in STAGES.items()})


class Migration(migrations.Migration):
    dependencies = [("visibility", "0023_domain_names")]

    operations = [
        migrations.RenameField("runscore", "looked", "analysed"),
        migrations.AlterField(
            "runscore",
            "analysed",
            models.PositiveIntegerField(default=0, help_text="answers that were analysed"),
        ),
        migrations.RemoveConstraint("runscore", "run_score_stage_known"),
        migrations.AlterField(
            "runscore",
            "stage",
            models.CharField(
                choices=[("analysing", "Analysing"), ("analysed", "Analysed"), ("scored", "Scored")],
                default="analysing",
                max_length=9,
            ),
        ),
        migrations.RunPython(rename, rename_back),
        migrations.AlterField(
            "runscore",
            "position",
            models.IntegerField(default=-1, help_text="of the last answer that was analysed"),
        ),
        migrations.AlterField(
            "generation",
            "names",
            models.JSONField(help_text="the names, domains and classes that answers are analysed for"),
        ),
        migrations.AlterField(
            "competitorsuggestion",
            "of_answers",
            models.PositiveIntegerField(help_text="answers that were analysed"),
        ),
        migrations.AddConstraint(
            "runscore",
            models.CheckConstraint(
                condition=Q(stage__in=["analysing", "analysed", "scored"]), name="run_score_stage_known"
            ),
        ),
    ]
