"""A form without its token: the house's own page, or JSON below the API paths."""

import json

import pytest
from django.test import Client, RequestFactory

from config.errors import csrf_failure
from tests.people.browser import text_of


@pytest.mark.parametrize("path", ["/login/", "/admin/login/", "/password/reset/"])
def test_a_form_without_its_token_is_refused_on_the_houses_own_page(db, path):
    answer = Client(enforce_csrf_checks=True).post(path, {"username": "a", "password": "b"})
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "Brand Visibility" in page and "CSRF verification" not in page
    assert "nothing was changed" in text_of(answer) and "reload the page" in text_of(answer)


@pytest.mark.parametrize("path", ["/api/v1/brands", "/mcp"])
def test_below_the_api_paths_it_is_json(path):
    answer = csrf_failure(RequestFactory().post(path), reason="no token")
    assert (answer.status_code, answer["Content-Type"]) == (403, "application/json")
    assert json.loads(answer.content)["error"] == "origin_not_allowed"
