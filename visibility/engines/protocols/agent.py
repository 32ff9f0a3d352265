"""Perplexity's Agent protocol: OpenAI's Responses with searches and sources of its own. An unknown field is a 400."""

from collections.abc import Sequence
from dataclasses import replace

from visibility.engines.bodies import Body, count, distinct, marked, table, tables, text, texts, whole
from visibility.engines.pricing import Usage
from visibility.engines.protocols.responses import Responses
from visibility.engines.types import Question, Reply

RESULTS = "search_results"


class Agent(Responses):
    """One question is one run of the agent. It is made to search, as it may not do so by itself."""

    path = "/v1/agent"
    items = frozenset({RESULTS, "message", "reasoning", "fetch_url_results"})

    def request(self, question: Question) -> Body:
        model = self.settings.model
        body: Body = {
            # With its maker, as a name without one may lead to another maker's model.
            "model": model if "/" in model else f"perplexity/{model}",
            "input": question.text,
            "max_output_tokens": self.settings.max_output_tokens,
        }
        if instruction := self.instruction(question):
            body["instructions"] = instruction
        if self.searches:
            tool: Body = {"type": self.preset.search_tool}
            if country := self.country(question):
                tool["user_location"] = {"country": country}
            body["tools"] = [tool]
            body["tool_choice"] = {"type": self.preset.search_tool}
        return body

    def usage(self, body: Body) -> Usage:
        """Searches as the provider counts them, else those whose results are in the body."""
        usage = table(body.get("usage"))
        details = table(usage.get("tool_calls_details"))
        inputs = table(usage.get("input_tokens_details"))
        counts = [whole(table(details.get(tool)).get("invocation")) for tool in ("search_web", "web_search")]
        given = sum(item.get("type") == RESULTS for item in tables(body.get("output")))
        return replace(
            super().usage(body),
            cache_write_tokens=count(inputs, "cache_creation_input_tokens"),
            searches=next((number for number in counts if number is not None), given),
        )

    def read(self, turns: Sequence[Body]) -> Reply:
        """A marker such as [7] is the id of a result, not its place in the list."""
        reply = super().read(turns)
        searches = [item for item in tables(turns[-1]["output"]) if item.get("type") == RESULTS]
        results = {
            str(result.get("id")): (text(result.get("url")), text(result.get("title")))
            for search in searches
            for result in tables(search.get("results"))
        }
        listed = marked(reply.text, [(number, *result) for number, result in results.items()])
        return replace(
            reply,
            sources=reply.sources or listed,
            searched=bool(searches),
            searches=distinct(query for search in searches for query in texts(search.get("queries"))),
        )
