from django.db import migrations


def count_as_outdated(apps, schema_editor):
    """Have every history looked through again: what its answers support, and who else they recommend, is not known."""
    generation = apps.get_model("visibility", "Generation")
    generation.objects.filter(state__in=["current", "building"]).update(detector=0)


class Migration(migrations.Migration):
    dependencies = [("visibility", "0015_competitor_suggestions")]

    operations = [migrations.RunPython(count_as_outdated, migrations.RunPython.noop)]
