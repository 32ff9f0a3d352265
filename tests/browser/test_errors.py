"""What people see when something is wrong: no page, no permission, a fault of the service, a form that is refused."""

from http import HTTPStatus

import pytest
from django.template.loader import render_to_string

from tests.browser.sweeping import refusals
from tests.browser.watching import EACH_ONCE, open_tab
from tests.browser.worlds.hostile import MARKUP, TURNED, WIDE

NOWHERE = "/brands/00000000-0000-4000-8000-000000000000"
FORMS = [
    *("/prompts", "/prompts/add", "/competitors", "/people", "/settings", "/settings/delete", "/start", "/topics"),
    *("/recommendations/{recommendation_id}", "/prompts/{edited}/edit"),
]
"""Pages of a brand with something to fill in."""
TYPED = "form:has(input:not([type=hidden], [type=checkbox], [type=radio]), textarea, select)[method=post]"
FILL = """(form, text) => {
  form.noValidate = true;
  for (const field of form.querySelectorAll('input:not([type=hidden], [type=checkbox], [type=radio]), textarea')) {
    field.type = field.localName === 'input' ? 'text' : field.type;
    field.value = text;
  }
}"""


def status_shown(status):
    """The page as the service renders it when nothing else can."""
    message = {"status": HTTPStatus(status), "message": ""}
    return render_to_string("errors/error.html", message)


@pytest.mark.parametrize("path", ["/nothing-is-here", NOWHERE, f"{NOWHERE}/prompts"])
@pytest.mark.parametrize("world", ["demo", "nobody"])
def test_a_page_that_is_not_there_says_so_and_leads_back(tabs, path, world):
    tab = tabs[world]
    page = tab.go(path)
    assert page.get_by_role("link", name="Go to the start page").or_(page.get_by_label("Password")).count() == 1
    assert refusals(tab.faults_in(EACH_ONCE), 404) == []


def test_a_form_from_elsewhere_is_refused_with_a_way_back(tabs):
    tab = tabs["nobody"]
    page = tab.go("/login/")
    page.evaluate("() => document.querySelector('main [name=csrfmiddlewaretoken]').remove()")
    page.fill("input[name=username]", "demo@example.com")
    page.fill("input[name=password]", "wrong")
    page.click("main button")
    assert "nothing was changed" in page.inner_text("main")
    assert refusals(tab.faults_in(EACH_ONCE), 403) == []


@pytest.mark.parametrize("status", [400, 500, 503])
def test_a_fault_of_the_service_is_told_in_its_own_style(tabs, status):
    tab = tabs["nobody"]
    from_template = status_shown(status)
    tab.page.route("**/fault", lambda route: route.fulfill(body=from_template, content_type="text/html"))
    tab.go("/fault")
    assert tab.faults_in(EACH_ONCE) == []


def test_a_wrong_password_is_told_at_the_form(browser, served):
    tab = open_tab(browser, served.url)
    tab.sign_in("nobody@worlds.example", "wrong")
    assert tab.page.locator(".errorlist").inner_text()
    assert refusals(tab.faults_in(EACH_ONCE), 200) == []
    tab.page.context.close()


@pytest.mark.parametrize("path", FORMS)
def test_a_form_that_is_refused_says_why_and_stays_sound(tabs, worlds, path):
    """Every field holds what is hostile; in the brand of hostile texts, where it does no harm to be accepted. Its
    first steps are behind it, so those are of the brand without anything."""
    world = "bare" if path == "/start" else "hostile"
    tab, rows = tabs[world], {name: values[0] for name, values in worlds[world].items() if values}
    rows["edited"] = rows.get("edit-prompt.prompt_id", "")
    address = f"/brands/{rows['brand_id']}" + path.format_map(rows)
    refused = 0
    for number in range(tab.go(address).locator(f"main {TYPED}").count()):
        form = tab.go(address).locator(f"main {TYPED}").nth(number)
        form.evaluate(FILL, f"{WIDE}{MARKUP}{TURNED}" * 20)
        with tab.page.expect_navigation():
            form.locator("button").first.evaluate("button => button.click()")
        refused += tab.page.locator("main .errorlist, main .message.error").count()
        assert refusals(tab.faults(), 400) == [], number
        tab.troubles.clear()
    assert refused or path == "/topics"
