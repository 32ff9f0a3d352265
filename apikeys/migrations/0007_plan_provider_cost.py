"""What the calls of an account may cost at the providers in a day. The seeded plans get a cap; others have none."""

from decimal import Decimal

from django.db import migrations, models

CAPS = {"free": 5, "growth": 200, "scale": 2_000}


def seed(apps, schema_editor):
    Plan = apps.get_model("apikeys", "Plan")
    for tier, dollars in CAPS.items():
        Plan.objects.filter(tier=tier).update(provider_cost_per_day=Decimal(dollars))


class Migration(migrations.Migration):
    dependencies = [("apikeys", "0006_account_limits")]
    operations = [
        migrations.AddField(
            model_name="plan",
            name="provider_cost_per_day",
            field=models.DecimalField(
                blank=True,
                decimal_places=2,
                help_text="US dollars for all calls that an account pays, in a day (UTC); empty: no limit",
                max_digits=9,
                null=True,
                verbose_name="cost at providers per day, at most",
            ),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(("provider_cost_per_day__gte", 0)), name="plan_provider_cost_not_negative"
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="own_provider_cost_per_day",
            field=models.DecimalField(
                blank=True,
                decimal_places=2,
                max_digits=9,
                null=True,
                verbose_name="US dollars at providers per day",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("own_provider_cost_per_day__gte", 0)), name="user_provider_cost_not_negative"
            ),
        ),
        migrations.RunPython(seed, migrations.RunPython.noop, elidable=False),
    ]
