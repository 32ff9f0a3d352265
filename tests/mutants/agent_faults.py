"""The faults of the agent door: who gets in, what is shown, what is done twice, what is told."""

from tests.mutants.harness import Fault

ISOLATION = ("tests/mcp/test_isolation.py",)
HTTP = ("tests/mcp/test_http.py",)
IDEMPOTENCY = ("tests/mcp/test_idempotency.py",)

AGENTS = (
    Fault(
        "the scope of a tool is not checked",
        "mcp_bridge/dispatch.py",
        "    caller.require(tool.scope)\n",
        "",
        ISOLATION,
    ),
    Fault(
        "agents are shown tools that they may not use",
        "mcp_bridge/registry.py",
        "for name, tool in self.tools.items() if tool.scope in scopes]",
        "for name, tool in self.tools.items()]",
        ISOLATION,
    ),
    Fault(
        "the plan opens the agent door to everyone",
        "mcp_bridge/call.py",
        "        require_api_access(caller)\n",
        "",
        ISOLATION,
    ),
    Fault(
        "what the protocol says reaches callers whose key was not looked at",
        "mcp_bridge/application.py",
        "            await self._admit(call)\n        except ServiceError",
        "        except ServiceError",
        HTTP,
    ),
    Fault(
        "large bodies are read for anybody",
        "mcp_bridge/application.py",
        "            if not is_small(scope):\n                await self._admit(call)\n",
        "",
        HTTP,
    ),
    Fault(
        "a client that leaves breaks off what it has begun",
        "mcp_bridge/dispatch.py",
        "        return await asyncio.shield(work)\n",
        "        return await work\n",
        ("tests/mcp/test_dispatch.py",),
    ),
    Fault(
        "a stream may be opened at the agent door",
        "mcp_bridge/application.py",
        'if scope["method"] != "POST":',
        'if scope["method"] not in ("POST", "GET"):',
        HTTP,
    ),
    Fault(
        "pages of any origin may call",
        "mcp_bridge/requests.py",
        "if origin and not _is_allowed(_host_of(origin), allowed_hosts):",
        "if origin and not _host_of(origin):",
        HTTP,
    ),
    Fault(
        "what is refused before a tool is not in the call log",
        "mcp_bridge/application.py",
        "                if call.is_unrecorded:\n",
        "                if not call.error_code and call.is_unrecorded:\n",
        HTTP,
    ),
    Fault(
        "a body without a declared length has no bound",
        "mcp_bridge/requests.py",
        "        if len(body) > MAX_BODY:\n            raise _too_large()\n        if not",
        "        if not",
        HTTP,
    ),
    Fault(
        "the effect of a call and its record are two transactions",
        "apikeys/services/idempotency.py",
        "        with transaction.atomic():\n            result = effect()",
        "        if True:\n            result = effect()",
        IDEMPOTENCY,
    ),
    Fault(
        "a call is taken over from who still carries it out",
        "apikeys/services/idempotency.py",
        "(call.lease_until < now and _take_over(call, token, now))",
        "_take_over(call, token, call.lease_until + LEASE)",
        IDEMPOTENCY,
    ),
    Fault(
        "who lost a call keeps its effect",
        "apikeys/services/idempotency.py",
        "    if not _held(reserved).update(result=result, finished_at=timezone.now()):\n",
        "    if _held(reserved).update(result=result, finished_at=timezone.now()) > 1:\n",
        IDEMPOTENCY,
    ),
    Fault(
        "other arguments get the result of the first",
        "apikeys/services/idempotency.py",
        "    if call.digest != request.digest:\n",
        "    if len(call.digest) != len(request.digest):\n",
        IDEMPOTENCY,
    ),
    Fault(
        "a call that failed leaves its key in use",
        "apikeys/services/idempotency.py",
        "        release(reserved)\n        raise\n    return result",
        "        raise\n    return result",
        IDEMPOTENCY,
    ),
    Fault(
        "repeatable calls outlive their brand",
        "brands/services/brands.py",
        "    forget(locked.pk)\n",
        "",
        IDEMPOTENCY,
    ),
    Fault(
        "words of others reach agents without marks",
        "apikeys/resources.py",
        "return marked(text) if text and info.context == FOR_AGENTS else text",
        "return text",
        ("tests/mcp/test_recommendations.py",),
    ),
    Fault(
        "threads of tools keep their connections",
        "mcp_bridge/jobs.py",
        "    finally:\n        close_old_connections()\n",
        "    finally:\n        pass\n",
        ("tests/mcp/test_dispatch.py",),
    ),
)
