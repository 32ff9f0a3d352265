"""The ledger of calls to providers, with all that was charged before it was there, at the time of its run: what was
spent in a month stays what it was. Each is one statement over all rows, and keeps the id of the row that told of it."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

COLUMNS = """
INSERT INTO visibility_providercall (
    id, created_at, settled_at, purpose, outcome, error_code, engine, provider, model, served_model, account_id,
    brand_id, brand_name, run_id, answer, reserved, cost, cost_source, credits, "usage"
)
SELECT
    {row}.id, run.created_at, COALESCE({at}, run.created_at), {purpose}, {outcome}, {error}, {engine},
    COALESCE(engine.provider, ''), COALESCE(engine.model, ''), {row}.served_model,
    COALESCE(run.credits_account_id, brand.owner_id), brand.id, brand.name, run.id, answer.id, NULL, {row}.cost,
    {row}.cost_source, {credits}, {row}."usage"
FROM {source}
JOIN visibility_run AS run ON run.id = answer.run_id
JOIN brands_brand AS brand ON brand.id = run.brand_id
LEFT JOIN visibility_engineconfig AS engine ON engine.name = {engine}
WHERE {condition}
"""
SCANNED = "CASE WHEN run.kind = 'comparison' THEN 'comparison' ELSE 'scan' END"
ANSWERS = COLUMNS.format(
    row="answer",
    at="answer.answered_at",
    purpose=SCANNED,
    outcome="'answered'",
    error="''",
    engine="answer.engine",
    credits="1",
    source="visibility_answer AS answer",
    # Imported answers were not asked for here.
    condition="answer.state = 'answered' AND run.\"trigger\" <> 'import'",
)
FAILED_CALLS = COLUMNS.format(
    row="call",
    at="call.called_at",
    purpose=SCANNED,
    outcome="'charged'",
    error="call.error_code",
    engine="answer.engine",
    credits="0",
    source="visibility_failedcall AS call JOIN visibility_answer AS answer ON answer.id = call.answer_id",
    condition="1 = 1",
)
JUDGEMENTS = COLUMNS.format(
    row="judged",
    at="judged.asked_at",
    purpose="'judge'",
    outcome="CASE WHEN judged.answered THEN 'answered' ELSE 'charged' END",
    error="judged.error_code",
    engine="judged.engine",
    credits="CASE WHEN judged.answered THEN 1 ELSE 0 END",
    source="visibility_namejudgement AS judged JOIN visibility_answer AS answer ON answer.id = judged.answer_id",
    condition="judged.charged",
)


class Migration(migrations.Migration):
    dependencies = [
        ("brands", "0005_invitations"),
        ("visibility", "0038_answer_charged"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ProviderCall",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, help_text="when the call was booked"),
                ),
                (
                    "settled_at",
                    models.DateTimeField(help_text="when it was known, or given up, what came of it", null=True),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("scan", "Scan"),
                            ("comparison", "Comparison"),
                            ("judge", "judge of names"),
                            ("writer", "prompts and drafts"),
                            ("ask", "Ask"),
                            ("test", "test connection"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("pending", "under way"),
                            ("answered", "Answered"),
                            ("charged", "charged, no answer"),
                            ("failed", "failed, free"),
                            ("unknown", "not known"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("error_code", models.CharField(blank=True, max_length=40)),
                ("engine", models.CharField(max_length=100)),
                ("provider", models.CharField(blank=True, max_length=40)),
                ("model", models.CharField(blank=True, help_text="as it was asked for", max_length=100)),
                ("served_model", models.CharField(blank=True, max_length=100)),
                ("brand_name", models.CharField(blank=True, help_text="as it was called then", max_length=200)),
                ("answer", models.UUIDField(help_text="the answer that it was made for", null=True)),
                (
                    "reserved",
                    models.DecimalField(
                        decimal_places=6,
                        help_text="US dollars that it may cost at most; null: not known",
                        max_digits=12,
                        null=True,
                    ),
                ),
                (
                    "cost",
                    models.DecimalField(
                        decimal_places=6, help_text="US dollars; null: not known", max_digits=12, null=True
                    ),
                ),
                ("cost_source", models.CharField(blank=True, max_length=20)),
                ("credits", models.PositiveSmallIntegerField(default=0)),
                ("usage", models.JSONField(default=dict)),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        help_text="who pays with a plan; none: the operator",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "brand",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="brands.brand",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="visibility.run",
                    ),
                ),
            ],
            options={"ordering": ["-created_at", "-id"]},
        ),
        *(migrations.RunSQL(sql, migrations.RunSQL.noop) for sql in (ANSWERS, FAILED_CALLS, JUDGEMENTS)),
        migrations.AddIndex(
            model_name="providercall",
            index=models.Index(fields=["-created_at", "-id"], name="provider_call_newest"),
        ),
        migrations.AddIndex(
            model_name="providercall",
            index=models.Index(fields=["account", "created_at"], name="provider_call_of_account"),
        ),
        migrations.AddIndex(
            model_name="providercall",
            index=models.Index(
                condition=models.Q(("outcome", "pending")), fields=["created_at"], name="provider_call_pending"
            ),
        ),
        migrations.AddConstraint(
            model_name="providercall",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome__in", ["pending", "answered", "charged", "failed", "unknown"])),
                name="provider_call_outcome_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="providercall",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("outcome", "pending"), ("settled_at", None)),
                    models.Q(
                        models.Q(("outcome", "pending"), _negated=True), ("settled_at__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="provider_call_settled_unless_pending",
            ),
        ),
        migrations.DeleteModel(name="FailedCall"),
        migrations.RemoveIndex(model_name="answer", name="answer_charged"),
        *(migrations.RemoveField("answer", name) for name in ("cost", "cost_source", "usage")),
        *(
            migrations.RemoveField("namejudgement", name)
            for name in ("answered", "charged", "served_model", "usage", "cost", "cost_source")
        ),
    ]
