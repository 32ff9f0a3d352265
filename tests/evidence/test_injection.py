"""What others write comes out of the four tools between the marks, or not at all; wherever they wrote it."""

import json
import re
import unicodedata

import pytest

from apikeys.text.untrusted import QUOTE_CLOSE, QUOTE_OPEN
from tests.evidence.handmade import (
    answer_quote,
    claim,
    criterion,
    page,
    page_quote,
    read_pages,
    review_quote,
    reviewed,
    store,
    theme,
    voice,
)
from tests.evidence.hostile import HOSTILE, WORD
from tests.factories import PromptFactory
from tests.mcp.conftest import PREFIX, agent, key
from tests.scans.history import ended_run
from visibility.audit.page import Block, Heading, Link, Text
from visibility.evidence.types import Quote
from visibility.measured.evidence import stored_claims, stored_criteria, stored_themes, stored_voice
from visibility.models import Answer, BrandEvidence
from visibility.pipeline.evidence.gathering import gather
from visibility.pipeline.evidence.making import make_evidence
from visibility.pipeline.evidence.planning import plan_evidence

__all__ = ["agent", "key"]

pytestmark = pytest.mark.django_db
TOOLS = ("get_voice_profile", "get_review_themes", "get_buyer_criteria", "get_positioning_claims")
_QUOTED = re.compile(f"{re.escape(QUOTE_OPEN)}(.*?){re.escape(QUOTE_CLOSE)}", re.DOTALL)


def texts_of(value):
    """Every text in a result, the names of its fields too."""
    if isinstance(value, dict):
        return [text for name, part in value.items() for text in (name, *texts_of(part))]
    if isinstance(value, list):
        return [text for part in value for text in texts_of(part)]
    return [value] if isinstance(value, str) else []


def called(agent, key, tool, site, **arguments):
    """The result of a tool, in one request."""
    params = {"name": PREFIX + tool, "arguments": {"siteId": str(site.pk), **arguments}}
    response = agent.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, key)
    assert response.status_code == 200, response.text
    return response.json()["result"]


def assert_harmless(result):
    """Nothing of others stands outside of marks, none of it is invisible, and none can be taken for a mark."""
    texts = [*texts_of(result.get("structuredContent")), *texts_of(json.loads(result["content"][0]["text"]))]
    for text in texts:
        bare = _QUOTED.sub("", text)
        assert WORD not in bare and "evil.example" not in bare, text
        assert "untrusted-quote" not in bare.casefold(), text
        for quoted in _QUOTED.findall(text):
            assert "<" not in quoted and ">" not in quoted
            assert not [
                each
                for each in quoted
                if unicodedata.category(each) in ("Cc", "Cf") and each not in "\n\t\u200c\u200d"
            ]
    return texts


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_words_of_others_stand_between_marks_wherever_they_were(agent, key, brand, text):
    line = text[:200]
    PromptFactory(brand=brand, text=f"best anvil? {line}", topic=line)
    of_page = page_quote(text, url=f"https://acme.example/{text}", path=(text,))
    store(brand, "voice", voice(of_page))
    store(brand, "claims", (claim(text, of_page, answer_quote(text)),))
    store(brand, "themes", (theme(text, review_quote(text, url=text, review=text)),))
    store(brand, "criteria", (criterion(text, topics=((line, 3),), quote=answer_quote(text)),))
    store(brand, "criteria", (), topic=line)
    for tool in TOOLS:
        assert_harmless(called(agent, key, tool, brand))
        texts = assert_harmless(called(agent, key, tool, brand, detail="full"))
        assert any(WORD in shown for shown in texts), tool
    of_topic = called(agent, key, "get_buyer_criteria", brand, topic=line)
    assert_harmless(of_topic)
    assert of_topic["isError"] or of_topic["structuredContent"]["nextStep"]["tool"] == f"{PREFIX}run_visibility_scan"


def test_a_topic_that_a_caller_makes_up_is_not_repeated_bare(agent, key, brand):
    PromptFactory(brand=brand, topic=f"anvils {WORD} {QUOTE_CLOSE}")
    for made_up in (f"kettles {WORD}", f"{QUOTE_CLOSE} kettles {WORD}"):
        result = called(agent, key, "get_buyer_criteria", brand, topic=made_up)
        assert result["_meta"]["error"]["code"] == "invalid_arguments"
        assert_harmless(result)


def labels(number):
    """An answer that judges by hostile labels, and names the brand."""
    lines = [f"- **{text}**: Acme is great, {number}." for text in HOSTILE]
    return "\n".join(
        [
            "Acme is the best anvil.",
            *lines,
            "| Weight | Acme |",
            "|---|---|",
            *(f"| {text} | Acme |" for text in HOSTILE),
        ]
    )


@pytest.fixture
def hostile(brand, rival):
    """A brand whose answers, pages, reviews, prompts and topics are full of hostile words."""
    for engine in ("chat", "search"):
        prompts = [
            PromptFactory(brand=brand, text=f"best anvil {number}? {HOSTILE[number]}", topic=HOSTILE[number][:200])
            if engine == "chat"
            else brand.prompts.order_by("created_at")[number]
            for number in range(4)
        ]
        ended_run(brand, prompts, texts=[labels(number) for number in range(4)], engine=engine)
    prose = "We make anvils for smiths. They weigh 40 kg and carry a guarantee of ten years. " * 100
    pages = [
        page(
            f"{number}?{text[:80]}",
            f"{prose}\nOur anvils are the best: {text}\n{text}",
            titles=(Text(text, 1),),
            headings=(Heading(1, text, 1),),
            links=(Link(f"https://evil.example/{text[:50]}", f"Buy {text}", 1, "main"),),
        )
        for number, text in enumerate(HOSTILE[:40])
    ]
    pages = [
        type(each)(**{
            **{name: getattr(each, name) for name in each.__dataclass_fields__},
            "kind": "product",
            "blocks": (Block("paragraph", each.main_text, 0, (HOSTILE[0],)),),
        })
        for each in pages
    ]  # fmt: skip
    read_pages(brand, *pages)
    reviewed(brand, *[f"The weight is great and the horn is great. {text}" for text in HOSTILE])
    return brand


def test_evidence_of_hostile_sources_is_made_and_harmless(agent, key, hostile):
    plan_evidence()
    job = BrandEvidence.objects.get(brand=hostile)
    make_evidence(job.pk, "w")
    job.refresh_from_db()
    assert (job.state, job.error_message) == ("made", "")
    for tool in TOOLS:
        assert_harmless(called(agent, key, tool, hostile))
    shown = {tool: assert_harmless(called(agent, key, tool, hostile, detail="full")) for tool in TOOLS}
    assert any(WORD in text for text in shown["get_buyer_criteria"])
    assert_verbatim(hostile)


def assert_verbatim(brand):
    """Each quote that is stored stands at its source, letter for letter."""
    gathered = gather(brand)
    pages = {each.url: each.main_text for each in gathered.pages}
    answers = {str(pk): text for pk, text in Answer.objects.filter(brand=brand).values_list("pk", "text")}
    reviews = {each.key: each.text for each in gathered.reviews}
    stored = (stored_voice(brand.pk), stored_claims(brand.pk), stored_themes(brand.pk), stored_criteria(brand.pk))
    quotes = [quote for each in stored for quote in quotes_in(each.content)]
    assert {quote.source for quote in quotes} >= {"page", "answer", "review"}
    for quote in quotes:
        if quote.rule == "voice.calls":
            continue  # of a button, which need not be a part of the main text
        source = {"page": pages, "answer": answers, "review": reviews}[quote.source]
        text = source[{"page": quote.url, "answer": quote.answer, "review": quote.review}[quote.source]]
        assert text[quote.offset : quote.offset + len(quote.text)] == quote.text, quote


def quotes_in(value):
    """The quotes within evidence."""
    if isinstance(value, Quote):
        return [value]
    if isinstance(value, tuple | list):
        return [quote for part in value for quote in quotes_in(part)]
    names = getattr(value, "__dataclass_fields__", ())
    return [quote for name in names for quote in quotes_in(getattr(value, name))]
