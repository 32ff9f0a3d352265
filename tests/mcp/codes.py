"""The codes that calls of tools can be refused with: what the reference prints, and what the tests compare."""

from apikeys.errors import ErrorCode
from mcp_bridge.arguments import SiteArguments

EVERY_CALL = frozenset(
    {ErrorCode.INVALID_ARGUMENTS, ErrorCode.INSUFFICIENT_SCOPE, ErrorCode.UNAVAILABLE, ErrorCode.INTERNAL_ERROR}
)
"""What a call of any tool can be refused with."""
CREATING = frozenset(
    {ErrorCode.READ_ONLY_COLLABORATOR, ErrorCode.IDEMPOTENCY_CONFLICT, ErrorCode.IDEMPOTENCY_IN_PROGRESS}
)


def known_errors(tool) -> frozenset[ErrorCode]:
    """What a call of the tool can be refused with, besides `EVERY_CALL`."""
    found = {ErrorCode.NOT_FOUND} if issubclass(tool.arguments, SiteArguments) else set()
    return tool.errors | found | (CREATING if tool.creates else frozenset())
