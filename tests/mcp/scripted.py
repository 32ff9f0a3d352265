"""An agent without a model: it reads descriptions and follows the steps that results name, and nothing else."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from apikeys.text.untrusted import QUOTE_OPEN, unmarked
from tests.mcp.tokens import Door

MAX_CALLS = 8
Result = dict[str, Any]


@dataclass
class ScriptedAgent:
    """Works for one site by its name. `made` are the calls so far, with what they gave."""

    door: Door
    site_name: str
    made: list[tuple[str, dict[str, Any], Result]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tools = {tool["name"]: tool for tool in self.door.ask("tools/list", {})["tools"]}

    def tool_that(self, *words: str) -> str:
        """The one tool whose description has these words."""
        [name] = [name for name, tool in self.tools.items() if all(word in tool["description"] for word in words)]
        return name

    def call(self, tool: str, arguments: dict[str, Any]) -> Result:
        """The data of a call; a creating tool gets a key of the call's own, as the instructions ask."""
        assert len(self.made) < MAX_CALLS, [name for name, *_ in self.made]
        if "idempotencyKey" in self.tools[tool]["inputSchema"]["properties"]:
            arguments = {**arguments, "idempotencyKey": f"call {len(self.made)}"}
        result = self.door.call(tool, arguments)
        assert not result["isError"], (tool, arguments, result["content"])
        self.made.append((tool, arguments, result["structuredContent"]))
        return result["structuredContent"]

    def site(self) -> str:
        """The id of the site that it works for, from the tool that says to be called first."""
        sites = self.call(self.tool_that("Call it first"), {})["sites"]
        [site] = [site for site in sites if site["name"] == self.site_name]
        return site["id"]

    def first_by_ask(self, question: str, site: str) -> Result:
        """Ask, and go where the answer leads; where it leads nowhere, by the brief."""
        answer = self.call(self.tool_that("Answers a question"), {"siteId": site, "question": question})
        return answer if answer.get("nextStep") else self.first_by_brief(question, site)

    def first_by_brief(self, question: str, site: str) -> Result:
        """The brief of the site, again of the topic that the question is about where it shows one."""
        tool = self.tool_that("begin work on a site")
        brief = self.call(tool, {"siteId": site})
        topic = next(_topics_like(question, brief), None)
        return self.call(tool, {"siteId": site, "topic": topic}) if topic else brief

    def work(self, question: str, first: Callable[[str, str], Result]) -> Result:
        """From the question to a draft, by the steps that results name."""
        result = first(question, self.site())
        while "draft" not in result:
            step = result["nextStep"]
            result = self.call(step["tool"], step["arguments"])
        return result


def _topics_like(question: str, result: Any) -> Iterator[str]:
    """Topics in a result that share a long word with the question, as they stand in it."""
    asked = set(re.findall(r"\w{6,}", question.casefold()))
    for text in re.findall(f'"kind": "topic", "label": "({QUOTE_OPEN}.*?)"', json.dumps(result, ensure_ascii=False)):
        words = re.findall(r"\w{6,}", unmarked(text).casefold())
        if any(word in asked for word in words):
            yield text
