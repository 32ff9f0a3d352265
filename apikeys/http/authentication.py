"""Who is calling: the bearer key of the request."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apikeys.caller import Caller
from apikeys.models import User
from apikeys.services.authentication import bearer_of, caller_for


class ApiKeyAuthentication(BaseAuthentication):
    """`request.user` is the key's owner, `request.auth` the caller. Without an active key the call is refused."""

    def authenticate(self, request: Request) -> tuple[User | None, Caller]:
        caller = caller_for(bearer_of(request.META.get("HTTP_AUTHORIZATION")))
        return caller.user, caller

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
