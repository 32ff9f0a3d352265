"""Engines as rows: what operators may write, who is asked through which, and what stays out of reach."""

from decimal import Decimal

import pytest

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.operators import system_caller
from tests.factories import PromptFactory
from visibility.engines.presets import PRESETS
from visibility.models import Answer, BrandEngine, EngineConfig, Page, Run
from visibility.pipeline.ask.engines import engines_of, spec_of
from visibility.services.engines.configuring import add_engine, choose_engines, edit_engine, remove_engine
from visibility.services.scans.starting import start_scan

OPERATOR = system_caller("test")
PLAIN = {"name": "gpt", "provider": "openai", "model": "gpt-5.2", "key_variable": "OPENAI_API_KEY"}


@pytest.fixture
def keys(monkeypatch):
    """The keys of all providers, as the environment holds them."""
    for preset in PRESETS.values():
        if preset.key_variable:
            monkeypatch.setenv(preset.key_variable, f"key-of-{preset.key_variable}")


def add(**changes):
    return add_engine(OPERATOR, **{**PLAIN, "enabled": True, **changes})


def names(brand):
    return [engine.name for engine in engines_of(brand)]


@pytest.mark.django_db
@pytest.mark.parametrize("provider", PRESETS)
def test_each_provider_can_be_configured_with_its_defaults(provider):
    config = add(name=f"my-{provider}", provider=provider, key_variable=PRESETS[provider].key_variable)
    spec = spec_of(config)
    assert (spec.preset, spec.address, spec.search) == (provider, PRESETS[provider].base_url, False)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "local-search"),
        ("name", "Upper"),
        ("name", "with space"),
        ("name", "-edge"),
        ("name", ""),
        ("name", "a" * 65),
        ("provider", "other"),
        ("model", ""),
        ("model", "two\0"),
        ("base_url", "ftp://files.example"),
        ("base_url", "https://"),
        ("base_url", "https://me:secret@api.example/v1"),
        ("base_url", "https://api.example/v1?key=secret"),
        ("base_url", "http://api.example/v1"),
        ("base_url", "https://[broken/v1"),
        ("base_url", "https://api.example:port"),
        ("key_variable", ""),
        ("key_variable", "sk-live-4711"),
        ("key_variable", "openai_api_key"),
        ("key_variable", "SECRET_KEY"),
        ("key_variable", "DATABASE_URL"),
        ("locale_handling", "shout"),
        ("max_output_tokens", 0),
        ("max_output_tokens", "many"),
        ("max_searches", -1),
        ("concurrency", 0),
        ("concurrency", None),
        ("requests_per_minute", 0),
        ("max_samples", 101),
        ("input_price", Decimal("-1")),
        ("output_price", Decimal("NaN")),
        ("search_price", "dear"),
        ("api_key", "sk-live-4711"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_name(field, value):
    with pytest.raises(ServiceError) as refused:
        add(**{field: value})
    assert refused.value.code == ErrorCode.INVALID_ARGUMENTS
    assert refused.value.details["argument"] == field
    assert not EngineConfig.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_a_key_goes_over_plain_http_to_this_machine(host):
    assert add(provider="vllm", base_url=f"http://{host}/v1/", key_variable="VLLM_API_KEY").base_url.endswith("/v1")


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "192.168.1.7", "[fd12::7]", "gpu", "gpu.internal"])
def test_a_server_of_ones_own_network_takes_no_key_over_plain_http(host):
    with pytest.raises(ServiceError, match="to this machine alone"):
        add(provider="vllm", base_url=f"http://{host}/v1", key_variable="VLLM_API_KEY")
    assert add(name="plain", provider="vllm", base_url=f"http://{host}/v1", key_variable="").pk
    assert add(name="tls", provider="vllm", base_url=f"https://{host}/v1", key_variable="VLLM_API_KEY").pk


@pytest.mark.django_db
@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "169.254.0.1:8000",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "0.0.0.0",
        "[::]",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "metadata.google.internal",
        "METADATA.google.internal.",
        "metadata.goog",
    ],
)
def test_no_engine_is_where_clouds_keep_their_secrets(host):
    for scheme in ("http", "https"):
        with pytest.raises(ServiceError) as refused:
            add(provider="vllm", base_url=f"{scheme}://{host}/latest", key_variable="")
        assert refused.value.details["argument"] == "base_url"


@pytest.mark.django_db
@pytest.mark.parametrize("provider", ["mistral", "ollama", "vllm", "llamacpp"])
def test_search_is_refused_where_there_is_none(provider):
    with pytest.raises(ServiceError, match="does not search"):
        add(provider=provider, key_variable=PRESETS[provider].key_variable, search=True)


@pytest.mark.django_db
def test_only_operators_configure(cast):
    config = add()
    for caller in (Caller.from_user(cast.owner), Caller.from_user(cast.stranger)):
        for act in (
            lambda: add_engine(caller, **PLAIN),  # noqa: B023
            lambda: edit_engine(caller, engine=config, model="x"),  # noqa: B023
            lambda: remove_engine(caller, engine=config),  # noqa: B023
        ):
            with pytest.raises(ServiceError) as refused:
                act()
            assert refused.value.code == ErrorCode.NOT_AVAILABLE


@pytest.mark.django_db
def test_a_name_is_given_once_and_kept():
    config = add()
    with pytest.raises(ServiceError) as taken:
        add()
    with pytest.raises(ServiceError) as renamed:
        edit_engine(OPERATOR, engine=config, name="other")
    assert (taken.value.code, renamed.value.details["argument"]) == (ErrorCode.CONFLICT, "name")


@pytest.mark.django_db
def test_a_change_is_checked_with_what_stays():
    config = edit_engine(OPERATOR, engine=add(search=True), model="gpt-6", max_samples=2)
    assert (config.model, config.max_samples, config.search) == ("gpt-6", 2, True)
    with pytest.raises(ServiceError, match="does not search"):
        edit_engine(OPERATOR, engine=config, provider="mistral")


@pytest.mark.django_db
def test_prices_given_in_part_count_the_rest_as_nothing():
    assert spec_of(add(name="a")).prices is None
    prices = spec_of(add(name="b", output_price=Decimal("8.5"))).prices
    assert (prices.input_million, prices.output_million, prices.thousand_searches) == (0, Decimal("8.5"), 0)


def test_a_brand_has_the_enabled_engines_whose_key_is_there(cast, keys, monkeypatch):
    add(name="on")
    add(name="off", enabled=False)
    add(name="keyless", key_variable="NOBODY_SET_API_KEY")
    add(name="blank", key_variable="BLANK_API_KEY")
    add(name="local", provider="ollama", key_variable="")
    monkeypatch.setenv("BLANK_API_KEY", "  ")
    assert names(cast.brand) == ["local", "on"]


def test_stored_pages_stay_beside_configured_engines(cast, keys):
    Page.objects.create(brand=cast.brand, url="https://acme.example/", title="Acme", text="Acme makes shoes.")
    add()
    assert names(cast.brand) == ["local-search", "gpt"]


def test_a_brand_chooses_among_the_enabled(cast, keys):
    add(name="one"), add(name="two"), add(name="three", enabled=False)
    editor = Caller.from_user(cast.editor)
    choose_engines(editor, brand_id=cast.brand.pk, names=["two"])
    assert names(cast.brand) == ["two"]
    with pytest.raises(ServiceError, match=r"No engine is named three\. Choose among one, two\."):
        choose_engines(editor, brand_id=cast.brand.pk, names=["two", "three"])
    assert names(cast.brand) == ["two"]
    choose_engines(editor, brand_id=cast.brand.pk, names=[])
    assert names(cast.brand) == ["one", "two"]


def test_a_choice_that_was_switched_off_is_not_replaced_by_others(cast, keys):
    chosen = add(name="one")
    add(name="two")
    choose_engines(OPERATOR, brand_id=cast.brand.pk, names=["one"])
    edit_engine(OPERATOR, engine=chosen, enabled=False)
    assert names(cast.brand) == []
    PromptFactory(brand=cast.brand)
    with pytest.raises(ServiceError) as refused:
        start_scan(OPERATOR, brand_id=cast.brand.pk, trigger=Run.Trigger.OPERATOR)
    assert refused.value.code == ErrorCode.NO_ENGINE_CONFIGURED


@pytest.mark.parametrize(
    ("person", "code"), [("viewer", ErrorCode.READ_ONLY_COLLABORATOR), ("stranger", ErrorCode.NOT_FOUND)]
)
def test_who_may_not_change_a_brand_does_not_choose(cast, person, code):
    add()
    with pytest.raises(ServiceError) as refused:
        choose_engines(Caller.from_user(getattr(cast, person)), brand_id=cast.brand.pk, names=["gpt"])
    assert refused.value.code == code
    assert not BrandEngine.objects.exists()


def test_an_engine_is_asked_no_more_often_than_it_may_be(cast, keys):
    add(name="dear", max_samples=1)
    add(name="cheap")
    for number in range(3):
        PromptFactory(brand=cast.brand, text=f"which shoe number {number}?")
    started = start_scan(OPERATOR, brand_id=cast.brand.pk, trigger=Run.Trigger.OPERATOR, samples=3)
    planned = Answer.objects.filter(run=started.run)
    assert (planned.filter(engine="dear").count(), planned.filter(engine="cheap").count()) == (3, 9)
    assert (started.run.total, started.credits_spent) == (12, 12)
    assert set(planned.filter(engine="dear").values_list("sample", flat=True)) == {1}
    assert sorted(planned.values_list("position", flat=True)) == list(range(12))


def test_an_engine_that_is_removed_leaves_its_answers(cast, keys):
    config = add()
    prompt = PromptFactory(brand=cast.brand)
    run = start_scan(OPERATOR, brand_id=cast.brand.pk, trigger=Run.Trigger.OPERATOR, samples=1).run
    remove_engine(OPERATOR, engine=config)
    assert Answer.objects.filter(run=run, engine="gpt", prompt=prompt).exists()
    assert names(cast.brand) == []


def test_an_engine_that_a_brand_has_chosen_is_not_removed(cast, keys):
    config = add()
    add(name="other")
    choose_engines(OPERATOR, brand_id=cast.brand.pk, names=["gpt"])
    with pytest.raises(ServiceError, match="1 brand has chosen this engine"):
        remove_engine(OPERATOR, engine=config)
    assert names(cast.brand) == ["gpt"]
