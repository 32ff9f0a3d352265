from django.db import migrations
from django.db.models import F
from django.utils import timezone

RETIRED = ("mention_gap", "source_gap")
REASON = "Recommendations are made by topic and by page now: the next measurement finds what is still there."


def follow_measurement(apps, schema_editor):
    """Recommendations for each prompt and each domain give way to those by topic and by page, which the next
    measurement finds. Clients know them by their ids: they are closed, with the reason. Those that people have decided
    on stay."""
    recommendations = apps.get_model("visibility", "Recommendation").objects.all()
    recommendations.update(opened_at=F("created_at"), last_seen_at=F("updated_at"))
    now = timezone.now()
    open_rows = recommendations.filter(kind__in=RETIRED, status="open")
    change = apps.get_model("visibility", "StatusChange")
    change.objects.bulk_create(
        (
            change(recommendation_id=key, before="open", status="resolved", reason=REASON, changed_at=now)
            for key in open_rows.values_list("pk", flat=True)
        ),
        batch_size=500,
    )
    open_rows.update(status="resolved", status_reason=REASON, status_changed_at=now, updated_at=now)


class Migration(migrations.Migration):
    dependencies = [("visibility", "0034_proofs_and_decisions")]

    operations = [migrations.RunPython(follow_measurement, migrations.RunPython.noop)]
