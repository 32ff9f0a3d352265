"""What customers say of five shops is read, and proves a limit that answers hold against the brand, and a brief."""

import io
import json
import re
from html import unescape

import pytest

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from tests.evidence.exports import EXPORTS
from tests.evidence.making import store_audit
from tests.recommendations.conftest import DAY, World, world  # noqa: F401 - the fixture
from visibility.content.services import prepare_draft
from visibility.evidence.services import import_reviews
from visibility.models import Review
from visibility.reading.passages import Source
from visibility.reading.services import take_in
from visibility.reading.task import printed_task
from visibility.recommendations.advise import recommend
from visibility.recommendations.cards import show

JAMS = re.compile("The zipper jams|Der Reißverschluss klemmt")


def reply_to(prompt: str) -> str:
    """What an assistant returns that finds the jamming zipper, given the printed prompt alone."""
    batch = re.search(r'batch is "(\w+)"', prompt)[1]
    texts = re.findall(r"^([ar]\d+): <untrusted-quote>(.*?)</untrusted-quote>", prompt, re.DOTALL | re.MULTILINE)
    found = [(key, JAMS.search(unescape(text))) for key, text in texts]
    heading = {"id": "h1", "subject": "Kryton", "facet": "limit", "heading": "zipper jams"}
    rows = [{"answer": key, "heading": "h1", "quote": match[0]} for key, match in found if match]
    return json.dumps({"batch": batch, "headings": [heading], "rows": rows})


@pytest.fixture
def read(world: World) -> World:  # noqa: F811 - the fixture
    """Five exports are imported, and answers and reviews are read by somebody who has the prompts alone."""
    world.answer(DAY, lambda *place: "1. **Zentra**: a fine bike.\n\nKryton is light. The zipper jams.")
    store_audit(world.brand)
    for text, _ in EXPORTS.values():
        import_reviews(system_caller("command:tests"), brand_id=world.brand.pk, file=io.StringIO(text))
    source, caller = Source(world.brand), Caller.from_user(world.owner)
    for topic in source.topics():
        text = reply_to(printed_task(source.material(topic)))
        taken = take_in(caller, brand_id=world.brand.pk, topic=topic and topic.pk, text=text)
        assert taken.checked.kept and not taken.checked.refused
    recommend(world.brand)
    return world


def test_reviews_of_five_shops_prove_what_answers_hold_against_the_brand(read):
    assert Review.objects.filter(brand=read.brand).count() == 10
    card = show(read.one("limit"), read.brand)
    assert card.title == "Answers hold against you: zipper jams"
    assert card.why == "Of your 10 reviews 5 say the same: it is true for these customers."
    quotes = {piece["text"] for piece in read.one("limit").evidence if piece["kind"] == "review"}
    assert "The zipper jams" in quotes


def test_a_brief_has_the_customers_words(read):
    row = read.one("limit")
    caller = Caller.from_user(read.owner)
    draft = prepare_draft(caller, brand_id=read.brand.pk, opportunity_id=f"recommendation:{row.pk}")()
    assert "C1 “The zipper jams” (zipper jams, 5 of 10 reviews)" in draft.markdown
