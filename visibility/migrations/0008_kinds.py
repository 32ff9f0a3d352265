"""Recommendations are stored as a kind and its facts; what an earlier edition wrote keeps its words.

Each old kind has a new one, or its open rows are dismissed as replaced. Nothing is resolved by the change, and what
was done keeps its last proof as it was written.
"""

import html
import re

from django.db import migrations, models

from brands.later import defer_advise

MARKED = re.compile("<untrusted-quote>(.*?)</untrusted-quote>", re.DOTALL)
NEW = {
    "name": ("name", "{}"),
    "fall": ("fall", "{}"),
    "own_pages_lost": ("fall", "pages {}"),
    "topic_gap": ("gap", "mentions {}"),
    "engine_gap": ("gap", "mentions {}"),
    "first_pick": ("gap", "first {}"),
    "engine_first_pick": ("gap", "first {}"),
    "objection": ("limit", "{}"),
    "cited_pages": ("sources", "{}"),
    "track": ("track", "{}"),
}
CRITICAL = 90
STATES = {"worked": "rose", "fell": "fell", "no_effect": "no_change", "too_early": "waiting"}


def plain(text):
    return MARKED.sub(lambda match: html.unescape(match[1]), text)


def place_of(row):
    if row.kind == "site_audit":
        return ("blocked" if row.priority >= CRITICAL else "hygiene"), row.subject
    kind, subject = NEW.get(row.kind, ("earlier", f"{row.kind} {{}}"))
    return kind, subject.format(row.subject)


def proof_of(proof):
    if not proof:
        return None
    result = proof.get("result")
    kept = {"doneOn": proof["doneOn"], "gapDay": proof.get("gapDay"), "topic": proof.get("topic")}
    if result:
        kept["result"] = {
            "state": STATES[result["state"]],
            "written": result["sentence"],
            "k_before": result["mentionedBefore"],
            "of_before": result["answersBefore"],
            "k_since": result["mentionedSince"],
            "of_since": result["answersSince"],
        }
    return kept


def forwards(apps, schema_editor):
    Recommendation = apps.get_model("visibility", "Recommendation")
    for row in Recommendation.objects.order_by("pk").iterator():
        row.kind, subject = place_of(row)
        row.subject = subject[:300]
        written = {
            "title": plain(row.title),
            "summary": plain(row.summary),
            "fixPrompt": row.payload.get("fixPrompt", ""),
        }
        row.facts = {"written": written, "topic_id": row.payload.get("topic")}
        row.proof = proof_of(row.proof)
        if row.kind == "earlier" and row.status in ("open", "in_progress"):
            row.status, row.status_reason, row.status_changed_by = "dismissed", "replaced", ""
        row.save(update_fields=["kind", "subject", "facts", "proof", "status", "status_reason", "status_changed_by"])
    apps.get_model("visibility", "Diagnosis").objects.all().delete()
    DailyScore = apps.get_model("visibility", "DailyScore")
    for brand in DailyScore.objects.order_by().values_list("brand", flat=True).distinct():
        defer_advise(brand)


class Migration(migrations.Migration):
    dependencies = [
        ("visibility", "0007_counted_evidence"),
        ("procrastinate", "0041_post_retry_failed_job"),
    ]

    operations = [
        migrations.AddField(
            model_name="recommendation",
            name="facts",
            field=models.JSONField(
                default=dict,
                help_text="those of the kind, see recommendations/kinds; words are made of them when shown",
            ),
        ),
        migrations.AlterField(
            model_name="diagnosis",
            name="facts",
            field=models.JSONField(
                default=dict, help_text="see recommendations/diagnosis.py; sentences are made of them"
            ),
        ),
        migrations.RunPython(forwards, migrations.RunPython.noop),
        migrations.RemoveField(model_name="recommendation", name="title"),
        migrations.RemoveField(model_name="recommendation", name="summary"),
        migrations.RemoveField(model_name="recommendation", name="payload"),
    ]
