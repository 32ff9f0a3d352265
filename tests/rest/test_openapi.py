"""The description: equal to the routes in both directions, valid, complete, and true."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic.json_schema import model_json_schema
from rest_framework.viewsets import ViewSet

from apikeys.edge.openapi import Error, _built, description
from apikeys.errors import ErrorCode
from tests.factories import DailyScoreFactory, DiagnosisFactory, RecommendationFactory, RunEngineFactory, RunFactory
from tests.rest.routes import routes
from visibility.api import views
from visibility.api.urls import router
from visibility.overview.resources import BrandDetail, BrandList
from visibility.recommendations.resources import Recommendations
from visibility.runs.resources import Runs
from visibility.scores.resources import Trend

NOT_DESCRIBED = {"/api/v1/openapi.json", "/api/v1/docs"}
ADDRESSES = ("/openapi.json", "/api/v1/openapi.json")
ERRORS_BY_STATUS = {
    400: {"invalid_parameter", "bad_request"},
    401: {"missing_bearer_token", "invalid_api_key"},
    403: {"tier_disallows_api", "insufficient_scope"},
    404: {"not_found"},
    405: {"method_not_allowed"},
    406: {"not_acceptable"},
    412: {"precondition_failed"},
    429: {"rate_limited"},
    500: {"internal_error"},
    503: {"unavailable"},
}
OWN_HEADERS = {
    "200": {"Content-Encoding"},
    "401": {"WWW-Authenticate"},
    "405": {"Allow"},
    "429": {"Retry-After"},
    "503": {"Retry-After"},
}


@pytest.fixture(scope="module")
def document():
    return json.loads(description())


def operations(document):
    return {path: item["get"] for path, item in document["paths"].items()}


def content_of(operation, status=200):
    return operation["responses"][str(status)]["content"]["application/json"]


def check(document, schema, value):
    Draft202012Validator({**schema, "components": document["components"]}).validate(value)


def test_the_same_bytes_at_both_addresses_without_a_key(rest, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        first, second = (rest.call("GET", address) for address in ADDRESSES)
    assert first.content == second.content
    assert first.headers["ETag"] == second.headers["ETag"]
    assert first.headers["Content-Type"] == "application/json"
    for address in ADDRESSES:
        assert rest.call("GET", address, If_None_Match=first.headers["ETag"]).status_code == 304
        assert rest.call("HEAD", address).headers["ETag"] == first.headers["ETag"]


def test_it_is_valid_openapi_3_1(document):
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"
    OpenAPIV31SpecValidator(document).validate()


def test_routes_and_description_are_the_same_in_both_directions(document):
    implemented = {route for route in routes() if route.startswith("/api/")}
    assert implemented >= NOT_DESCRIBED  # an exception that is gone must leave this list
    assert set(document["paths"]) == implemented - NOT_DESCRIBED
    actions = {}
    for url in router.urls:
        assert issubclass(url.callback.cls, ViewSet)
        address = "/api/v1/" + re.sub(r"<str:(\w+)>", r"{\1}", url.pattern._route)
        actions[address] = {name for name in url.callback.actions if name != "head"}
    assert actions == {address: set(item) for address, item in document["paths"].items()}


def test_each_operation_declares_the_bearer_scheme_and_its_scope(document):
    scheme = document["components"]["securitySchemes"]["apiKey"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    for operation in operations(document).values():
        assert operation["security"] == [{"apiKey": []}]
        assert re.fullmatch(r"Needs the scope `read:\w+`\.", operation["description"])


def test_each_operation_declares_every_error_with_a_true_example(document):
    for address, operation in operations(document).items():
        statuses = set(ERRORS_BY_STATUS) - (set() if "{id}" in address else {404})
        assert set(operation["responses"]) == {"200", "304", *map(str, statuses)}
        for status in statuses:
            content = content_of(operation, status)
            values = [example["value"] for example in content["examples"].values()]
            assert {value["error"] for value in values} == ERRORS_BY_STATUS[status]
            assert all(ErrorCode(value["error"]).status == status for value in values)
            for value in values:
                check(document, content["schema"], value)


def test_each_operation_declares_its_headers(document):
    common = {"X-Request-ID", "Cache-Control", "Vary", "ETag", "RateLimit", "RateLimit-Policy"}
    for operation in operations(document).values():
        for status, response in operation["responses"].items():
            assert set(response["headers"]) == common | OWN_HEADERS.get(status, set()), status
            assert all(header["schema"]["examples"] for header in response["headers"].values())


def test_parameters_are_those_that_are_read_each_with_an_example(document):
    found = {
        address: {parameter["name"] for parameter in operation["parameters"] if parameter["in"] != "header"}
        for address, operation in operations(document).items()
    }
    assert found == {
        "/api/v1/brands": set(),
        "/api/v1/brands/{id}": {"id"},
        "/api/v1/brands/{id}/visibility": {"id", "from", "to"},
        "/api/v1/brands/{id}/recommendations": {"id", "status"},
        "/api/v1/brands/{id}/runs": {"id"},
    }
    for operation in operations(document).values():
        for parameter in operation["parameters"]:
            assert parameter["description"]
            assert parameter.get("examples") or parameter["schema"].get("examples"), parameter["name"]


def test_what_is_answered_has_the_form_that_is_described_and_that_the_examples_show(rest, cast, key, document):
    run = RunEngineFactory(run=RunFactory(brand=cast.brand)).run
    failed = RunFactory(brand=cast.brand, status="failed", error_code="x", error_message="y", score=None)
    DailyScoreFactory(brand=cast.brand, runs=[run.pk])
    DailyScoreFactory(brand=cast.brand, score=None, low=None, high=None, figures={}, change=None, comparable=None)
    RecommendationFactory(brand=cast.brand, first_seen_run=run, last_seen_run=failed)
    DiagnosisFactory(brand=cast.brand)
    for address, operation in operations(document).items():
        content = content_of(operation)
        whole = "?from=0" if address.endswith("/visibility") else ""
        body = rest.call("GET", address.replace("{id}", str(cast.brand.pk)) + whole, key).json()
        check(document, content["schema"], body)
        [example] = content["examples"].values()
        check(document, content["schema"], example["value"])
        assert places(body) <= places(example["value"]) | {".runs[].error.code", ".runs[].error.message"}
        assert places(example["value"]) <= places(body)


def places(value, at=""):
    """The places in a JSON value, such as `.trend[].date`."""
    if isinstance(value, dict):
        return {place for name, item in value.items() for place in {f"{at}.{name}"} | places(item, f"{at}.{name}")}
    if isinstance(value, list):
        return {place for item in value for place in places(item, f"{at}[]")}
    return set()


def test_every_refusal_has_the_form_that_is_described(ask, callers, path, document, monkeypatch, quiet):
    owner = callers["owner"]
    refused = [
        *(ask(header, path) for header in callers.values()),
        ask(owner, path, "POST"),
        ask(owner, path, Accept="text/html"),
        ask(owner, path, If_Match='"x"'),
        ask(owner, path + "?x=1"),
        ask(owner, path, Host="evil.example"),
    ]
    monkeypatch.setattr(views, "get_brand", lambda *args: 1 / 0)
    refused.append(ask(owner, path))
    described = operations(document)["/api/v1/brands/{id}"]["responses"]
    for response in refused:
        if response.status_code != 200:
            form = described[str(response.status_code)]
            check(document, form["content"]["application/json"]["schema"], response.json())
            declared = set(form["headers"]) - {"RateLimit", "RateLimit-Policy"}  # set outside of Django
            assert declared <= set(response.headers)
    provoked = {response.status_code for response in refused} - {200}
    assert provoked == set(ERRORS_BY_STATUS) - {429, 503}


def test_every_component_is_used_and_no_title_is_left(document):
    text = json.dumps(document)
    for name, schema in document["components"]["schemas"].items():
        assert f'"#/components/schemas/{name}"' in text
        assert "title" not in schema


def test_each_component_is_what_its_own_resource_says(document):
    """Two classes of one name would share one component, silently."""
    components = document["components"]["schemas"]
    for resource in (BrandList, BrandDetail, Trend, Recommendations, Runs, Error):
        whole = model_json_schema(resource, ref_template="#/components/schemas/{model}", mode="serialization")
        for name, schema in whole.pop("$defs", {}).items():
            assert components[name] == bare(schema)
        assert components[resource.__name__] == bare(whole)


def bare(schema):
    """Without the titles that the description leaves out."""
    fields = {
        name: {word: value for word, value in field.items() if word != "title"}
        for name, field in schema.get("properties", {}).items()
    }
    rest = {word: value for word, value in schema.items() if word not in ("title", "properties")}
    return {**rest, "properties": fields} if fields else rest


def test_it_is_built_once_however_many_ask_first(db):
    _built.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        built = list(pool.map(lambda _: description(), range(16)))
    assert len({id(body) for body in built}) == 1


def test_the_page_needs_no_inline_script_and_no_other_host(rest, db):
    response = rest.call("GET", "/api/v1/docs")
    page = response.content.decode()
    assert response.headers["Content-Type"].startswith("text/html")
    assert page.count("<script") == page.count("<script src=") == 2
    assert not re.search("<style|style=|://", page)
    policy = response.headers["Content-Security-Policy"]
    assert "'self'" in policy and "unsafe" not in policy
