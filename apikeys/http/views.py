"""The base of the REST endpoints: the order of checks, and the call log."""

import time
from typing import Any, ClassVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from apikeys.caller import Caller
from apikeys.db.written import Written
from apikeys.errors import ErrorCode
from apikeys.http.exceptions import as_service_error, precondition_failed
from apikeys.http.negotiation import AcceptNegotiation
from apikeys.http.renderers import ResourceRenderer
from apikeys.http.requests import call_name, current_request_id
from apikeys.http.responses import COMMON_HEADERS, ErrorResponse, json_response
from apikeys.models import ApiKey, CallLog
from apikeys.resources import Resource
from apikeys.scopes import Scope
from apikeys.services.authentication import RefusedKey
from apikeys.services.calls import record_call


class ResourceViewSet(ViewSet):
    """Read-only endpoints for the router. Subclasses name `required_scope` and write `list` or `retrieve`.

    The order of checks, after rate limit and route: method, bearer key, plan, scope, Accept; then the action looks at
    the input and the service at the visibility of the brand. A 304 comes only after all of them.
    """

    required_scope: ClassVar[Scope]
    http_method_names = ["get", "head", "options"]
    content_negotiation_class = AcceptNegotiation
    known_key: ApiKey | None = None
    caller: Caller

    @property
    def default_response_headers(self) -> dict[str, str]:
        """None: each answer brings its own."""
        return {}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, and keep the call when its key is known: an answer that cannot be recorded is not given."""
        started = time.perf_counter()
        response = super().dispatch(request, *args, **kwargs)
        if self.known_key is None:
            return response
        try:
            record_call(
                key=self.known_key,
                door=CallLog.Door.REST,
                name=call_name(request),
                error_code=str(response.error.code) if isinstance(response, ErrorResponse) else "",
                duration_ms=(time.perf_counter() - started) * 1000,
                request_id=current_request_id(),
            )
        except Exception as exc:
            return ErrorResponse(as_service_error(exc))
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """All checks before the input, in their order; OPTIONS needs none of them."""
        self.format_kwarg = None
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request)
        if request.method == "OPTIONS":
            return
        self.perform_authentication(request)
        self.caller = cast(Caller, request.auth)
        self.known_key = self.caller.key
        self.check_permissions(request)
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)

    def handle_exception(self, exc: Exception) -> ErrorResponse:  # type: ignore[override]
        """The one JSON form of an error; a refused key is remembered for the call log."""
        if isinstance(exc, RefusedKey):
            self.known_key = exc.key
        return super().handle_exception(exc)  # type: ignore[return-value]

    def answer(self, request: Request, resource: Resource | Written[Any]) -> HttpResponse:
        """The resource with its headers, or 304 when the client already has it (HEAD included)."""
        response = json_response(ResourceRenderer().render(resource))
        etag = response.headers["ETag"]
        answer = get_conditional_response(request._request, etag=etag, response=response) or response
        if answer.status_code == ErrorCode.PRECONDITION_FAILED.status:
            raise precondition_failed()
        return answer

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        """The methods of this path, to anyone."""
        return HttpResponse(status=204, headers={**COMMON_HEADERS, "Allow": ", ".join(self.allowed_methods)})
