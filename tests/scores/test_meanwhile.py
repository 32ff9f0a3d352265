"""What is counted while others edit, read or count the same."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from brands.brands import update_brand
from tests.scores.conftest import SYSTEM, answers, imported
from tests.scores.test_history import everything
from visibility.answers.detect import Reader
from visibility.models import Answer, Mention, Run
from visibility.scores import recount as recounting
from visibility.scores.measure import measure_runs
from visibility.scores.recount import recount, rescore


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_readers_see_all_before_or_all_after_and_a_rename_meanwhile_wins(monkeypatch):
    brand = imported(answers(range(1, 4)))
    before = everything(brand)
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    seen, halfway, go_on = [], threading.Event(), threading.Event()
    original = recounting.write_history

    def pause(brand, days):
        original(brand, days)
        halfway.set()
        assert go_on.wait(20)

    monkeypatch.setattr(recounting, "write_history", pause)

    def work():
        recount(brand.pk)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    assert halfway.wait(20)
    seen.append(everything(brand))
    assert set(Answer.objects.values_list("names_version", flat=True)) == {2}
    update_brand(SYSTEM, brand_id=brand.pk, aliases=[])
    go_on.set()
    worker.join()
    seen.append(everything(brand))
    assert seen == [before, before], "a recount with names that changed meanwhile writes nothing"
    monkeypatch.setattr(recounting, "write_history", original)
    assert recount(brand.pk)
    assert everything(brand) == before


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_an_import_and_the_worker_may_measure_the_same_runs_at_once():
    brand = imported(answers(range(1, 6)))
    before, mentions = everything(brand), Mention.objects.count()
    Answer.objects.update(names_version=0)
    Mention.objects.all().delete()
    Run.objects.update(status=Run.Status.RUNNING)
    ready = threading.Barrier(4)

    def work(turn):
        try:
            ready.wait(20)
            if turn % 2:
                measure_runs(Reader(brand), list(Run.objects.values_list("pk", flat=True)))
            rescore(brand.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert (everything(brand), Mention.objects.count()) == (before, mentions)


@pytest.mark.django_db
def test_what_was_read_with_names_that_changed_meanwhile_is_counted_again():
    brand = imported(answers([1]))
    reader = Reader(brand)
    before = everything(brand)
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    assert recount(brand.pk)
    with_alias = everything(brand)
    Run.objects.update(status=Run.Status.RUNNING)
    measure_runs(reader, list(Run.objects.values_list("pk", flat=True)))
    assert everything(brand) == before
    assert recount(brand.pk)
    assert everything(brand) == with_alias != before
