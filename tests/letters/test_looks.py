"""A letter in a real browser, as mail programs show it: nothing hinders people, is cut, or is fetched."""

import base64

import pytest
from axe_playwright_python.sync_playwright import Axe

from apikeys.models import Mail
from tests.letters.conftest import MONDAY, subscribed
from tests.pages.chromium import TOO_WIDE, open_chromium
from visibility.letters.delivery import write_due_letters


def test_a_letter_is_clean_in_both_themes_and_widths(brand, letterbox, tmp_path):
    subscribed(brand.owner, brand)
    write_due_letters(MONDAY)
    mail = Mail.objects.get()
    picture = base64.b64encode(mail.images.get().content).decode()
    file = tmp_path / "letter.html"
    file.write_text(mail.html.replace("cid:chart", f"data:image/png;base64,{picture}"))
    found, asked = [], []
    with open_chromium() as browser:
        for width, theme in ((390, "light"), (390, "dark"), (640, "light"), (640, "dark")):
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
            page.on("request", lambda request: asked.append(request.url))
            page.goto(file.as_uri())
            found += [(width, theme, rule["id"]) for rule in Axe().run(page).response["violations"]]
            found += page.evaluate(TOO_WIDE)
            page.close()
    assert found == []
    assert {url.partition(":")[0] for url in asked} <= {"file", "data"}


@pytest.mark.django_db
def test_the_picture_of_a_letter_is_small(brand, letterbox):
    subscribed(brand.owner, brand)
    write_due_letters(MONDAY)
    assert len(Mail.objects.get().images.get().content) < 100_000
