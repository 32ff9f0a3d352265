"""Hostile answers and quotes in a real browser, without the policy that would stop them: nothing runs or loads."""

from tests.pages.hostile_markdown import ALL
from tests.pages.markup import ALLOWED
from visibility.pages.present.markdown import markdown_html
from visibility.pages.present.quotes import quote_html

STRANGE = """allowed => [...document.querySelectorAll('main *')].map(element => element.localName)
  .filter(name => !allowed.includes(name))"""
HANDLERS = """() => [...document.querySelectorAll('main *')].flatMap(element => element.getAttributeNames())
  .filter(name => name.startsWith('on') || ['style', 'src', 'srcset', 'action', 'id', 'ping'].includes(name))"""
LEADS = """() => [...document.querySelectorAll('main a')].map(link => new URL(link.href).protocol)
  .filter(protocol => !['http:', 'https:'].includes(protocol))"""
TOUCHED = """() => document.querySelectorAll('main *').forEach(element => {
  for (const event of ['mouseover', 'focus', 'toggle', 'load', 'error', 'animationstart'])
    element.dispatchEvent(new Event(event));
})"""


def test_nothing_runs_and_nothing_loads(browser):
    page = browser.new_page()
    troubles = []
    page.on("dialog", lambda dialog: (troubles.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: troubles.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda line: troubles.append(line.text))
    shown = "".join(f"<section>{markdown_html(text[:5000])}</section>{quote_html(text)}" for text in ALL)
    page.set_content(f"<!doctype html><title>x</title><main>{shown}</main>")
    page.evaluate(TOUCHED)
    assert page.evaluate("document.querySelectorAll('main > section').length") == len(ALL)
    assert page.evaluate(STRANGE, [*ALLOWED, "section"]) == []
    assert page.evaluate(HANDLERS) == []
    assert page.evaluate(LEADS) == []
    assert page.title() == "x" and page.url == "about:blank"
    assert troubles == []
    page.close()
