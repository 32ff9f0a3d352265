"""One call of the agent door, from its HTTP request to its row in the call log."""

import time
from dataclasses import dataclass, field

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import ApiKey, CallLog
from apikeys.services.authentication import RefusedKey, caller_for, known_key, require_api_access
from apikeys.services.calls import record_call

SCOPE_KEY = "mcp_bridge.call"
"""Where the call travels on the ASGI scope."""


class NotAdmitted(Exception):
    """The key opens nothing. Whatever the protocol says of it, the call's `refusal` is the answer to the request."""


@dataclass(slots=True)
class Call:
    """What is known of the call so far. `name` is the tool's name or the JSON-RPC method, for the call log."""

    request_id: str
    raw_key: str | None = field(default=None, repr=False)
    name: str = "POST /mcp"
    key: ApiKey | None = None
    caller: Caller | None = None
    refusal: Exception | None = None
    error_code: str = ""
    recorded: bool = False
    started: float = field(default_factory=time.perf_counter)

    @property
    def known_caller(self) -> Caller:
        """The caller, who is known to whatever runs behind the check of the key."""
        if self.caller is None:
            raise RuntimeError("The call is used before its key was looked at.")
        return self.caller

    def admit(self) -> Caller:
        """The caller whose key and plan open this door: a part of the call's first job, so that no call needs a
        thread and a connection for it alone. Raises NotAdmitted, and keeps the refusal."""
        if self.caller is None:
            try:
                self.caller = self._authenticate()
            except Exception as exc:
                self.refusal = exc
                raise NotAdmitted from exc
        return self.caller

    def recognise(self) -> None:
        """Note whose call it is, for the call log alone: a method that the door does not have is refused to all."""
        self.key = known_key(self.raw_key)

    def _authenticate(self) -> Caller:
        try:
            caller = caller_for(self.raw_key)
        except RefusedKey as refusal:
            self.key = refusal.key
            raise
        self.key = caller.key
        require_api_access(caller)
        return caller

    @property
    def is_unrecorded(self) -> bool:
        """Whether the call still has to be kept; one without a known key never is."""
        return self.key is not None and not self.recorded

    def failed(self, error: ServiceError) -> None:
        """Remember how the call ended."""
        self.error_code = str(error.code)

    def record(self) -> None:
        """Keep the call, once."""
        if self.key is None or self.recorded:
            return
        record_call(
            key=self.key,
            door=CallLog.Door.MCP,
            name=self.name,
            error_code=self.error_code,
            duration_ms=(time.perf_counter() - self.started) * 1000,
            request_id=self.request_id,
        )
        self.recorded = True
