"""One call of the agent door: whom it is admitted for, and what it lacks."""

from dataclasses import dataclass

from apikeys.accounts.caller import Caller
from apikeys.edge.call import Call
from apikeys.errors import ErrorCode, ServiceError

SCOPE_KEY = "mcp_bridge.call"
"""Where the call travels on the ASGI scope."""


class NotAdmitted(Exception):
    """The key gives no access here; the call's `refusal` says why, and is the HTTP answer."""


@dataclass(slots=True)
class AgentCall(Call):
    """A call of the agent door. Its `name` is the tool's or that of the JSON-RPC method; `query` is that of the
    address. Where it is not admitted, `refusal` is the HTTP answer."""

    query: str = ""
    caller: Caller | None = None
    refusal: Exception | None = None
    step_up: ServiceError | None = None
    """The refusal of a call for which the app's person could allow more."""

    def admit(self) -> Caller:
        """The caller, whose key and plan give access to this door. Raises NotAdmitted, and sets `refusal`.

        A part of the call's first job, so that no call needs a thread and a connection for it alone.
        """
        if self.caller is None:
            try:
                caller = self.authenticate()
                caller.require_api_access()
            except Exception as error:
                self.refusal = error
                raise NotAdmitted from error
            self.caller = caller
        return self.caller

    def note_step_up(self, error: Exception) -> None:
        """Remember the refusal where the connection lacks the scope, and its key does not."""
        if self.caller is None or self.caller.connection is None or not isinstance(error, ServiceError):
            return
        is_of_scope = error.code == ErrorCode.INSUFFICIENT_SCOPE
        if is_of_scope and error.details.get("requiredScope") in self.caller.grantable:
            self.step_up = error
