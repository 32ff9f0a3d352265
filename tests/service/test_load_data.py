"""Brands in bulk are as true as measured ones: measured again from their answers, every figure stays."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apikeys.models import Plan, User
from apikeys.operators import system_caller
from brands.models import Brand
from tests.scans.history import figures, rescored
from tests.worlds import world
from visibility.models import Answer, Citation, DailyScore, DayCount, Generation, Mention, Panel, Prompt, Run
from visibility.pipeline.days import panels
from visibility.pipeline.generations.planning import plan_outdated
from visibility.services.prompts.editing import prompt_digest
from visibility.services.reading.changes import change_report
from visibility.services.tables.catalogue import BRAND_TABLES

pytestmark = pytest.mark.django_db
OPERATOR = system_caller("test")


def make(**more):
    printed = StringIO()
    call_command("generate_load_data", stdout=printed, **{"brands": 3, "answers": 600, "seed": 5, **more})
    return printed.getvalue()


def made():
    """What `make` makes, once for all tests that only look at it."""
    world("load data", make)


def described():
    """The brands with their figures, by name."""
    rows = DailyScore.objects.filter(competitor=None).order_by("date").values_list("brand__name", "date", "score")
    return sorted(rows), sorted(Answer.objects.values_list("text", flat=True))


def test_copies_are_what_measuring_their_own_answers_gives():
    """A generation of an older detector is measured again: nothing that readers see changes."""
    assert make().startswith("Made 3 brands with 600 answers. load-1@example.com owns the first;")
    for brand in Brand.objects.all():
        before = figures(brand)
        assert before[0] and before[1] and before[2] and before[3]
        Generation.objects.filter(brand=brand).update(detector=1)
        rescored(brand)
        after = figures(brand)
        for part, expected in zip(after, before, strict=True):
            assert part == expected


def test_nothing_is_left_to_be_measured_and_everything_is_of_its_brand():
    made()
    plan_outdated()
    assert set(Generation.objects.values_list("state", flat=True)) == {"current"}
    names = sorted(Brand.objects.values_list("name", flat=True))
    assert len(set(names)) == 3
    for brand in Brand.objects.all():
        others = re.compile("|".join(name for name in names if name != brand.name), re.IGNORECASE)
        assert brand.domain == f"{brand.name.lower()}.example"
        assert not any(map(others.search, Answer.objects.filter(brand=brand).values_list("text", flat=True)))
        own = Mention.objects.filter(answer__brand=brand, competitor=None)
        assert set(own.values_list("text", flat=True)) == {brand.name}
        assert Citation.objects.filter(answer__brand=brand, owner="own").exists()
        for prompt in Prompt.objects.filter(brand=brand):
            assert prompt.digest == prompt_digest(prompt.text, prompt.locale)
        for panel in Panel.objects.filter(brand=brand):
            assert panels.store_panel(brand, panel.content) == panel
        for table in BRAND_TABLES.values():
            list(table.rows(OPERATOR, brand))
        assert change_report(OPERATOR, brand_id=brand.pk).as_of


def test_rows_can_be_added_behind_it():
    made()
    brand = Brand.objects.first()
    score = DailyScore.objects.filter(brand=brand).first()
    score.pk, score.date = None, score.date.replace(year=2001)
    score.save()
    assert Run.objects.filter(brand=brand).count() == DayCount.objects.filter(brand=brand).count() == 10


def test_the_same_seed_makes_the_same_data():
    made()
    first = described()
    Brand.objects.all().delete()
    User.objects.all().delete()
    make()
    assert described() == first


def test_it_fills_empty_databases_only():
    made()
    with pytest.raises(CommandError, match="There are brands in this database"):
        make()


def test_too_few_answers_for_so_many_brands_are_refused():
    with pytest.raises(CommandError, match="Each brand needs 200 answers or more"):
        make(answers=599)
    assert not Brand.objects.exists() and not User.objects.exists()


def test_brands_are_shared_among_as_many_accounts_as_the_plan_allows():
    Plan.objects.update(max_sites=2)
    make()
    assert sorted(User.objects.filter(brands__isnull=False).values_list("email").distinct()) == [
        ("load-1@example.com",), ("load-2@example.com",),
    ]  # fmt: skip
