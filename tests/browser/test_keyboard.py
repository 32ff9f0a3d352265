"""The pages by keyboard alone: a way past what is on each page, a focus that one sees, in the order of reading; at
rest for who wants nothing to move."""

import pytest

from tests.browser.watching import open_tab

PAGES = ["", "/recommendations", "/prompts", "/competitors", "/settings", "/runs", "/trend", "/prompts/add"]
STOPS = """() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
  return [...all].filter(one => one.tabIndex >= 0 && !['hidden', 'radio'].includes(one.type) && !one.disabled
    && one.checkVisibility()).length;
}"""
FOCUSED = """() => {
  const one = document.activeElement, last = window.lastFocused;
  window.lastFocused = one;
  const style = getComputedStyle(one), dot = one.querySelector && one.querySelector('.dot');
  const box = one.getBoundingClientRect();
  return {
    what: one.outerHTML.slice(0, 120), isBody: one === document.body,
    isSeen: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)
      || (dot && parseFloat(getComputedStyle(dot).strokeWidth) >= 3),
    isInside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    isNext: !last || last === document.body || Boolean(last.compareDocumentPosition(one) & 4),
  };
}"""
MOVING = """() => [...document.querySelectorAll('*')].filter(one => {
  const style = getComputedStyle(one);
  return style.animationName !== 'none' || style.transitionDuration.split(',').some(time => parseFloat(time) > 0.01)
    || style.scrollBehavior === 'smooth';
}).map(one => one.outerHTML.slice(0, 120)).slice(0, 5)"""


def test_the_first_stop_leads_past_the_head_of_the_page(desk, served):
    page = desk.go(served.brand + "/prompts")
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    assert skip.evaluate("link => link === document.activeElement")
    box = skip.bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0, "it is seen while it has the focus"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("() => Boolean(document.activeElement.closest('main'))")


@pytest.mark.parametrize("path", PAGES)
def test_every_stop_is_seen_and_comes_in_the_order_of_reading(desk, served, path):
    page = desk.go(served.brand + path)
    wrong, passed = [], 0
    for _ in range(page.evaluate(STOPS) + 20):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop["isBody"]:
            break
        passed += 1
        wrong += [f"{name}: {stop['what']}" for name in ("isSeen", "isInside", "isNext") if not stop[name]]
    assert not wrong, "\n".join(wrong[:10])
    assert passed >= page.evaluate(STOPS), "something is passed over"


def test_nothing_moves_for_who_wants_it_at_rest(browser, served):
    tab = open_tab(browser, served.url)
    tab.page.emulate_media(reduced_motion="reduce")
    tab.sign_in(*served.owner)
    for path in (served.brand, served.brand + "/runs", "/api/v1/docs"):
        page = tab.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(MOVING) == [], path
    tab.page.context.close()
