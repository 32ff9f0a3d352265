"""What a resource leaves out for a key: parts that it may not read, each named with its scope, and the score of an
audit among runs."""

from collections.abc import Mapping
from typing import Any

from apikeys.caller import Caller
from apikeys.scopes import Scope
from visibility.models import Run
from visibility.resources.brands import RunResource
from visibility.resources.writing import Withheld


def shown_run(caller: Caller, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a run as the caller may see them: the score of an audit is null without read:audits."""
    hidden = fields["kind"] == Run.Kind.AUDIT and Scope.READ_AUDITS not in caller.scopes
    return {**fields, "score": None} if hidden else dict(fields)


def run_for(caller: Caller, fields: Mapping[str, Any]) -> RunResource:
    """The run of a row of `RUN_FIELDS`, as the caller may see it."""
    return RunResource.from_row(shown_run(caller, fields))


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
