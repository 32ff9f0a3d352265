from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("visibility", "0004_citation_class")]

    operations = [
        migrations.AddField(
            model_name="dailyscore",
            name="budget",
            field=models.JSONField(default=dict, help_text="variance budgets of score and change"),
        ),
        migrations.AddField(
            model_name="dailyscore",
            name="changes",
            field=models.JSONField(default=list, help_text="the day's changes by metric and engine"),
        ),
    ]
