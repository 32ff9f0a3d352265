"""The page that says how many prompts are needed, and the same sentence beside prompts and scans."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from apikeys.operators import system_caller
from tests.factories import BrandFactory, PromptFactory
from tests.scans.history import ended_run
from visibility.metrics.planning import Spread, half_width
from visibility.models import DailyScore
from visibility.services.engines.configuring import add_engine
from visibility.services.scans.planning import panel_of

pytestmark = pytest.mark.django_db
OPERATOR = system_caller("test")


@pytest.fixture
def brand(cast, monkeypatch):
    """Twelve prompts on six topics and one that names the brand, asked three times, at a cent an answer."""
    monkeypatch.setenv("SOME_API_KEY", "key-of-nobody")
    for number in range(12):
        PromptFactory(brand=cast.brand, text=f"which anvil is good, number {number}?", topic=f"topic {number % 6}")
    PromptFactory(brand=cast.brand, text="is Acme good?", topic="Acme")
    add_engine(
        OPERATOR, name="own", model="m", output_price=Decimal(10), key_variable="SOME_API_KEY", enabled=True,
        provider="vllm",
    )  # fmt: skip
    return cast.brand


@pytest.fixture
def visit(client, cast):
    def go(brand, user=cast.owner, name="plan-page", **asked):
        client.force_login(user)
        response = client.get(reverse(name, kwargs={"brand_id": brand.pk}), asked)
        return response.status_code, " ".join(response.content.decode().split())

    return go


def test_what_it_takes_comes_first_with_its_money_then_what_there_is(visit, cast, brand):
    """Nothing is measured: ρ and ρ_T are assumed. 336 × 2 answers at a cent."""
    status, page = visit(brand, cast.viewer)
    assert status == 200
    assert (
        "±5 points needs about 336 topics × 1 wording × 2 samples: 672 answers a scan, about $6.72; "
        "you have 6 topics × 2 wordings × 3 samples, which gives ±42." in page
    )
    assert "Nothing is measured yet that tells how your answers differ." in page
    assert "10 points (their standard deviation) are assumed" in page
    assert "Prompts that name the brand (1) are asked besides" in page
    assert ">2,344<" in page and ">2344<" not in page, "numbers are written one way"


def test_the_goal_is_the_one_that_is_asked_for(visit, brand):
    _, page = visit(brand, margin="12", change="20")
    assert "To know the score within ±12 points" in page and "To see a change of 20 points" in page
    assert "±12 points needs about 60 topics" in page


@pytest.mark.parametrize("asked", ["0", "-3", "1e9", "nan", "many", "½"])
def test_a_goal_that_makes_no_sense_is_told_and_the_usual_one_is_shown(visit, brand, asked):
    status, page = visit(brand, margin=asked)
    assert status == 200 and "errorlist" in page
    assert "To know the score within ±5 points" in page


def test_more_than_the_plan_allows_is_never_advised_without_saying_so(visit, cast, brand):
    plan = brand.owner.plan
    plan.max_prompts_per_site, plan.credits_per_month, plan.max_samples = 50, 500, 4
    plan.save()
    _, page = visit(brand)
    assert (
        "That is more than the plan allows: 336 prompts, where it has room for 49 and 672 credits a scan, "
        "where it has 500 a month." in page
    )
    assert (
        "The most within the plan is 49 topics × 1 wording × 3 samples, which gives ±13: 147 answers a scan" in page
    )
    assert "<strong>is exceeded</strong>" in page


def test_what_was_measured_is_reckoned_with(cast, brand):
    """Asked twice, of six topics three name the brand in all their answers: topics are all the difference."""
    prompts = [prompt for prompt in brand.prompts.order_by("created_at") if "Acme" not in prompt.text]
    for _ in range(2):
        ended_run(brand, prompts, texts=["Acme.", "None.", "Acme.", "None.", "Acme.", "None."] * 2, engine="own")
    brand.samples = 2
    brand.save()
    panel = panel_of(OPERATOR, brand_id=brand.pk)
    assert panel.known.spread == Spread(pytest.approx(0.5), 1.0, 1.0)
    goal = panel.goal("score", 5.0)
    assert goal.known == "Reckoned from how your own answers differ."
    row = DailyScore.objects.get(brand=brand, competitor=None)
    assert goal.plan.reach == pytest.approx((row.high - row.low) / 2, abs=0.01)
    brand.samples = 3
    brand.save()
    planned = panel_of(OPERATOR, brand_id=brand.pk).goal("score", 5.0).plan
    assert planned.reach == pytest.approx(half_width(planned.present, Spread(0.5, 1.0, 1.0)))


def test_prompts_that_no_engine_can_be_asked_yet_are_not_called_none(visit, cast):
    for topic in "abcde":
        PromptFactory.create_batch(2, brand=cast.brand, topic=topic)
    PromptFactory(brand=cast.brand, text=f"Is {cast.brand.name} good?")
    _, page = visit(cast.brand)
    assert re.search(r"you have 5 topics × 2 wordings × \d samples?, which gives ±", page)
    assert "no prompt yet" not in page


def test_without_a_prompt_or_an_engine_there_is_still_a_plan(visit, cast):
    _, page = visit(cast.brand)
    assert (
        "±5 points needs about 336 topics × 1 wording × 2 samples: 672 answers a scan; you have no prompt yet" in page
    )


def test_it_stands_where_scans_are_started_and_is_led_to_where_prompts_are_set_up(visit, brand):
    _, page = visit(brand, name="scan-page")
    assert "±5 points needs about 336 topics" in page
    for name in ("prompts-page", "scan-page"):
        assert reverse("plan-page", kwargs={"brand_id": brand.pk}) in visit(brand, name=name)[1]


def test_strangers_find_nothing(visit, cast, brand):
    assert visit(brand, cast.stranger)[0] == 404
    assert visit(BrandFactory(), cast.owner)[0] == 404


def test_the_page_costs_the_same_for_many_prompts(client, cast, brand, django_assert_max_num_queries):
    client.force_login(cast.owner)
    address = reverse("plan-page", kwargs={"brand_id": brand.pk})
    for _ in range(2):
        with django_assert_max_num_queries(22):
            client.get(address)
        PromptFactory.create_batch(40, brand=brand)
