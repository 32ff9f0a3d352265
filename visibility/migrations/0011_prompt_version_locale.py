from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def copy_locales(apps, schema_editor):
    """What is known of wordings that were asked before: the locale that their prompt has."""
    version, prompt = apps.get_model("visibility", "PromptVersion"), apps.get_model("visibility", "Prompt")
    locale = prompt.objects.filter(pk=OuterRef("prompt")).exclude(locale="").values("locale")[:1]
    stated = prompt.objects.exclude(locale="").values("pk")
    version.objects.filter(prompt__in=stated).update(locale=Subquery(locale))


class Migration(migrations.Migration):
    dependencies = [("visibility", "0010_generations_required")]

    operations = [
        migrations.AddField(
            model_name="promptversion",
            name="locale",
            field=models.CharField(blank=True, default="", help_text="in which it was asked; empty: not stated", max_length=20),
            preserve_default=False,
        ),
        migrations.RunPython(copy_locales, migrations.RunPython.noop),
    ]
