"""Kryton, whose answers judge by battery and comfort, and whose site was audited."""

import pytest

from tests.evidence.making import read_answers, store_audit
from tests.recommendations.conftest import DAY, World, world  # noqa: F401 - the fixture
from visibility.audit import ParsedPage
from visibility.audit.read.pages import parse_page
from visibility.evidence.making import make_evidence
from visibility.recommendations.advise import recommend

HOME = (
    "<h1>Kryton</h1><p>Kryton builds e-bikes in Malmo. We have a workshop that everybody may visit on Saturdays.</p>"
)
BIKES = (
    "<h1>Which bikes would you buy for a long ride</h1><p>The battery of our bikes runs for 120 km in winter.</p>"
    "<p>We offer a guarantee of five years on the battery of all bikes.</p>"
)


def page(path: str, body: str) -> ParsedPage:
    """A page of the site as the audit reads it."""
    html = f"<html><head><title>Kryton</title></head><body><main>{body}</main></body></html>".encode()
    url, kind = f"https://kryton.example{path}", "text/html; charset=utf-8"
    found = parse_page(html, url=url, content_type=kind, is_home=path == "/")
    assert isinstance(found, ParsedPage)
    return found


def judging(engine: str, prompt: int, sample: int) -> str:
    """An answer that links Zentra with its battery, and names comfort."""
    return (
        "1. **Zentra City**\n   - **Battery:** Zentra has an excellent battery.\n   - **Comfort:** soft saddle.\n"
        "2. **Velmora One**\n   - **Battery life:** not much.\n   - **Comfort:** a hard ride.\n"
    )


@pytest.fixture
def advised(world: World) -> World:  # noqa: F811 - the fixture
    """With evidence, what a reader found, and recommendations."""
    world.measure(DAY, judging)
    battery = (world.brand.competitors.get(name="Zentra"), "reason", "Battery", "excellent battery")
    read_answers(
        world.brand,
        world.brand.topics.get(),
        (*battery, "Zentra has an excellent battery", 24),
        (None, "buyer", "Comfort", "soft saddle", "soft saddle", 24),
    )
    store_audit(world.brand, page("/", HOME), page("/bikes", BIKES))
    make_evidence(world.brand)
    recommend(world.brand)
    return world
