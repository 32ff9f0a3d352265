"""An answer is read: of which engine and run, whom it names, its raw text, its sources and what they are."""

from tests.browser.acting import open_brand


def test_an_answer_is_read_down_to_its_sources(desk):
    page = open_brand(desk, "Norrvik Cycles", "Prompts")
    page.get_by_role("link", name="Which e-bike climbs steep hills best?", exact=True).click()
    page.get_by_label("Engine", exact=True).select_option(index=1)
    page.get_by_label("Run", exact=True).select_option(index=3)
    run = page.get_by_label("Run", exact=True).locator("option:checked").inner_text()
    engine = page.get_by_label("Engine", exact=True).locator("option:checked").inner_text()
    page.locator("form.choose").get_by_role("button", name="Show").click()
    answer = page.locator(".answer")
    assert answer.count() == 1
    assert answer.locator("h3").inner_text() == engine
    assert run in answer.locator("header").inner_text()
    own, rival = answer.locator("mark.own").first, answer.locator("mark.rival").first
    assert "Norrvik" in own.inner_text() and rival.inner_text() != own.inner_text()
    line = "mark => getComputedStyle(mark).borderBottomStyle"
    assert (own.evaluate(line), rival.evaluate(line)) == ("solid", "dotted"), "told apart without colours"
    named = own.inner_text()
    desk.assert_sound()

    answer.get_by_role("link", name="Raw text").click()
    raw = page.locator("pre.prompt").inner_text()
    assert named in raw and "[1]" in raw
    page.get_by_role("link", name="As it is read").click()
    source = page.locator(".sources li").first
    site, kind = source.locator("a.cite bdi").inner_text(), source.locator("a.cite span").inner_text()
    assert site.endswith(".example") and kind in {"own page", "competitor", "other", "reviews", "news", "community"}
    desk.assert_sound()
    source.locator("a.cite").click()
    assert page.locator("h1").inner_text() == site
    assert "Answers that cite it" in page.get_by_role("main").inner_text()
    desk.assert_sound()
