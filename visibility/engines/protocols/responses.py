"""OpenAI's Responses protocol, also spoken by xAI and DeepSeek."""

from collections.abc import Sequence

from visibility.engines.bodies import (
    Body,
    addressless,
    count,
    distinct,
    object_in,
    spanned,
    table,
    tables,
    text,
    texts,
    unknown_kinds,
    whole,
)
from visibility.engines.dialect import Dialect
from visibility.engines.failures import missing
from visibility.engines.pricing import Usage, reported_cost
from visibility.engines.types import Question, Reply, Source

SEARCH_CALLS = frozenset({"web_search_call", "deepseek_web_search_call", "x_search_call"})
ITEMS = SEARCH_CALLS | {"message", "reasoning"}
PARTS = frozenset({"output_text", "refusal"})
CITATIONS = frozenset({"url_citation"})
NOTE = "ws_call_id="
"""DeepSeek puts the id of its call among its queries, with this prefix."""


class Responses(Dialect):
    """One question is one response that the provider is asked not to store."""

    path = "/responses"
    answer_fields = ("output",)
    items = ITEMS
    """The kinds of output that are known."""

    def request(self, question: Question) -> Body:
        body: Body = {
            "model": self.settings.model,
            "input": question.text,
            "max_output_tokens": self.settings.max_output_tokens,
            "store": False,
        }
        if instruction := self.instruction(question):
            body["instructions"] = instruction
        if self.searches:
            tool: Body = {"type": self.preset.search_tool}
            if country := self.country(question):
                tool["user_location"] = {"type": "approximate", "country": country}
            body["tools"] = [tool]
            if self.preset.bounds_searches:
                body["max_tool_calls"] = self.settings.max_searches
                body["include"] = ["web_search_call.action.sources"]
        return body

    def usage(self, body: Body) -> Usage:
        """Each call that searches is billed, however many queries it has; opening a page is not."""
        usage = table(body.get("usage"))
        inputs, outputs = table(usage.get("input_tokens_details")), table(usage.get("output_tokens_details"))
        calls = _search_actions(tables(body.get("output")))
        searches = sum(call.get("type", "search") == "search" for call in calls)
        return Usage(
            input_tokens=count(usage, "input_tokens"),
            cached_tokens=count(inputs, "cached_tokens"),
            cache_write_tokens=count(inputs, "cache_write_tokens"),
            output_tokens=count(usage, "output_tokens"),
            reasoning_tokens=count(outputs, "reasoning_tokens"),
            searches=_counted(body, usage, searches),
            reported_cost=reported_cost(usage),
        )

    def read(self, turns: Sequence[Body]) -> Reply:
        body = turns[-1]
        if not isinstance(body.get("output"), list):
            raise missing("output")
        output = tables(body["output"])
        answer, sources, refused, unknown = read_messages(output)
        calls = _search_actions(output)
        reason = text(table(body.get("incomplete_details")).get("reason"))
        return Reply(
            text=answer,
            sources=sources,
            searched=bool(calls),
            searches=distinct(query for call in calls for query in _queries(call)),
            ended_by=reason or text(body.get("status")),
            refused=refused or reason == "content_filter",
            country=echoed_country(body),
            unknown_parts=distinct(unknown_kinds("output", output, self.items) + unknown),
        )


def read_messages(output: list[Body]) -> tuple[str, list[Source], bool, list[str]]:
    """The text of the final messages, its citations, whether it is a refusal, and what is unknown in them.

    Messages between searches ("commentary") are no answer.
    """
    messages = [item for item in output if item.get("type") == "message"]
    finals = [item for item in messages if item.get("phase") != "commentary"] or messages
    answer, refused = "", False
    sources: list[Source] = []
    unknown: list[str] = []
    for message in finals:
        answer += "\n\n" if answer else ""
        parts = tables(message.get("content"))
        unknown += unknown_kinds("content", parts, PARTS)
        for part in parts:
            words = text(part.get("text")) or text(part.get("refusal"))
            refused = refused or part.get("type") == "refusal"
            annotations = tables(part.get("annotations"))
            unknown += unknown_kinds("annotation", annotations, CITATIONS)
            unknown += addressless(each for each in annotations if text(each.get("type")) in CITATIONS)
            sources += _cited(annotations, len(answer), words)
            answer += words
    return answer, sources, refused, unknown


def echoed_country(body: Body) -> str:
    """The country that the search was given, as the body repeats it; OpenAI assumes one where none was stated."""
    for tool in tables(body.get("tools")):
        country = text(table(tool.get("user_location")).get("country"))
        if len(country) == 2:
            return country.upper()
    return ""


def _cited(annotations: list[Body], base: int, words: str) -> list[Source]:
    sources = []
    for citation in annotations:
        url, title = text(citation.get("url")), text(citation.get("title"))
        if url and text(citation.get("type")) in CITATIONS:
            title = "" if title.isdigit() else title  # xAI gives the number of its marker
            sources.append(spanned(url, title, base, words, citation.get("start_index"), citation.get("end_index")))
    return sources


def _search_actions(output: list[Body]) -> list[Body]:
    """The actions of the search calls, which some servers send as JSON in `arguments`."""
    calls = [item for item in output if text(item.get("type")) in SEARCH_CALLS]
    return [table(call.get("action")) or object_in(call.get("arguments")) for call in calls]


def _counted(body: Body, usage: Body, searches: int) -> int:
    """The searches as OpenAI and xAI count them, each in fields of its own; else `searches`."""
    openai = table(table(body.get("tool_usage")).get("web_search"))
    xai = table(usage.get("server_side_tool_usage_details"))
    counts = [openai.get("num_requests"), xai.get("web_search_calls"), xai.get("x_search_calls")]
    known = [number for number in map(whole, counts) if number is not None]
    return sum(known) if known else searches


def _queries(action: Body) -> list[str]:
    queries = texts(action.get("queries")) or texts([action.get("query")])
    return [query for query in queries if not query.startswith(NOTE)]
