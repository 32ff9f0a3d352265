"""Google's Gemini protocol."""

from collections.abc import Sequence
from urllib.parse import quote

from visibility.engines.bodies import Body, count, distinct, table, tables, text, texts, whole
from visibility.engines.dialect import Dialect
from visibility.engines.failures import missing
from visibility.engines.pricing import Usage
from visibility.engines.types import NO_CHUNKS, Question, Reply, Source

MODELS = "models/"
"""A prefix that Google sometimes puts before the names of models."""
FILTERED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"})
PARTS = frozenset(
    {"text", "thought", "thoughtSignature", "toolCall", "toolResponse", "executableCode", "codeExecutionResult"}
)
SEARCHED = ("webSearchQueries", "searchEntryPoint", "groundingChunks", "groundingSupports")
"""What a body has of grounding where a search was made."""
BILLED_ONCE = ("gemini-1", "gemini-2")


class Gemini(Dialect):
    """One question is one generation. The search takes no country."""

    answer_fields = ("candidates", "promptFeedback")

    @property
    def path(self) -> str:
        return f"/v1beta/models/{quote(self.settings.model.removeprefix(MODELS), safe='')}:generateContent"

    def headers(self) -> dict[str, str]:
        return {"x-goog-api-key": self.settings.api_key}

    def request(self, question: Question) -> Body:
        body: Body = {
            "contents": [{"role": "user", "parts": [{"text": question.text}]}],
            "generationConfig": {"maxOutputTokens": self.settings.max_output_tokens},
        }
        if instruction := self.instruction(question):
            body["systemInstruction"] = {"parts": [{"text": instruction}]}
        if self.searches:
            body["tools"] = [{self.preset.search_tool: {}}]
        return body

    def usage(self, body: Body) -> Usage:
        """Thinking is counted apart from the output, and pages that were read apart from the prompt.

        Up to generation 2 a grounded answer is billed once, from 3 on each query (Google's price page, 2026).
        """
        usage = table(body.get("usageMetadata"))
        thoughts = count(usage, "thoughtsTokenCount")
        queries = len(texts(_grounding(_candidate(body)).get("webSearchQueries")))
        once = (self.served_model(body) or self.settings.model.removeprefix(MODELS)).startswith(BILLED_ONCE)
        return Usage(
            input_tokens=count(usage, "promptTokenCount") + count(usage, "toolUsePromptTokenCount"),
            cached_tokens=count(usage, "cachedContentTokenCount"),
            output_tokens=count(usage, "candidatesTokenCount") + thoughts,
            reasoning_tokens=thoughts,
            searches=queries,
            billed_searches=min(queries, 1) if once else queries,
        )

    def served_model(self, body: Body) -> str:
        return text(body.get("modelVersion")).removeprefix(MODELS)

    def read(self, turns: Sequence[Body]) -> Reply:
        body = turns[-1]
        candidate = _candidate(body)
        blocked = bool(table(body.get("promptFeedback")).get("blockReason"))
        if not candidate and not blocked:
            raise missing("candidates")
        parts = tables(table(candidate.get("content")).get("parts"))
        words = [text(part.get("text")) if not part.get("thought") else "" for part in parts]
        ended_by = text(candidate.get("finishReason"))
        grounding = _grounding(candidate)
        queries = texts(grounding.get("webSearchQueries"))
        sources = _sources(grounding, words)
        chunks = tables(grounding.get("groundingChunks"))
        unknown = [f"part:{text(name)}"[:100] for part in parts for name in part if name not in PARTS]
        unknown += [f"chunk:{text(name)}"[:100] for chunk in chunks for name in chunk if not chunk.get("web")]
        unknown += [NO_CHUNKS] if _supports_nothing(grounding) else []
        return Reply(
            text="".join(words),
            sources=sources,
            searched=any(grounding.get(sign) for sign in SEARCHED),
            searches=distinct(queries),
            ended_by=ended_by,
            refused=blocked or ended_by in FILTERED,
            unknown_parts=distinct(unknown),
        )


def _candidate(body: Body) -> Body:
    return next(iter(tables(body.get("candidates"))), {})


def _grounding(candidate: Body) -> Body:
    return table(candidate.get("groundingMetadata"))


def _sources(grounding: Body, words: list[str]) -> list[Source]:
    """Each source with each place that it supports, in the order of the sources.

    Addresses are redirects of Google and titles the bare domains behind them. Offsets are UTF-8 bytes into one part
    of the answer, the first place of which is left out.
    """
    chunks = grounding.get("groundingChunks")
    webs = [table(table(chunk).get("web")) for chunk in chunks] if isinstance(chunks, list) else []
    answer = "".join(words)
    places: list[list[tuple[int | None, int | None]]] = [[] for _ in webs]
    for support in tables(grounding.get("groundingSupports")):
        segment = table(support.get("segment"))
        base = len("".join(words[: count(segment, "partIndex")]).encode())
        start, end = count(segment, "startIndex"), count(segment, "endIndex")
        place = place_of(answer, base + start, base + end, text(segment.get("text")))
        indices = support.get("groundingChunkIndices")
        for index in indices if isinstance(indices, list) else []:
            if place and whole(index) is not None and index < len(webs):
                places[index].append(place)
    return [
        Source(url=url, title=text(web.get("title")), start=start, end=end, domain=text(web.get("domain")))
        for web, spans in zip(webs, places, strict=True)
        if (url := text(web.get("uri")))
        for start, end in spans or [(None, None)]
    ]


def _supports_nothing(grounding: Body) -> bool:
    """Whether a part of the answer is said to rest on chunks that are not there."""
    chunks = grounding.get("groundingChunks")
    places = [
        place
        for place, chunk in enumerate(chunks if isinstance(chunks, list) else [])
        if any(text(table(kind).get("uri")) for kind in table(chunk).values())
    ]
    supports = [support.get("groundingChunkIndices") for support in tables(grounding.get("groundingSupports"))]
    named = [index for indices in supports if isinstance(indices, list) for index in indices]
    return any(index not in places for index in named) if places else bool(supports)


def place_of(answer: str, start: int, end: int, quoted: str) -> tuple[int, int] | None:
    """The characters from byte `start` to byte `end` of an answer.

    Where these are not the `quoted` words, the place of those nearest to `start`; None where they are nowhere.
    """
    content = answer.encode()
    first = len(content[:start].decode("utf-8", "ignore"))
    if quoted and content[start:end] != quoted.encode():
        places = (answer.rfind(quoted, 0, first + len(quoted)), answer.find(quoted, first))
        nearest = min((place for place in places if place >= 0), key=lambda place: abs(place - first), default=None)
        return None if nearest is None else (nearest, nearest + len(quoted))
    if not 0 <= start < end <= len(content):
        return None
    return first, first + len(content[start:end].decode("utf-8", "ignore"))
