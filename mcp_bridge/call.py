"""One call of the agent door, from its HTTP request to its row in the call log."""

import time
from dataclasses import dataclass, field

from apikeys.caller import Caller
from apikeys.door import RefusedKey, authenticate, known_key, record_call
from apikeys.models import ApiKey, CallLog

SCOPE_KEY = "mcp_bridge.call"
"""Where the call travels on the ASGI scope."""


class NotAdmitted(Exception):
    """The key gives no access here; the call's `refusal` says why, and is the HTTP answer."""


@dataclass(slots=True)
class Call:
    """What is known of the call so far. `name`, for the call log, is the tool's or that of the JSON-RPC method."""

    request_id: str
    raw_key: str | None = field(default=None, repr=False)
    name: str = "POST /mcp"
    key: ApiKey | None = None
    caller: Caller | None = None
    refusal: Exception | None = None
    error_code: str = ""
    is_recorded: bool = False
    started: float = field(default_factory=time.perf_counter)

    def admit(self) -> Caller:
        """The caller, whose key and plan give access to this door. Raises NotAdmitted, and sets `refusal`.

        A part of the call's first job, so that no call needs a thread and a connection for it alone.
        """
        if self.caller is None:
            try:
                caller = authenticate(self.raw_key)
                self.key = caller.key
                caller.require_api_access()
            except Exception as error:
                if isinstance(error, RefusedKey):
                    self.key = error.key
                self.refusal = error
                raise NotAdmitted from error
            self.caller = caller
        return self.caller

    def recognise(self) -> None:
        """Look up the key for the call log alone, for what is refused to everybody."""
        self.key = known_key(self.raw_key)

    def record(self) -> None:
        """Log the call, once; a call without a known key is not logged."""
        if self.key is None or self.is_recorded:
            return
        record_call(
            key=self.key,
            door=CallLog.Door.MCP,
            name=self.name,
            error_code=self.error_code,
            duration_ms=(time.perf_counter() - self.started) * 1000,
            request_id=self.request_id,
        )
        self.is_recorded = True
