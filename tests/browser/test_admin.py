"""Every page of the admin in both themes, on a desk and on a phone: what axe-core finds is Django's own, and listed.

The pages are those of the models that are registered: lists, a row, a new row, and each act that a row offers.
"""

import re

import pytest
from django.contrib import admin

from tests.browser.watching import open_tab
from tests.live import manage

DJANGOS = {
    ("aria-prohibited-attr", r'class="help-tooltip search-label-icon"'): "the script of two lists side by side makes "
    "its hint a span with a label, which says no more than the label beside it",
    (
        "scrollable-region-focusable",
        r'class="js-inline-admin-formset inline-group"',
    ): "on a phone rows of another kind scroll in a box that cannot be focused; what can be acted on in it can be",
}
"""What axe-core finds in Django's own templates and scripts, by rule and a part of the markup: why it stays."""
PLANT = """
from django.contrib.auth.models import Group
from django.utils import timezone
from brands.models import Brand
from visibility.models import Review, ReviewImport, TopicChoice
brand = Brand.objects.first()
Group.objects.get_or_create(name="Helpdesk")
TopicChoice.objects.get_or_create(brand=brand, topic="boats", is_own=False, decided_by="user:1")
source, _ = ReviewImport.objects.get_or_create(brand=brand, file="reviews.csv", added=1, actor="user:1")
Review.objects.get_or_create(brand=brand, source=source, key="k", text="A fine bike.")
"""
"""Rows that the demo has none of."""
WITHOUT_ROW = {"domainclass"}
"""A class of a domain would have all figures made anew; the form of a new one is that of a row."""
MODELS = sorted(admin.site._registry.values(), key=lambda model_admin: model_admin.opts.model_name)
WAYS = [("light", 1280), ("dark", 390)]
found: set[tuple[str, str]] = set()
visited: set[tuple[str, str]] = set()


@pytest.fixture(scope="module")
def planted(served):
    """The service, with a row of every kind."""
    manage(served.env, "shell", "-c", PLANT)
    return served


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: f"{way[0]}-{way[1]}")
def staff(request, browser, planted):
    """A tab of the operator of the demo."""
    scheme, width = request.param
    watched = open_tab(browser, planted.url, scheme=scheme, width=width)
    watched.sign_in(*planted.staff)
    yield watched
    watched.page.context.close()


def is_djangos(rule, markup):
    """Whether a finding is listed as Django's own; it is noted as seen."""
    for own_rule, pattern in DJANGOS:
        if own_rule == rule and re.search(pattern, markup):
            found.add((own_rule, pattern))
            return True
    return False


def assert_ours_is_sound(watched, path):
    response = watched.page.goto(watched.url + path)
    assert response.status == 200, path
    assert watched.troubles == [], path
    wrong = [(rule, markup[:200]) for rule, markup in watched.findings() if not is_djangos(rule, markup)]
    assert wrong == [], path


def base_of(model_admin):
    return f"/admin/{model_admin.opts.app_label}/{model_admin.opts.model_name}/"


def assert_a_row_is_sound(watched):
    """The first row of the list that is open, its history and each act that it offers."""
    row = watched.page.locator("#result_list tbody th a").first.get_attribute("href").split("?")[0]
    assert_ours_is_sound(watched, row)
    offered = [link.get_attribute("href") for link in watched.page.locator(".object-tools a").all()]
    for path in [path for path in offered if path.startswith("/admin/")]:
        assert_ours_is_sound(watched, path)


def test_the_first_page_is_sound(staff):
    assert_ours_is_sound(staff, "/admin/")


@pytest.mark.parametrize("model_admin", MODELS, ids=lambda model_admin: model_admin.opts.model_name)
def test_lists_rows_new_rows_and_acts_are_sound(staff, model_admin):
    base = base_of(model_admin)
    assert_ours_is_sound(staff, base)
    if staff.page.locator(".object-tools a.addlink").count():
        assert_ours_is_sound(staff, f"{base}add/")
    if model_admin.opts.model_name not in WITHOUT_ROW:
        staff.go(base)
        assert_a_row_is_sound(staff)
    visited.add((staff.page.viewport_size["width"], base))


def test_searched_and_filtered_lists_are_sound(staff):
    assert_ours_is_sound(staff, "/admin/apikeys/calllog/?q=key&created_at__from=2026-01-01&door__exact=rest")
    assert_ours_is_sound(staff, "/admin/visibility/answer/?q=bike&state=answered")


def test_what_is_listed_as_djangos_own_still_occurs():
    if len(visited) < len(MODELS) * len(WAYS):
        pytest.skip("says something only after all pages were looked at")
    assert found == set(DJANGOS)
