from django.db import migrations
from django.db.models import F

RETIRED = ("mention_gap", "source_gap")


def follow_measurement(apps, schema_editor):
    """Recommendations for each prompt and each domain give way to those by topic and by page, which the next
    measurement finds. Those that people have decided on stay."""
    recommendations = apps.get_model("visibility", "Recommendation").objects.all()
    recommendations.filter(kind__in=RETIRED, status__in=("open", "resolved")).delete()
    recommendations.update(opened_at=F("created_at"), last_seen_at=F("updated_at"))


class Migration(migrations.Migration):
    dependencies = [("visibility", "0034_proofs_and_decisions")]

    operations = [migrations.RunPython(follow_measurement, migrations.RunPython.noop)]
