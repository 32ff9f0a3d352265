from django.db import migrations, models


def delete_all_but_the_voice(apps, schema_editor):
    """Labels and claims have other fields now, themes and decisions are no more; the next job makes them again."""
    apps.get_model("visibility", "EvidenceItem").objects.exclude(kind="voice").delete()


class Migration(migrations.Migration):

    dependencies = [("visibility", "0006_statements")]

    operations = [
        migrations.RunPython(delete_all_but_the_voice, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="evidenceitem", name="refined_by"),
        migrations.AlterField(
            model_name="evidenceitem",
            name="kind",
            field=models.CharField(
                choices=[("criterion", "Criterion"), ("claim", "Claim"), ("voice", "Voice")], max_length=10
            ),
        ),
    ]
