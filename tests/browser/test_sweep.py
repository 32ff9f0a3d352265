"""Every page that the URL configuration has, in a brand of the demo, in one without anything and in one of hostile
texts: nothing on it is wrong, in both themes, on a desk, on a phone and on paper."""

import pytest

from tests.browser.sweeping import WORLDS_OF, is_page, paths
from tests.browser.watching import EACH_ONCE, WAYS, open_tab
from tests.pages.isolation.addresses import all_addresses
from tests.pages.isolation.rules import Door, door_of

ADDRESSES = [address for address in all_addresses() if is_page(address)]
OF_A_BRAND = [address for address in ADDRESSES if door_of(address) is Door.BRAND]
EXAMPLES = "tests/browser/worlds/making.py"
LOOKING_SENDS = ("/leave", "/logout/")
"""The ends of addresses to which people send something who change nothing."""
SENT_TO = "() => [...document.querySelectorAll('form[method=post]')].map(form => form.action)"


def is_html(answer):
    """Whether a page came, neither a file nor a way to somewhere else."""
    return answer.status == 200 and answer.headers["content-type"].startswith("text/html")


def looked_at(tab, path, ways):
    """The faults of the page at the address; None where nothing is there."""
    answer = tab.page.context.request.get(tab.url + path, max_redirects=0)
    if answer.status >= 500:
        return [f"status {answer.status}"]
    if not is_html(answer):
        return None if answer.status == 404 else []
    tab.go(path)
    return tab.faults_in(ways)


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
def test_every_page_is_sound_in_every_world(address, worlds, tabs):
    outcomes = {}
    for world in WORLDS_OF[door_of(address)]:
        for path in paths(address, worlds[world]):
            outcomes[world, path] = looked_at(tabs[world], path, WAYS if world == "demo" else EACH_ONCE)
    assert any(faults is not None for faults in outcomes.values()), f"no example of {EXAMPLES} leads to {address}"
    wrong = [f"{world} {path}: {fault}" for (world, path), faults in outcomes.items() for fault in faults or ()]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ["viewer", "looker"])
def test_who_only_looks_has_sound_pages_without_anything_to_send(role, browser, served, worlds, people):
    """A viewer of the brand on a phone in the dark, and staff who may look at all brands at a desk."""
    scheme, width = {"viewer": ("dark", 390), "looker": ("light", 1280)}[role]
    tab = open_tab(browser, served.url, scheme=scheme, width=width)
    tab.sign_in(*people[role])
    wrong, count = [], 0
    for address in OF_A_BRAND:
        path = next(iter(paths(address, worlds["demo"])), None)
        if path is None or not is_html(tab.page.context.request.get(tab.url + path, max_redirects=0)):
            continue
        count += 1
        tab.go(path)
        sent = [action for action in tab.page.evaluate(SENT_TO) if not action.endswith(LOOKING_SENDS)]
        wrong += [f"{path}: {fault}" for fault in [*tab.faults(), *(f"sends to {action}" for action in sent)]]
        tab.troubles.clear()
    tab.page.context.close()
    assert count > 20
    assert not wrong, "\n".join(wrong)
