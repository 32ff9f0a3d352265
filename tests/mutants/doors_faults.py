"""The faults of the doors: connections, revisions, hidden characters, marks, sign-in."""

from tests.mutants.harness import Fault

HTTP = ("tests/mcp/test_http.py",)
UNTRUSTED = ("tests/writing/test_untrusted.py",)

DOORS = (
    Fault(
        "idle connections are closed after two seconds",
        "config/gunicorn.py",
        "keepalive = 75",
        "keepalive = 2",
        ("tests/service/test_connections.py",),
    ),
    Fault(
        "any revision of the protocol is taken",
        "mcp_bridge/application.py",
        "                check_revision(scope, message)\n",
        "",
        HTTP,
    ),
    Fault(
        "the revision in _meta is not looked at",
        "mcp_bridge/requests.py",
        "if isinstance(metadata, dict) else asked",
        "if False else asked",
        HTTP,
    ),
    Fault(
        "characters that are not drawn reach agents",
        "apikeys/untrusted.py",
        "map(_visible, _NOT_DRAWN.sub",
        "map(_visible, re.compile('[^\\\\s\\\\S]').sub",
        UNTRUSTED,
    ),
)
