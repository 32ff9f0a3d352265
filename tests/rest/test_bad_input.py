"""Input that no client should send gets a clear answer."""

from urllib.parse import quote

import pytest

BIG = "9" * 5_000
BAD_QUERIES = {
    "/visibility": [
        ("from=x", "from"),
        ("from=", "from"),
        ("to=-1", "to"),
        ("from=-0", "from"),
        ("from=1.5", "from"),
        ("from=1e3", "from"),
        ("from=+5", "from"),
        ("from=%205", "from"),
        ("from=5%0A", "from"),
        ("from=5%00", "from"),
        ("from=0x10", "from"),
        ("from=1_000", "from"),
        ("from=%D9%A1%D9%A2", "from"),  # digits, in Arabic
        ("from=%EF%BC%91", "from"),  # and full-width
        ("from=%C2%B2", "from"),
        ("from=NaN", "from"),
        ("from=true", "from"),
        ("from=null", "from"),
        ("to=4133980800000", "to"),  # the first millisecond of 2101
        ("to=32503680000000000000", "to"),
        (f"to={BIG}", "to"),
        (f"to={'0' * 5_000}1", "to"),
        ("from=2026-11-20", "from"),
        ("from=5&to=4", "from"),
        ("from=4102444800000", "from"),  # later than now, which is the default end
        ("from=1&from=1", "from"),
        ("to=1&from=1&to=2", "to"),
        ("From=1", "From"),
        ("from%00=1", "from\x00"),
        ("from[]=1", "from[]"),
        ("status=open", "status"),
        ("=1", ""),
        ("%FF=1", "�"),
        ("from=%FF", "from"),
    ],
    "/recommendations": [
        ("status=", "status"),
        ("status=Open", "status"),
        ("status=open%00", "status"),
        ("status=nothing", "status"),
        ("status=open&status=open", "status"),
        ("status=%FF%FE", "status"),
        (f"status={'x' * 6_000}", "status"),
        ("limit=1", "limit"),
    ],
    "/runs": [("limit=1", "limit"), ("page=2", "page"), ("x", "x")],
    "": [("format=json", "format"), ("format=xml", "format"), (f"{'n' * 6_000}=1", "n" * 100)],
}
MALFORMED_IDS = (
    "%00",
    "%FF%FE",
    "..",
    "%2e%2e",
    "%2F",
    "-1",
    "null",
    BIG,
    quote("é" * 500),
    "{id}",
    "urn:uuid:0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e",
    "0198a3f25b1c7c3e9d542f6a8b7c1d0e",
    "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e%0A",
    "%D9%A1198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0",
    "' OR 1=1 --",
    "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0g",
)


@pytest.mark.parametrize("part", BAD_QUERIES)
def test_a_bad_query_names_its_parameter_in_few_words(rest, path, key, part):
    for query, name in BAD_QUERIES[part]:
        response = rest.call("GET", f"{path}{part}?{query}", key)
        assert response.status_code == 400, query
        body = response.json()
        assert (body["error"], body["parameter"]) == ("invalid_parameter", name)
        assert len(response.content) < 1_000


def test_the_list_takes_no_parameters(rest, key):
    assert rest.get("/brands?page=1", key).json()["parameter"] == "page"


def test_more_parameters_than_django_reads_are_refused_as_such(rest, path, key):
    response = rest.call("GET", f"{path}/runs?{'&'.join(f'p{n}' for n in range(2_000))}", key)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_parameter")


def test_an_empty_query_is_none(rest, path, key):
    for query in ("", "?", "?&", "?&&&"):
        assert rest.call("GET", f"{path}/visibility{query}", key).status_code == 200


def test_the_edges_of_a_window_are_accepted(rest, path, key):
    for query in ("from=0", "to=0", "from=5&to=5", "to=4133980799999", "from=0&to=4133980799999", "from=0005"):
        assert rest.call("GET", f"{path}/visibility?{query}", key).status_code == 200, query


def test_a_malformed_id_is_not_found(rest, key):
    for brand in MALFORMED_IDS:
        response = rest.get(f"/brands/{brand}/runs", key)
        assert (response.status_code, response.json()["error"]) == (404, "not_found"), brand


def test_an_id_in_capitals_is_the_same_brand(rest, cast, key):
    assert rest.get(f"/brands/{str(cast.brand.pk).upper()}", key).status_code == 200
