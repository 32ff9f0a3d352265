"""Charts in a real browser: each day can be pointed at and reached, and nothing of them sticks out."""


def test_a_day_tells_of_itself_by_keyboard_and_pointer_and_leads_on(tab, served):
    page = tab.go(served.brand + "/trend")
    day = page.locator("svg.chart >> visible=true").first.locator("a.day").nth(3)
    told = day.locator(".tells text").first
    assert told.evaluate("text => getComputedStyle(text).visibility") == "hidden"
    day.focus()
    assert told.evaluate("text => getComputedStyle(text).visibility") == "visible"
    page.locator("h1").hover()
    day.blur()
    day.locator(".column").hover()
    assert told.evaluate("text => getComputedStyle(text).visibility") == "visible"
    latest = page.locator("svg.chart >> visible=true").first.locator(".told")
    assert latest.evaluate("group => getComputedStyle(group).visibility") == "hidden", "one text at a time"
    day.locator(".column").click()
    page.wait_for_url("**/days/*")
    tab.assert_sound()


def test_rivals_are_switched_on_without_script(tab, served):
    page = tab.go(served.brand + "/trend")
    page.locator("form.beside-it summary").click()
    page.locator("input[name=rival]").first.check()
    page.locator("form.beside-it button").click()
    assert page.locator("svg.chart:not(.key) .rival.r1 >> visible=true").count() == 1
    tab.assert_sound()
