"""The description: equal to the routes in both directions, valid, complete, and true."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from rest_framework.viewsets import ViewSet

from apikeys.errors import ErrorCode
from apikeys.http.openapi import _built, description
from tests.factories import DailyScoreFactory, RecommendationFactory, RunFactory
from tests.rest.routes import routes
from visibility.api.urls import router

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


@pytest.fixture
def document(client, db):
    return client.get("/openapi.json").json()


def operations(document):
    return {path: item["get"] for path, item in document["paths"].items()}


def validator(document, name):
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": document["components"]})


def test_the_same_bytes_at_both_addresses_without_a_key(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        first, second = (client.get(address) for address in ADDRESSES)
    assert first.content == second.content
    for response in (first, second):
        assert response.headers["Content-Type"] == "application/json"
        etag = response.headers["ETag"]
    for address in ADDRESSES:
        assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
        assert client.head(address).headers["ETag"] == etag


def test_it_is_valid_openapi_3_1(document):
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"
    OpenAPIV31SpecValidator(document).validate()


def test_routes_and_description_are_the_same(document):
    implemented = {route for route in routes() if route.startswith("/api/")} - NOT_DESCRIBED
    assert set(document["paths"]) == implemented
    assert set(routes()) >= NOT_DESCRIBED  # an exception that is gone must leave this list
    for item in document["paths"].values():
        assert set(item) == {"get"}


def test_each_operation_is_an_action_of_a_view_set_and_the_other_way_round(document):
    actions = {}
    for url in router.urls:
        assert issubclass(url.callback.cls, ViewSet)
        path = "/api/v1/" + re.sub(r"<str:(\w+)>", r"{\1}", url.pattern._route)
        actions[path] = {name for name in url.callback.actions if name != "head"}
    assert actions == {path: set(item) for path, item in document["paths"].items()}


def test_each_operation_declares_the_bearer_scheme_and_its_scope(document):
    scheme = document["components"]["securitySchemes"]["apiKey"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    scopes = {path: operation["description"] for path, operation in operations(document).items()}
    assert scopes["/api/v1/brands/{id}/runs"] == "Needs the scope `read:visibility`."
    assert all(operation["security"] == [{"apiKey": []}] for operation in operations(document).values())
    names = [operation["operationId"] for operation in operations(document).values()]
    assert sorted(names) == ["getBrand", "getVisibility", "listBrands", "listRecommendations", "listRuns"]


def test_each_operation_declares_every_error_with_a_true_example(document):
    check = validator(document, "Error")
    for path, operation in operations(document).items():
        expected = {str(status) for status in ERRORS_BY_STATUS} | {"200", "304"}
        assert set(operation["responses"]) == expected - ({"404"} if path == "/api/v1/brands" else set())
        for status, codes in ERRORS_BY_STATUS.items():
            if str(status) not in operation["responses"]:
                continue
            content = operation["responses"][str(status)]["content"]["application/json"]
            assert content["schema"] == {"$ref": "#/components/schemas/Error"}
            values = [example["value"] for example in content["examples"].values()]
            assert {value["error"] for value in values} == codes
            assert all(ErrorCode(value["error"]).status == status for value in values)
            for value in values:
                check.validate(value)


def test_each_operation_declares_its_headers(document):
    for operation in operations(document).values():
        for status, response in operation["responses"].items():
            expected = {"X-Request-ID", "Cache-Control", "Vary", "ETag", "RateLimit", "RateLimit-Policy"}
            expected |= {
                "200": {"Content-Encoding"}, "401": {"WWW-Authenticate"}, "405": {"Allow"}, "429": {"Retry-After"},
                "503": {"Retry-After"},
            }.get(status, set())  # fmt: skip
            assert set(response["headers"]) == expected, status
            assert all(header["schema"]["examples"] for header in response["headers"].values())


def test_parameters_are_those_that_are_read(document):
    found = {
        path: {parameter["name"] for parameter in operation["parameters"] if parameter["in"] != "header"}
        for path, operation in operations(document).items()
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
            assert parameter.get("examples") or parameter["schema"].get("examples"), parameter["name"]


def test_the_examples_have_the_form_of_their_schema(document):
    for operation in operations(document).values():
        content = operation["responses"]["200"]["content"]["application/json"]
        name = content["schema"]["$ref"].rpartition("/")[2]
        (example,) = content["examples"].values()
        validator(document, name).validate(example["value"])


def test_what_is_answered_has_the_form_that_is_described(api, cast, key, document):
    run = RunFactory(brand=cast.brand, error_code="x", error_message="y")
    DailyScoreFactory(brand=cast.brand, runs=[str(run.pk)])
    RecommendationFactory(brand=cast.brand, first_seen_run=run)
    for path, operation in operations(document).items():
        content = operation["responses"]["200"]["content"]["application/json"]
        name = content["schema"]["$ref"].rpartition("/")[2]
        body = api.get(path.replace("{id}", str(cast.brand.pk)), key).json()
        validator(document, name).validate(body)
        (example,) = content["examples"].values()
        assert keys(body) <= keys(example["value"]) | {".runs[].error.code", ".runs[].error.message"}


def keys(value, path=""):
    """The places in a JSON value, such as `.trend[].date`."""
    if isinstance(value, dict):
        return {place for name, item in value.items() for place in {f"{path}.{name}"} | keys(item, f"{path}.{name}")}
    if isinstance(value, list):
        return {place for item in value for place in keys(item, f"{path}[]")}
    return set()


def undescribed(schema, place):
    """The properties of a schema, however deep, that say nothing of what they mean."""
    if isinstance(schema, list):
        return [found for n, item in enumerate(schema) for found in undescribed(item, f"{place}[{n}]")]
    if not isinstance(schema, dict):
        return []
    properties = schema.get("properties", {})
    bare = [f"{place}.{name}" for name, field in properties.items() if not field.get("description", "").strip()]
    return bare + [found for name, part in schema.items() for found in undescribed(part, f"{place}.{name}")]


def test_every_field_says_what_it_means(document):
    schemas = document["components"]["schemas"]
    assert {"Error", "BrandList", "TrendItem", "EngineScore", "Change", "Evidence"} <= set(schemas)
    assert undescribed(schemas, "") == []
    for operation in operations(document).values():
        assert all(parameter["description"] for parameter in operation["parameters"])
        for response in operation["responses"].values():
            assert response["description"]
            assert all(header["description"] for header in response["headers"].values())


def test_it_names_its_server(document):
    assert [server["url"] for server in document["servers"]] == ["/"]


def test_it_is_built_once_however_many_ask_first(db):
    _built.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: description(), range(16)))
    assert len({id(body) for body in found}) == 1
    assert json.loads(found[0])["paths"]


def test_every_component_is_used_and_no_title_is_left(document):
    text = json.dumps(document)
    for name, schema in document["components"]["schemas"].items():
        assert f'"#/components/schemas/{name}"' in text
        assert "title" not in schema


def test_the_page_needs_no_inline_script_and_no_other_host(client, db):
    response = client.get("/api/v1/docs")
    page = response.content.decode()
    assert response.headers["Content-Type"].startswith("text/html")
    assert page.count("<script") == page.count("<script src=") == 2
    assert "<style" not in page
    assert "style=" not in page
    assert "://" not in page
    assert "'self'" in response.headers["Content-Security-Policy"]
    assert "unsafe" not in response.headers["Content-Security-Policy"]
