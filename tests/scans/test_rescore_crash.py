"""Workers that are killed while history is measured again."""

from contextlib import ExitStack
from functools import partial

import pytest
from django.db.models import Sum

from apikeys.caller import Caller
from apikeys.operators import system_caller
from brands.services.names import replace_aliases
from tests.factories import PromptFactory, RunFactory
from tests.generations import tracked_names_of
from tests.scans.history import DAY, figures, fresh, scores
from tests.scans.readers import runs, trend, watching, whole_page
from tests.scans.workers import kill, worker
from visibility.models import Answer, DailyScore, Generation, RunScore

pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]
ANSWERS = 150
RUNS = 3
LONG = "The Anvil Company makes what Acme does not. " * 5


@pytest.fixture
def brand(cast):
    """Three runs of one day whose long answers are stored and count, none of them analysed in truth."""
    prompt = PromptFactory(brand=cast.brand)
    version = prompt.versions.get()
    generation = tracked_names_of(cast.brand).generation
    for _ in range(RUNS):
        run = RunFactory(brand=cast.brand, created_at=DAY, total=ANSWERS, done=ANSWERS)
        Answer.objects.bulk_create(
            Answer(
                run=run, brand=cast.brand, prompt=prompt, version=version, engine="chat", sample=number + 1,
                position=number, state="answered", text=LONG, answered_at=DAY,
            )
            for number in range(ANSWERS)
        )  # fmt: skip
        RunScore.objects.create(generation_id=generation, run=run, stage="scored", analysed=ANSWERS)
    DailyScore.objects.create(generation_id=generation, brand=cast.brand, date=DAY.date(), detector_version="1")
    return cast.brand


def analysed():
    building = RunScore.objects.filter(generation__state="building")
    return building.aggregate(analysed=Sum("analysed"))["analysed"] or 0


def test_a_killed_worker_is_followed_where_it_was(brand, celery, wait_until):
    caller = Caller.from_user(brand.owner)
    with ExitStack() as stack:
        seen = [
            stack.enter_context(watching(partial(read, caller, brand), pause=0.2))
            for read in (trend, runs, whole_page)
        ]
        _measured_again_with_kills(brand, celery, wait_until)
    assert [len(each) for each in seen] == [2, 2, 2], "readers saw all as before, then all as after"
    assert figures(brand) == fresh(brand)


def _measured_again_with_kills(brand, celery, wait_until):
    replace_aliases(system_caller("test"), brand=brand, aliases=["The Anvil Company"])
    for share in (0.2, 0.5):
        process = worker(celery)
        wait_until(lambda share=share: analysed() >= share * RUNS * ANSWERS, f"{share:.0%} of the answers")
        kill(process)
        kept = analysed()
        assert kept < RUNS * ANSWERS
        assert scores(brand) == [None], "readers still see what was there"
    worker(celery)
    wait_until(lambda: not Generation.objects.filter(state="building").exists(), "the switch")
    [current] = Generation.objects.filter(state="current")
    assert dict(RunScore.objects.filter(generation=current).values_list("analysed", "stage")) == {ANSWERS: "scored"}
    wait_until(lambda: not Generation.objects.filter(state="retired").exists(), "the clearing")
    assert scores(brand) == [100.0]
