"""Audits that are under way ask robots.txt, sitemaps and probes again: what is kept of them has another form."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget_unfinished(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Leave no file of a site read for audits that are not finished."""
    apps.get_model("visibility", "Audit").objects.filter(checked_at=None).update(site={})


class Migration(migrations.Migration):
    dependencies = [("visibility", "0039_provider_calls")]

    operations = [migrations.RunPython(forget_unfinished, migrations.RunPython.noop)]
