"""The OpenAPI description and the page that shows it, to anyone, without a key."""

from functools import cache
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.generic import View
from drf_spectacular.generators import SchemaGenerator

from apikeys.api.responses import COMMON_HEADERS, json_response, with_common_headers


@cache
def description() -> bytes:
    """The description as JSON, built once in each process: its endpoints change only with the code."""
    return orjson.dumps(SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


class PublicView(View):
    """A read-only address that needs no key."""

    http_method_names = ["get", "head", "options"]

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The methods of this path."""
        return HttpResponse(status=204, headers={**COMMON_HEADERS, "Allow": "GET, HEAD, OPTIONS"})


class DescriptionView(PublicView):
    """The same bytes at each address."""

    def get(self, request: HttpRequest) -> HttpResponse:
        response = json_response(description())
        return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


class DocumentationView(PublicView):
    """Swagger UI, from our own files and without inline script, as the content security policy wants it."""

    template_name = "api/docs.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        return with_common_headers(render(request, self.template_name))
