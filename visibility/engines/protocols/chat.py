"""OpenAI's Chat Completions protocol: its search models, OpenRouter, Ollama, vLLM, llama.cpp."""

from collections.abc import Sequence

from visibility.engines.bodies import (
    Body,
    addressless,
    count,
    distinct,
    marked,
    spanned,
    table,
    tables,
    text,
    texts,
    unknown_kinds,
    whole,
)
from visibility.engines.dialect import Dialect
from visibility.engines.failures import body_failure, missing
from visibility.engines.pricing import Usage, reported_cost
from visibility.engines.types import Question, Reply, Source

FIELDS = frozenset(
    {"role", "content", "refusal", "annotations", "reasoning", "reasoning_content", "reasoning_details"}
)
"""The known fields of a message; reasoning is no answer."""
CITATIONS = frozenset({"url_citation"})


class Chat(Dialect):
    """One question is one chat of one message."""

    path = "/chat/completions"
    answer_fields = ("choices",)

    def request(self, question: Question) -> Body:
        instruction = self.instruction(question)
        system = [{"role": "system", "content": instruction}] if instruction else []
        # Only OpenAI has renamed this field; other servers know the old name.
        limit = "max_completion_tokens" if self.preset.pricing == "openai" else "max_tokens"
        return {
            "model": self.settings.model,
            "messages": [*system, {"role": "user", "content": question.text}],
            limit: self.settings.max_output_tokens,
            **self._search(self.country(question)),
        }

    def usage(self, body: Body) -> Usage:
        """OpenAI's search models do not report their searches, and bill at least one."""
        usage = table(body.get("usage"))
        inputs, outputs = table(usage.get("prompt_tokens_details")), table(usage.get("completion_tokens_details"))
        tools = table(usage.get("server_tool_use_details")) or table(usage.get("server_tool_use"))
        asked, answered = count(usage, "prompt_tokens"), count(usage, "completion_tokens")
        reasoning = whole(outputs.get("reasoning_tokens")) or count(usage, "reasoning_tokens")
        if reasoning and whole(usage.get("total_tokens")) == asked + answered + reasoning:
            answered += reasoning  # xAI counts it apart from the output, others within it
        searches = whole(tools.get("web_search_requests")) or count(usage, "num_search_queries")
        return Usage(
            input_tokens=asked,
            cached_tokens=count(inputs, "cached_tokens"),
            cache_write_tokens=count(inputs, "cache_write_tokens"),
            output_tokens=answered,
            reasoning_tokens=reasoning,
            searches=searches,
            billed_searches=max(searches, 1) if self.searches else searches,
            reported_cost=reported_cost(usage),
        )

    def read(self, turns: Sequence[Body]) -> Reply:
        body = turns[-1]
        choice = next(iter(tables(body.get("choices"))), None)
        if choice is None:
            raise missing("choices")
        if failure := body_failure(choice):
            raise failure
        message = table(choice.get("message"))
        answer, unknown = _content(message)
        sources = _annotated(message, answer) or _listed(body, answer)
        usage = self.usage(body)
        ended_by = text(choice.get("finish_reason"))
        return Reply(
            text=answer,
            sources=sources,
            searched=True if usage.searches or sources else None if self.searches else False,
            ended_by=ended_by,
            refused=bool(text(message.get("refusal"))) or ended_by == "content_filter",
            unknown_parts=distinct(unknown),
        )

    def _search(self, country: str) -> Body:
        if not self.searches:
            return {}
        if self.settings.preset == "openrouter":
            parameters: Body = {"max_uses": self.settings.max_searches}
            if country:
                parameters["user_location"] = {"type": "approximate", "country": country}
            return {"tools": [{"type": self.preset.search_tool, "parameters": parameters}]}
        place = {"user_location": {"type": "approximate", "approximate": {"country": country}}} if country else {}
        return {"web_search_options": place}


def _content(message: Body) -> tuple[str, list[str]]:
    """The text, which some servers send in parts, and its unknown parts; a refusal is an answer, too."""
    unknown = [f"message:{text(field)}"[:100] for field, value in message.items() if value and field not in FIELDS]
    annotations = tables(message.get("annotations"))
    unknown += unknown_kinds("annotation", annotations, CITATIONS)
    unknown += addressless(_citation(each) for each in annotations if text(each.get("type")) in CITATIONS)
    content = message.get("content")
    if isinstance(content, list):
        parts = tables(content)
        unknown += unknown_kinds("content", parts, ("text", "thinking", "reasoning"))
        content = "".join(text(part.get("text")) for part in parts if part.get("type") == "text")
    return text(content) or text(message.get("refusal")), unknown


def _citation(annotation: Body) -> Body:
    """What an annotation cites, which some servers do not nest."""
    return table(annotation.get("url_citation")) or annotation


def _annotated(message: Body, answer: str) -> list[Source]:
    sources = []
    for annotation in tables(message.get("annotations")):
        citation = _citation(annotation)
        if url := text(citation.get("url")):
            place = citation.get("start_index"), citation.get("end_index")
            sources.append(spanned(url, text(citation.get("title")), 0, answer, *place))
    return sources


def _listed(body: Body, answer: str) -> list[Source]:
    """Perplexity's sources, as it and its gateways list them: [1] in the text is the first of them."""
    results = [
        (str(number), text(result.get("url")), text(result.get("title")))
        for number, result in enumerate(tables(body.get("search_results")), start=1)
    ]
    bare = [(str(number), url, "") for number, url in enumerate(texts(body.get("citations")), start=1)]
    return marked(answer, results or bare)
