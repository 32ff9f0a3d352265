"""Stored changes learn why days could not be compared: what their panels tell. Changes of single engines come with
the next scores."""

from django.db import migrations

SHARED = 0.9
AT_ONCE = 500


def told(before, now):
    """The causes that two panels show."""
    mine, other = set(now["prompts"]), set(before["prompts"])
    if len(mine & other) < SHARED * max(len(mine), len(other)):
        yield "prompts", "other prompts, or other wordings of them, were asked"
    if set(now["engines"]) != set(before["engines"]):
        yield "engines", "other engines counted"
    if any(before["engines"][name] != now["engines"][name] for name in set(now["engines"]) & set(before["engines"])):
        yield "model", "an engine was served by another model"
    if now["locales"] != before["locales"]:
        yield "locale", "it was asked in another locale"
    if now["detector"] != before["detector"]:
        yield "detector", "another version of the detector counted"


def causes_of(change, before, now):
    if change["verdict"] != "not_comparable" or before is None or now is None:
        return []
    pairs = list(told(before, now)) or [("no_score", "one of the two days has no score")]
    return [{"code": code, "message": message} for code, message in pairs]


def add_causes(apps, schema_editor):
    scores = apps.get_model("visibility", "DailyScore")
    panels = apps.get_model("visibility", "Panel")
    generations = scores.objects.exclude(change=None).order_by().values_list("generation_id", flat=True).distinct()
    for generation in list(generations):
        own = scores.objects.filter(generation_id=generation, competitor=None)
        panel_of = dict(own.order_by().values_list("date", "panel_id"))
        content = dict(panels.objects.filter(pk__in=set(panel_of.values())).values_list("pk", "content"))
        by_day = {day.isoformat(): content.get(panel) for day, panel in panel_of.items()}
        changed = []
        rows = scores.objects.filter(generation_id=generation).exclude(change=None).only("pk", "date", "change")
        for row in rows.iterator(chunk_size=AT_ONCE):
            if "causes" not in row.change:
                known = causes_of(row.change, by_day.get(row.change["from"]), by_day.get(row.date.isoformat()))
                row.change = {**row.change, "causes": known, "common": None, "byEngine": []}
                changed.append(row)
        scores.objects.bulk_update(changed, ["change"], batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("visibility", "0020_page_published_on")]

    operations = [migrations.RunPython(add_causes, migrations.RunPython.noop, elidable=True)]
