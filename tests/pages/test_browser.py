"""One page of each kind in a real browser: nothing blocked, nothing from elsewhere, nothing too wide, axe content."""

import io
import json

from django.urls import reverse

from apikeys.accounts.operators import system_caller
from tests.factories import UserFactory
from tests.live import own_database
from tests.pages.chromium import NARROW, live_pages, open_chromium, visit
from visibility.imports.services import NewBrand, import_answers


def small_brand(owner):
    """Two measured days of one engine on four topics."""
    lines = [
        {
            "prompt": f"which lock for {topic}, wish {wording}?",
            "topic": topic,
            "engine": "chatgpt",
            "text": f"{'Kryton' if (day + wording) % 2 else 'Velmora'} is a good choice.",
            "citations": ["https://kryton.example/locks", "https://tests.example/"],
            "time": f"2026-01-0{day}T10:00:00Z",
        }
        for day in (1, 2)
        for topic in ("doors", "bikes", "boats", "vans")
        for wording in range(3)
    ]
    new = NewBrand(owner, "Kryton", "kryton.example", competitors=[("Velmora", "velmora.example")])
    file = io.StringIO("\n".join(map(json.dumps, lines)))
    return import_answers(system_caller("command:test"), brand=new, file=file).brand


def test_a_page_a_form_and_a_table_are_clean_in_a_real_browser(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database() as database:
        owner = UserFactory(is_staff=True, is_superuser=True)
        brand = small_brand(owner)
        start = f"{reverse('brand-start', args=[brand.pk])}?step=about"
        addresses = [reverse("brand", args=[brand.pk]), start, reverse("brand-history", args=[brand.pk])]
        with (
            live_pages(database) as live,
            open_chromium() as browser,
            visit(browser, live, owner, width=NARROW, theme="dark") as window,
        ):
            found = {address: window.look(address) for address in [*addresses, "/admin/"]}
            assert not any(found.values()), found
            assert window.page.locator("h1").count() == 1
            assert "Inter" in window.page.evaluate("getComputedStyle(document.body).fontFamily"), "it is unstyled"
