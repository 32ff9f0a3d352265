"""The page of answers in a real browser: a figure opens its answers, a filter and a search narrow them at once."""

from django.urls import reverse

from tests.factories import UserFactory
from tests.live import own_database
from tests.pages.chromium import NARROW, WIDE, live_pages, open_chromium, visit
from tests.pages.worlds import small_brand


def test_a_figure_leads_to_its_answers_which_filters_and_a_search_narrow(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database() as database:
        owner = UserFactory()
        brand = small_brand(owner)
        with live_pages(database) as live, open_chromium() as browser:
            for width, theme in ((WIDE, "light"), (NARROW, "dark")):
                with visit(browser, live, owner, width=width, theme=theme) as window:
                    page = window.page
                    assert not window.look(reverse("brand", args=[brand.pk]))
                    page.get_by_role("link", name="2 of 8 answers", exact=True).first.click()
                    page.get_by_text("2 of 8 answers mention you").wait_for()
                    assert page.locator(".answers li").count() == 2 and not window.faults()
                    page.get_by_label("Stance").select_option("absent")
                    page.get_by_text("6 of 8 answers do not mention you").wait_for()
                    page.get_by_label("Search").fill("vans")
                    page.get_by_label("Search").press("Enter")
                    page.get_by_text("2 of 8 answers do not mention you and match “vans”").wait_for()
                    assert "q=vans" in page.url and not window.faults() and not window.troubles
