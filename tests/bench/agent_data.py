"""Data and recordings of the benchmark of the agent endpoint."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.bench.data import account, fill_history
from tests.mcp.conftest import PREFIX, Agent, endpoint


def scenarios():
    """A key, and the calls to measure: the list of 20 sites, and 30 days of one."""
    rows, key = account(20)
    fill_history(rows[0])
    return key, [(f"{PREFIX}list_sites", {}), (f"{PREFIX}get_visibility_scores", {"siteId": str(rows[0].pk)})]


class Key:
    """A key as the test client takes it."""

    def __init__(self, raw):
        self.raw = raw


def record(raw, calls):
    """The statements and the payload of each tool, as the endpoint itself produces them."""
    agent, recorded = Agent(endpoint()), {}
    for name, arguments in calls:
        plain = name.removeprefix(PREFIX)
        agent.call(Key(raw), plain, arguments)  # the first call of a key also notes its use
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        with CaptureQueriesContext(connection) as captured:
            answer = agent.post(message, Key(raw)).json()
        result = answer["result"]["content"][0]["text"]
        sql = [query["sql"] for query in captured.captured_queries]
        recorded[name] = {"sql": sql, "payload": answer, "result": result}
    return recorded
