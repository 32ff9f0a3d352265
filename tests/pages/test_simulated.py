"""What the demo's page says of its past, how dates are written, and that the chart can be seen."""

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from tests.factories import DailyScoreFactory, RunFactory
from tests.people.browser import text_of
from visibility.demo.content import DOMAIN
from visibility.demo.days import SEEDER
from visibility.models import Run

pytestmark = pytest.mark.django_db
SHEET = Path("templates/assets/site.css")
FIRST = datetime(2026, 3, 1, 6, tzinfo=UTC)


def page(client, brand):
    client.force_login(brand.owner)
    return text_of(client.get(reverse("brand-page", args=[brand.pk])))


def test_the_page_says_that_days_are_simulated_and_when_the_pages_went(client, cast):
    cast.brand.domain = DOMAIN
    cast.brand.save()
    for days in (0, 59):
        moment = FIRST + timedelta(days=days)
        RunFactory(brand=cast.brand, trigger=Run.Trigger.IMPORT, actor=SEEDER, created_at=moment, started_at=moment)
    shown = page(client, cast.brand)
    assert "The days from 1 Mar 2026 to 29 Apr 2026 are simulated: nobody was asked on them." in shown
    assert "On 9 Apr 2026 14 pages of norrvik.example were removed or rewritten." in shown


def test_nothing_of_another_brand_is_called_simulated(client, cast):
    RunFactory(brand=cast.brand, trigger=Run.Trigger.IMPORT, actor="command:import_answers", started_at=FIRST)
    assert "simulated" not in page(client, cast.brand)


def test_dates_are_written_in_one_way(client, cast):
    moment = datetime(2026, 11, 22, 14, 5, tzinfo=UTC)
    DailyScoreFactory(brand=cast.brand, date=date(2026, 11, 22))
    RunFactory(brand=cast.brand, created_at=moment)
    shown = page(client, cast.brand)
    assert "as of 22 Nov 2026" in shown and "22 Nov 2026 14:05 UTC" in shown
    assert not re.search(r"Nov\. |2026-11|22 Nov 26|Nov 22", shown)
    assert date_format(moment, "SHORT_DATETIME_FORMAT") == "22 Nov 2026 14:05 UTC"


def test_no_template_writes_a_date_in_its_own_way():
    own = re.compile(r'\|date:"(?!DATETIME_FORMAT)')
    assert [path for path in Path("templates").rglob("*.html") if own.search(path.read_text())] == []


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def colours(name):
    """The colour of this name in the light and in the dark theme."""
    pair = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\);", SHEET.read_text()).groups()
    return [colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:]) for colour in pair]


def test_whiskers_stand_out_from_the_ground_in_both_themes():
    for mark, ground in zip(colours("edge"), colours("ground"), strict=True):
        lighter, darker = sorted((luminance(mark), luminance(ground)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 3


def test_points_are_large_enough():
    drawn = Path("templates/visibility/charts/_dot.html").read_text()
    radii = [float(number) for number in re.findall(r"%}([\d.]+)", re.search(r' r="(.+?)"/>', drawn)[1])]
    assert radii and min(radii) >= 5
