"""What a resource that gathers parts leaves out: those that the key may not read, each named with its scope."""

from apikeys.caller import Caller
from apikeys.scopes import Scope
from visibility.resources.writing import Withheld


class WithheldSections:
    """The parts of one gathered resource, as they are asked for."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.withheld: list[Withheld] = []

    def may_read(self, scope: Scope, *parts: str) -> bool:
        """Whether the caller carries the scope of these parts; if not, they are noted as withheld."""
        if scope in self._caller.scopes:
            return True
        self.withheld += [Withheld(part=part, required_scope=scope) for part in parts]
        return False
