"""One call of the agent door, from its HTTP request to its row in the call log."""

import time
from dataclasses import dataclass, field

from apikeys.caller import Caller
from apikeys.door import Credential, RefusedKey, authenticate_agent, known_credential, record_call
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import CallLog

SCOPE_KEY = "mcp_bridge.call"
"""Where the call travels on the ASGI scope."""


class NotAdmitted(Exception):
    """The key gives no access here; the call's `refusal` says why, and is the HTTP answer."""


@dataclass(slots=True)
class Call:
    """What is known of the call so far. `name`, for the call log, is the tool's or that of the JSON-RPC method."""

    request_id: str
    query: str = ""
    raw_key: str | None = field(default=None, repr=False)
    name: str = "POST /mcp"
    credential: Credential | None = None
    caller: Caller | None = None
    refusal: Exception | None = None
    error_code: str = ""
    step_up: ServiceError | None = None
    """The refusal of a call for which the app's person could allow more."""
    is_recorded: bool = False
    started: float = field(default_factory=time.perf_counter)

    def admit(self) -> Caller:
        """The caller, whose key and plan give access to this door. Raises NotAdmitted, and sets `refusal`.

        A part of the call's first job, so that no call needs a thread and a connection for it alone.
        """
        if self.caller is None:
            try:
                caller = authenticate_agent(self.raw_key)
                self.credential = Credential(caller.key, caller.connection) if caller.key else None
                caller.require_api_access()
            except Exception as error:
                if isinstance(error, RefusedKey):
                    self.credential = error.credential
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

    def recognise(self) -> None:
        """Look up what was sent for the call log alone, for what is refused to everybody."""
        self.credential = known_credential(self.raw_key)

    def record(self) -> None:
        """Log the call, once; a call without a known key is not logged."""
        if self.credential is None or self.is_recorded:
            return
        record_call(
            self.credential,
            door=CallLog.Door.MCP,
            name=self.name,
            error_code=self.error_code,
            duration_ms=(time.perf_counter() - self.started) * 1000,
            request_id=self.request_id,
        )
        self.is_recorded = True
