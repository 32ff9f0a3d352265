"""The three plans that a new service starts with; operators edit them in the admin."""

from django.db import migrations

PLANS = [
    # tier, name, API access, sites, prompts a site, competitors a site, drafts a month, credits a month, writer calls a day
    ("free", "Free", False, 1, 10, 3, 1, 200, 10),
    ("growth", "Growth", True, 5, 50, 10, 20, 20_000, 100),
    ("scale", "Scale", True, 50, 350, 25, 200, 400_000, 1_000),
]


def seed(apps, schema_editor):
    Plan = apps.get_model("apikeys", "Plan")
    for tier, name, api, sites, prompts, competitors, drafts, credits, writer_calls in PLANS:
        Plan.objects.get_or_create(
            tier=tier,
            defaults={
                "name": name,
                "api_access": api,
                "max_sites": sites,
                "max_prompts_per_site": prompts,
                "max_competitors_per_site": competitors,
                "drafts_per_month": drafts,
                "credits_per_month": credits,
                "writer_calls_per_day": writer_calls,
            },
        )


class Migration(migrations.Migration):
    dependencies = [("apikeys", "0001_initial")]
    operations = [migrations.RunPython(seed, migrations.RunPython.noop, elidable=False)]
