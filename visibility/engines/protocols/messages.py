"""Anthropic's Messages protocol."""

from collections.abc import Sequence

from visibility.engines.bodies import Body, addressless, count, distinct, table, tables, text, texts, unknown_kinds
from visibility.engines.dialect import Dialect
from visibility.engines.failures import missing
from visibility.engines.pricing import Usage
from visibility.engines.types import Question, Reply, Source

VERSION = "2023-06-01"
TURNS = 5
"""A paused answer is continued for at most so many turns; each is billed."""
BLOCKS = frozenset(
    {"text", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "web_fetch_tool_result"}
    | {"code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result"}
)


class Messages(Dialect):
    """One question is one message; a paused turn is continued."""

    path = "/v1/messages"
    answer_fields = ("content",)

    def headers(self) -> dict[str, str]:
        return {"x-api-key": self.settings.api_key, "anthropic-version": VERSION}

    def request(self, question: Question) -> Body:
        body: Body = {
            "model": self.settings.model,
            "max_tokens": self.settings.max_output_tokens,
            "messages": [{"role": "user", "content": question.text}],
        }
        if instruction := self.instruction(question):
            body["system"] = instruction
        if self.searches:
            tool = {"type": self.preset.search_tool, "name": "web_search", "max_uses": self.settings.max_searches}
            if country := self.country(question):
                tool["user_location"] = {"type": "approximate", "country": country}
            body["tools"] = [tool]
        return body

    def following(self, request: Body, turns: Sequence[Body]) -> Body | None:
        """A paused turn continues with the searches that are left."""
        last = turns[-1]
        if last.get("stop_reason") != "pause_turn" or not last.get("content") or len(turns) >= TURNS:
            return None
        made = sum(self.usage(body).searches for body in turns)
        left = max(self.settings.max_searches - made, 1)
        tools = [{**tool, "max_uses": left} for tool in request.get("tools", [])]
        messages = [*request["messages"], {"role": "assistant", "content": last["content"]}]
        return {**request, "messages": messages, **({"tools": tools} if tools else {})}

    def usage(self, body: Body) -> Usage:
        """Cached tokens are counted apart from the input here, where other providers count them within."""
        usage = table(body.get("usage"))
        cached = count(usage, "cache_read_input_tokens")
        written = count(usage, "cache_creation_input_tokens")
        return Usage(
            input_tokens=count(usage, "input_tokens") + cached + written,
            cached_tokens=cached,
            cache_write_tokens=written,
            output_tokens=count(usage, "output_tokens"),
            reasoning_tokens=count(table(usage.get("output_tokens_details")), "thinking_tokens"),
            searches=count(table(usage.get("server_tool_use")), "web_search_requests"),
        )

    def read(self, turns: Sequence[Body]) -> Reply:
        if not isinstance(turns[-1].get("content"), list):
            raise missing("content")
        ended_by = text(turns[-1].get("stop_reason"))
        blocks = [block for body in turns for block in tables(body.get("content"))]
        answer, sources, uncited = _prose(blocks)
        queries = [
            query
            for block in blocks
            if block.get("type") == "server_tool_use" and block.get("name") == "web_search"
            for query in texts([table(block.get("input")).get("query")])
        ]
        return Reply(
            text=answer,
            sources=sources,
            searched=bool(queries) or any(self.usage(body).searches for body in turns),
            searches=distinct(queries),
            ended_by=ended_by,
            refused=ended_by == "refusal",
            unknown_parts=distinct(unknown_kinds("content", blocks, BLOCKS) + uncited),
        )


def _prose(blocks: list[Body]) -> tuple[str, list[Source], list[str]]:
    """The text, its citations, and the kinds of those without an address.

    A text is split into blocks wherever a citation begins or ends; each citation spans its block. Text before a
    search and text after it are paragraphs of their own.
    """
    answer, interrupted = "", False
    sources: list[Source] = []
    uncited: list[str] = []
    for block in blocks:
        if block.get("type") != "text":
            interrupted = True
            continue
        words = text(block.get("text"))
        if interrupted and answer and words:
            answer += "\n\n"
        interrupted = False
        for citation in tables(block.get("citations")):
            url = text(citation.get("url"))
            if url and words:
                title = text(citation.get("title"))
                sources.append(Source(url=url, title=title, start=len(answer), end=len(answer) + len(words)))
            elif not url:
                uncited += unknown_kinds("citation", [citation], ()) + addressless([citation])
        answer += words
    return answer, sources, uncited
