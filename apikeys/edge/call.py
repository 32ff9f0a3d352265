"""One call of either door, from its header to its row in the call log."""

import time
from dataclasses import dataclass, field

from apikeys.accounts.caller import Caller
from apikeys.edge.door import Credential, RefusedKey, authenticate, known_credential, record_call
from apikeys.models import CallLog


@dataclass(slots=True)
class Call:
    """What is known of a call so far. `name` is that of the call log; `raw_key` comes from the header."""

    door: CallLog.Door
    request_id: str
    raw_key: str | None = field(default=None, repr=False)
    name: str = ""
    credential: Credential | None = None
    error_code: str = ""
    is_recorded: bool = False
    started: float = field(default_factory=time.perf_counter)

    def authenticate(self) -> Caller:
        """The caller, whom this door is open to. Raises as `door.authenticate`; a refused key is logged, too."""
        try:
            caller = authenticate(self.raw_key, opens_to_apps=self.door == CallLog.Door.MCP)
        except RefusedKey as refusal:
            self.credential = refusal.credential
            raise
        if caller.key is not None:
            self.credential = Credential(caller.key, caller.connection)
        return caller

    def recognise(self) -> None:
        """Look up what was sent for the call log alone, for what is refused to everybody."""
        self.credential = known_credential(self.raw_key)

    def record(self) -> None:
        """Log the call, once; a call without a known key is not logged."""
        if self.credential is None or self.is_recorded:
            return
        record_call(
            self.credential,
            door=self.door,
            name=self.name,
            error_code=self.error_code,
            duration_ms=(time.perf_counter() - self.started) * 1000,
            request_id=self.request_id,
        )
        self.is_recorded = True
