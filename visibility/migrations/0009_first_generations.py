"""Make what was derived up to now the first generation of each brand.

Which names it was made for is not known; it is given those of now and the stamp of no detector, so that history is
recomputed once.
"""

from django.db import migrations
from django.db.models import Count, Q


def names_of(brand):
    """The names and domains of the brand (subject "") and of its competitors (subject: their id)."""
    names = [("", brand.name), *(("", alias.text) for alias in brand.aliases.all())]
    domains = {"": [brand.domain, *(owned.domain for owned in brand.owned_domains.all())]}
    for competitor in brand.competitors.all():
        subject = str(competitor.pk)
        names += [(subject, competitor.name), *((subject, alias.text) for alias in competitor.aliases.all())]
        domains[subject] = [competitor.domain]
    listed = [{"subject": subject, "text": text} for subject, text in names]
    return {"names": listed, "domains": domains, "classes": {}}


def make_first_generations(apps, schema_editor):
    Brand = apps.get_model("brands", "Brand")
    Generation, RunScore = apps.get_model("visibility", "Generation"), apps.get_model("visibility", "RunScore")
    Run, DailyScore = apps.get_model("visibility", "Run"), apps.get_model("visibility", "DailyScore")
    Mention, Citation = apps.get_model("visibility", "Mention"), apps.get_model("visibility", "Citation")
    answered = Count("answers", filter=Q(answers__state="answered"))
    unseen = Count("answers", filter=Q(answers__state="answered", answers__detector_version=""))
    ended = Run.objects.filter(kind="visibility", status__in=["succeeded", "partial", "failed"], done__gt=0)
    for brand in Brand.objects.filter(pk__in=ended.values("brand")).iterator():
        generation = Generation.objects.create(
            brand=brand,
            state="current",
            stamp="",
            detector=0,
            names_version=brand.names_version,
            classes="",
            names=names_of(brand),
        )
        RunScore.objects.bulk_create(
            RunScore(generation=generation, run=run, stage="scored", looked=run.answered,
                     score=run.score, low=run.low, high=run.high)
            for run in ended.filter(brand=brand).annotate(answered=answered, unseen=unseen)
            if not run.unseen
        )  # fmt: skip
        counted = RunScore.objects.filter(generation=generation).values("run")
        for model in (Mention, Citation):
            model.objects.filter(answer__run__in=counted).update(generation=generation)
        DailyScore.objects.filter(brand=brand).update(generation=generation)
    # What is derived from runs that have not ended is found again when they end.
    for model in (Mention, Citation, DailyScore):
        model.objects.filter(generation=None).delete()


class Migration(migrations.Migration):
    dependencies = [("visibility", "0008_generations"), ("brands", "0003_names_version")]

    operations = [migrations.RunPython(make_first_generations, migrations.RunPython.noop)]
