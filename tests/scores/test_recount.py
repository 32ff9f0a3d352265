"""Recounts read what an edit can touch, and no more; what they write is what reading everything would give."""

import json
import random

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.models import F

from brands.brands import update_brand
from brands.competitors import add_competitor, remove_competitor, update_competitor
from brands.models import Brand, NameChange
from brands.names import set_name_policy
from tests.factories import BrandFactory, UserFactory
from tests.reference import reference_file
from tests.scores.conftest import SYSTEM, world
from visibility import jobs
from visibility.answers import detect as reading
from visibility.detection import VERSION, Detector
from visibility.models import Answer, Cell, Citation, DailyScore, Mention, Run, UntrackedName
from visibility.scores import recount as recounting
from visibility.scores.recount import recount

TABLES = {
    Mention: ("answer", *reading.MENTION),
    Citation: ("answer", "day", *reading.CITATION),
    UntrackedName: ("answer", *reading.UNTRACKED),
    Cell: tuple(field.attname for field in Cell._meta.concrete_fields if not field.primary_key),
    DailyScore: ("date", "competitor", "score", "low", "high", "figures", "comparable", "change"),
}


def everything():
    """All that is derived from answers, to be compared."""
    rows = {model: model._base_manager.values_list(*columns) for model, columns in TABLES.items()}
    return {model.__name__: sorted(map(repr, found)) for model, found in rows.items()}


def edits(brand, chance):
    """Edits of names by chance, without end, of names that answers hold and of words of the language."""
    texts = ["Garmin Forerunner", "Fitbit", "Suunto", "Bose", "Max", "the", "Amazfit", "Apple Watch", "Pro", "Huawei"]
    domains = ["fitbit.com", "suunto.com", "rtings.com", "nytimes.com", "theverge.com", "bose.com", "amazon.com"]
    added = []
    while True:
        match chance.randrange(6):
            case 0:
                update_brand(SYSTEM, brand_id=brand.pk, aliases=chance.sample(texts[:3], chance.randrange(3)))
            case 1:
                update_brand(SYSTEM, brand_id=brand.pk, domains=chance.sample(domains[2:5], chance.randrange(3)))
            case 2 if len(added) < 3 and (free := sorted(set(texts[3:6]) - {each.name for each in added})):
                domain = f"{free[0].lower()}.example"
                added.append(add_competitor(SYSTEM, brand_id=brand.pk, name=free[0], domain=domain))
            case 3 if added:
                aliases = chance.sample(texts[6:], chance.randrange(3))
                if added[0] == added[-1]:
                    update_competitor(SYSTEM, brand_id=brand.pk, competitor_id=added[0].pk, aliases=aliases)
            case 4 if len(added) > 1:
                remove_competitor(SYSTEM, brand_id=brand.pk, competitor_id=added.pop().pk)
            case 5:
                near = chance.sample(["watch", "battery", "best", "gps"], chance.randrange(3))
                set_name_policy(SYSTEM, brand_id=brand.pk, name="Apple", required_near=near)
            case _:
                continue
        yield


@pytest.mark.django_db
@pytest.mark.parametrize("number", [2, pytest.param(60, marks=pytest.mark.proof)])
def test_reading_what_an_edit_touches_gives_what_reading_everything_gives(tmp_path, number):
    lines = reference_file("real-answers/answers.jsonl").read_text().splitlines()
    some = tmp_path / "some.jsonl"
    some.write_text("\n".join(line for line in lines if json.loads(line)["sample"] == 1))
    competitors = [part for name in ("Apple", "Coros") for part in ("--competitor", name, f"{name.lower()}.com")]
    owner = UserFactory().email
    call_command("import_answers", some, "--new-brand", "Garmin", "garmin.com", "--owner", owner, *competitors)
    brand = Brand.objects.get()
    read = []
    for _ in zip(range(number), edits(brand, random.Random(number)), strict=False):
        read.append(recount(brand.pk))
        partly = everything()
        assert not NameChange.objects.exists()
        Brand.objects.update(names_version=F("names_version") + 1)  # without a word of what changed
        assert (whole := recount(brand.pk)) and whole.read == whole.answers
        assert partly == everything()
    assert min(each.read / each.answers for each in read if each) < 0.1


def test_an_upgrade_of_the_detector_counts_all_history_again_by_itself(brand, monkeypatch):
    class Newer(Detector):
        def detect(self, text, prompt="", sources=()):
            return super().detect(text.replace("Krytonite", "Kryton"), prompt, sources)

    before, version = everything(), Brand.objects.get().names_version
    jobs.defer_what_is_missing()
    assert recount(brand.pk) is None, "it was counted by this detector"
    monkeypatch.setattr(reading, "Detector", Newer)
    monkeypatch.setattr(jobs, "VERSION", VERSION + 1)
    for _ in range(2):
        jobs.defer_what_is_missing()
    monkeypatch.setattr(recounting, "write_history", None)
    with pytest.raises(TypeError):
        recount(brand.pk)
    assert everything() == before, "killed in the middle, nothing of it is there"
    monkeypatch.undo()
    monkeypatch.setattr(reading, "Detector", Newer)
    assert recount(brand.pk).changed == Answer.objects.filter(text__contains="Krytonite").count()
    assert DailyScore.objects.get(brand=brand, competitor=None, date=None).score > 50
    assert Brand.objects.get().counted_version == version + 1


def test_only_answers_that_hold_a_changed_name_are_read(brand):
    total = Answer.objects.count()
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Nobody Says This"])
    assert (recount(brand.pk).read, recount(brand.pk)) == (0, None)
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"], domains=["ride.example"])
    holding = Answer.objects.filter(text__iregex="krytonite|nobody|kryton").count()
    assert 0 < recount(brand.pk).read <= holding < total
    update_brand(SYSTEM, brand_id=brand.pk, description="Bicycles for the city.")
    assert recount(brand.pk).read == total


def test_a_shared_host_that_becomes_own_takes_the_sites_below_it_along(brand):
    answer = Answer.objects.order_by("pk").first()
    Answer.objects.filter(pk=answer.pk).update(sources=[{"url": "https://rider.github.io/a", "title": ""}])
    Brand.objects.update(names_version=F("names_version") + 1)
    recount(brand.pk)
    assert not answer.citations.get().is_own
    update_brand(SYSTEM, brand_id=brand.pk, domains=["github.io"])
    recount(brand.pk)
    assert answer.citations.get().is_own


def test_the_command_counts_the_brands_that_are_named_and_says_what_came_of_it(brand, capsys):
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    with pytest.raises(CommandError, match="No brand is called Nobody"):
        call_command("recount", "--brand", "Nobody")
    changed = Answer.objects.filter(text__contains="Krytonite").count()
    for arguments, numbers in ((["--brand", "kryton"], (1, 120, changed)), (["--all"], (0, 0, 0))):
        call_command("recount", *arguments)
        line = capsys.readouterr().out
        assert f"{numbers[0]} of them were behind" in line and f"of {numbers[1]} answers" in line
        assert f" {numbers[2]} now say" in line
    days = everything()["DailyScore"]
    DailyScore.objects.update(figures={})  # as if every figure were new
    call_command("recount", "--all")
    assert everything()["DailyScore"] == days
    BrandFactory(name="Kryton")
    with pytest.raises(CommandError, match=str(brand.pk)):
        call_command("recount", "--brand", "Kryton")


def own_cell(brand):
    return Cell.objects.get(brand=brand, competitor=None)


@pytest.mark.django_db
def test_a_prompt_with_a_new_name_is_branded():
    brand = world("Nobody.", prompt="Is Krytonite good?")
    assert not own_cell(brand).named
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    assert recount(brand.pk).read == 0
    assert own_cell(brand).named


@pytest.mark.django_db
def test_answers_that_cite_a_new_domain_are_read():
    brand = world("Nobody.", "Nobody else.", citations=["https://shop.news.example/a"])
    update_brand(SYSTEM, brand_id=brand.pk, domains=["news.example"])
    assert (recount(brand.pk).changed, own_cell(brand).cited) == (2, 2)


@pytest.mark.django_db
def test_answers_that_were_never_read_are_read_with_the_others():
    brand = world("Nobody.", "Nobody else.")
    Answer.objects.filter(sample=1).update(names_version=0)
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    found = recount(brand.pk)
    assert (found.read, found.changed, found.answers) == (1, 0, 2)
    assert not Answer.objects.filter(names_version=0).exists()


@pytest.mark.django_db
def test_a_scan_that_is_still_asking_is_left_to_its_own_measuring():
    brand = world("Krytonite.")
    Run.objects.update(status="running")
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    assert recount(brand.pk).answers == 0
    assert own_cell(brand).mentioned == 0


@pytest.mark.django_db
def test_a_run_that_ends_meanwhile_with_older_names_has_history_counted_once_more(monkeypatch):
    brand = world("Krytonite.")
    Run.objects.update(status="running")
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    write = recounting.write_history
    with monkeypatch.context() as patched:
        patched.setattr(
            recounting, "write_history", lambda *given: (write(*given), Run.objects.update(status="succeeded"))
        )
        assert recount(brand.pk) is None
    assert Brand.objects.get().is_recounting
    Run.objects.update(status="succeeded")
    assert recount(brand.pk).changed == 1


@pytest.mark.django_db
def test_a_recount_says_how_many_of_all_answers_it_has_read():
    brand, calls = world("Krytonite.", "Nobody.", "Krytonite or Zentra."), []
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    recount(brand.pk, lambda *numbers: calls.append(numbers))
    assert calls == [(2, 2)]


def test_there_is_nothing_to_count_of_a_brand_that_is_gone(db):
    brand = BrandFactory()
    brand_id = brand.pk
    Brand.objects.all().delete()
    assert recount(brand_id) is None
    recounting.rescore(brand_id)
