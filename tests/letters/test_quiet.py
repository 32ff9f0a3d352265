"""Letters on brands at which nothing changes: few tell a change, and no sentence says what the rows do not."""

import os
import re
from datetime import timedelta

import pytest
from django.db.models import Sum
from tqdm import tqdm

from apikeys.accounts.caller import Caller
from tests.letters.quiet import FIRST, WEEKS, make_brand, record_changes
from tests.live import own_database
from visibility.counts.reader import select_now
from visibility.letters.letter import read_letter
from visibility.models import Cell, ChangeRecord
from visibility.scores.recount import rescore

BRANDS = int(os.environ.get("QUIET_BRANDS") or 1_000)
MOST_TOLD = 0.05
"""The part of quiet weeks whose letter may tell a change."""
SCORE = re.compile(r"AI answers mention you in (\d+) %")
CHANGE = re.compile(r"You (?:lost|gained)")


def weeks_with_a_change(brand) -> int:
    """How many of the eight weeks have a letter that tells a new change."""
    record_changes(brand)
    days = ChangeRecord.objects.filter(brand=brand, engine="").values_list("known_on", flat=True)
    return len({(day - FIRST).days // 7 for day in days})


def faults_of(brand) -> list[str]:
    """What the letter on the last week says and the cells do not."""
    rescore(brand.pk)
    letter = read_letter(Caller.from_user(brand.owner), brand.pk, FIRST + timedelta(weeks=WEEKS))
    words, now = " ".join(each.text for each in letter.sentences), select_now(brand)
    first, last = next(iter(now.engines.values()))
    cells = Cell.objects.filter(brand=brand, competitor=None, day__range=(first, last))
    sums = cells.values("version").annotate(mentioned=Sum("mentioned"), answers=Sum("answers"))
    score = 100 * sum(row["mentioned"] / row["answers"] for row in sums) / len(sums)
    is_new = ChangeRecord.objects.filter(
        brand=brand, engine="", known_on__gte=letter.week.first_day, reported_until__gte=last
    ).exclude(state="recovered")
    faults = []
    if abs(int(SCORE.search(words)[1]) - score) > 0.51:
        faults.append(f"{score:.1f}: {words}")
    if bool(CHANGE.search(words)) != is_new.exists():
        faults.append(f"change: {words}")
    return faults


@pytest.mark.django_db
@pytest.mark.parametrize("number", [1, 2])
def test_a_letter_on_a_quiet_brand_says_what_the_cells_say(number):
    assert faults_of(make_brand(number)) == []


@pytest.mark.django_db
@pytest.mark.parametrize(("falls", "weeks"), [(True, 1), (False, 0)])
def test_a_fall_is_reported_in_exactly_one_week(falls, weeks):
    assert weeks_with_a_change(make_brand(7, falls=falls)) == weeks


@pytest.mark.proof
def test_letters_tell_few_changes_of_quiet_weeks(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database():
        changed = sum(weeks_with_a_change(make_brand(number)) for number in tqdm(range(BRANDS), miniters=50))
    print(f"{changed} of {BRANDS * WEEKS} quiet weeks tell a change")
    assert changed <= MOST_TOLD * BRANDS * WEEKS
