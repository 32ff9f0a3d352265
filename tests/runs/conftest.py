"""Brands with prompts and engines, asked of a provider that runs as a process of its own."""

import pytest

from apikeys.accounts.operators import system_caller
from brands.models import Brand
from tests.engines.provider import running_provider
from tests.factories import BrandFactory, CompetitorFactory
from visibility.models import Engine, Page
from visibility.prompts.services import PromptDraft, add_prompts

SYSTEM = system_caller("command:tests")


@pytest.fixture(autouse=True)
def key(monkeypatch):
    """The provider's key, where keys belong."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-right-key-of-the-tests")


@pytest.fixture(scope="session")
def provider():
    """The address of a provider that answers at once and without faults."""
    with running_provider() as address:
        yield address


def make_engine(name: str = "gpt", model: str = "gpt-5", address: str = "http://127.0.0.1:9", **fields) -> Engine:
    """An enabled engine that speaks OpenAI's protocol; nobody listens at the default address."""
    return Engine.objects.create(
        name=name, preset="openai", model=model, base_url=f"{address}/v1", is_enabled=True, **fields
    )


def make_brand(prompts: int = 3, samples: int = 2, **fields) -> Brand:
    """A brand with a competitor, and with prompts of one topic each."""
    brand = BrandFactory(name="Acme", samples=samples, owner__own_max_prompts_per_site=2_000, **fields)
    CompetitorFactory(brand=brand, name="Globex", domain="globex.example")
    if prompts:
        drafts = [PromptDraft(f"Which of the {number} shoes is best?") for number in range(prompts)]
        add_prompts(SYSTEM, brand_id=brand.pk, drafts=drafts)
    return brand


def add_page(brand: Brand, number: int = 1, **fields) -> Page:
    """A stored page that answers every question of `make_brand`."""
    fields = {"title": "Guide", "text": f"Acme is the best of {number} shoes and lasts.", **fields}
    return Page.objects.create(brand=brand, url=f"https://acme.example/{number}", **fields)
