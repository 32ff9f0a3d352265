"""The three plans that a new service starts with, which operators edit in the admin; counters without a log."""

from django.db import migrations

FIELDS = (
    "tier",
    "name",
    "api_access",
    "max_sites",
    "max_prompts_per_site",
    "max_competitors_per_site",
    "drafts_per_month",
    "credits_per_month",
    "writer_calls_per_day",
)
PLANS = (
    ("free", "Free", False, 1, 10, 3, 1, 200, 10),
    ("growth", "Growth", True, 5, 50, 10, 20, 20_000, 100),
    ("scale", "Scale", True, 50, 350, 25, 200, 400_000, 1_000),
)


def seed(apps, schema_editor):
    Plan = apps.get_model("apikeys", "Plan")
    Plan.objects.bulk_create(Plan(**dict(zip(FIELDS, plan, strict=True))) for plan in PLANS)


class Migration(migrations.Migration):
    dependencies = [("apikeys", "0001_initial")]
    operations = [
        migrations.RunPython(seed, migrations.RunPython.noop),
        migrations.RunSQL(
            "ALTER TABLE apikeys_counter SET UNLOGGED", "ALTER TABLE apikeys_counter SET LOGGED"
        ),
    ]
