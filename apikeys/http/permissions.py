"""What a caller may: the plan of its account first, then the scope that the view names."""

from typing import TYPE_CHECKING, cast

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apikeys.caller import Caller
from apikeys.services.authentication import require_api_access

if TYPE_CHECKING:  # the framework's views read the settings that name this module
    from rest_framework.views import APIView


class PlanAndScope(BasePermission):
    """Raises tier_disallows_api or insufficient_scope. A view without `required_scope` serves nobody."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        scope = getattr(view, "required_scope", None)
        if scope is None:
            return False
        caller = cast(Caller, request.auth)
        require_api_access(caller)
        caller.require(scope)
        return True
