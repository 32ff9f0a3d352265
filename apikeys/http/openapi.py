"""The OpenAPI description and the page that shows it, to anyone, without a key."""

from functools import cache
from threading import Lock
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import View
from drf_spectacular.generators import SchemaGenerator

from apikeys.http.responses import COMMON_HEADERS, json_response, with_common_headers

_BUILDING = Lock()


def description() -> bytes:
    """The description as JSON, built once in each process: its endpoints change only with the code."""
    with _BUILDING:  # the generator changes what all threads see
        return _built()


@cache
def _built() -> bytes:
    return orjson.dumps(SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


@method_decorator(csrf_exempt, name="dispatch")
class PublicView(View):
    """A read-only address that needs no key. It changes nothing, so other methods are refused as such, and not,
    before the view is asked, for lack of a token against forged requests."""

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
