"""What part of a site a finding takes from machines. Defects that capped the score before took all of it."""

from django.db import migrations, models


def _all(apps, schema_editor):
    apps.get_model("visibility", "CheckResult").objects.filter(critical=True).update(lost=1.0)


class Migration(migrations.Migration):
    dependencies = [("visibility", "0041_page_content_parser_version")]

    operations = [
        migrations.AlterField(
            model_name="checkresult",
            name="critical",
            field=models.BooleanField(default=False, help_text="so much is lost that it caps the score"),
        ),
        migrations.AddField(
            model_name="checkresult",
            name="lost",
            field=models.FloatField(
                default=0.0, help_text="the part of the site's pages that machines do not get, 0 to 1"
            ),
        ),
        migrations.RunPython(_all, migrations.RunPython.noop),
    ]
