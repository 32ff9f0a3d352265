"""What other programs export, as records: conversations of ChatGPT, and results of promptfoo."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import IO, Any

from django.utils.translation import gettext

from visibility.engines.bodies import table, tables, text
from visibility.imports.tables import BadLine, PassedOver, Record, whole_document
from visibility.models.prompts import LONGEST_PROMPT

Found = Iterator[tuple[int, Record | BadLine | PassedOver]]
NO_PROMPT = PassedOver(f"questions without words or of more than {LONGEST_PROMPT:,} characters")


@dataclass(frozen=True, slots=True)
class Export:
    """How the records of an export are read, with their numbers, and what these count."""

    records: Callable[[IO[str]], Found]
    part: str


def _conversations(file: IO[str]) -> Found:
    """Every question of ChatGPT's conversations.json with its last answer, on the branch that is shown."""
    try:
        document = whole_document(file)
    except ValueError as error:
        yield 1, BadLine(1, str(error))
        return
    conversations = tables([document] if isinstance(document, dict) else document)
    if not conversations or not all(isinstance(each.get("mapping"), dict) for each in conversations):
        yield (
            1,
            BadLine(
                1, gettext("the file is no conversations.json of a ChatGPT export: its conversations have no mapping")
            ),
        )
        return
    for number, conversation in enumerate(conversations, start=1):
        asked: Counter[str] = Counter()
        for record in _turns(_messages(conversation)):
            if isinstance(record, PassedOver):
                yield number, record
                continue
            asked[record["prompt"]] += 1
            yield number, {**record, "sample": asked[record["prompt"]]}


def _messages(conversation: Record) -> list[Record]:
    """The messages from the first to the current one; branches that were left are no part of it."""
    nodes = table(conversation.get("mapping"))
    path: list[Record] = []
    at = conversation.get("current_node")
    while isinstance(at, str) and at in nodes and len(path) <= len(nodes):
        node = table(nodes[at])
        path.append(table(node.get("message")))
        at = node.get("parent")
    return path[::-1]


def _turns(messages: list[Record]) -> Iterator[Record | PassedOver]:
    """Each question with the last text before the next one, null where there is none; thoughts and calls of tools are
    no answers."""
    starts = [place for place, message in enumerate(messages) if _role(message) == "user" and _is_shown(message)]
    for start, end in pairwise([*starts, len(messages)]):
        replies = [message for message in messages[start + 1 : end] if _role(message) == "assistant"]
        answers = [message for message in replies if message.get("recipient", "all") == "all" and _words(message)]
        prompt, answer = _words(messages[start]), answers[-1] if answers else {}
        if not 0 < len(prompt) <= LONGEST_PROMPT:
            yield NO_PROMPT
            continue
        yield {
            "prompt": prompt,
            "engine": "chatgpt",
            "surface": "app",
            "time": answer.get("create_time") or messages[start].get("create_time"),
            "text": _words(answer) or None,
            "citations": _cited(table(answer.get("metadata"))),
        }


def _role(message: Record) -> str:
    return text(table(message.get("author")).get("role"))


def _is_shown(message: Record) -> bool:
    """Whether people see a message: not thoughts, code and instructions."""
    is_text = table(message.get("content")).get("content_type") in ("text", "multimodal_text")
    is_hidden = table(message.get("metadata")).get("is_visually_hidden_from_conversation")
    return is_text and not is_hidden and message.get("channel") not in ("analysis", "commentary")


def _words(message: Record) -> str:
    parts = table(message.get("content")).get("parts")
    if not _is_shown(message) or not isinstance(parts, list):
        return ""
    return "\n".join(text(part) for part in parts if isinstance(part, str)).strip()


def _cited(metadata: Record) -> list[Record]:
    """The pages that ChatGPT names behind an answer, whatever it groups them by."""
    pages: list[Record] = []
    waiting: list[Any] = [metadata.get("citations"), metadata.get("content_references")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict) and not text(value.get("type")).startswith("image"):
            if text(value.get("url")).startswith("http"):
                pages.append({"url": text(value.get("url")), "title": text(value.get("title"))})
            waiting.extend(each for each in reversed(value.values()) if isinstance(each, dict | list))
    return pages


def _results(file: IO[str]) -> Found:
    """The results of an evaluation that promptfoo wrote as JSON, in both of its forms."""
    try:
        document = table(whole_document(file))
    except ValueError as error:
        yield 1, BadLine(1, str(error))
        return
    results = document.get("results")
    rows = tables(table(results).get("results") or results) or list(_cells(table(table(results).get("table"))))
    if not rows:
        reason = gettext("the file is no output of promptfoo: it has neither results.results nor results.table")
        yield 1, BadLine(1, reason)
        return
    taken = table(results).get("timestamp") or table(document.get("metadata")).get("exportedAt")
    times: Counter[tuple[str, str]] = Counter()
    for number, row in enumerate(rows, start=1):
        provider, response = row.get("provider"), table(row.get("response"))
        engine = text(provider) or text(table(provider).get("label")) or text(table(provider).get("id"))
        prompt = _question(row.get("prompt"))
        times[prompt, engine] += 1
        output = response.get("output")
        metadata = table(response.get("metadata"))
        yield (
            number,
            {
                "prompt": prompt,
                "engine": engine,
                "surface": "api",
                "time": row.get("timestamp") or taken,
                "text": output
                if isinstance(output, str) or output is None
                else json.dumps(output, ensure_ascii=False),
                "sample": times[prompt, engine],
                "citations": response.get("citations")
                or metadata.get("citations")
                or metadata.get("groundingChunks"),
            },
        )


def _cells(results: Record) -> Iterator[Record]:
    """The results of the table, which older files have alone."""
    heads = tables(table(results.get("head")).get("prompts"))
    for row in tables(results.get("body")):
        for place, cell in enumerate(tables(row.get("outputs"))):
            head = heads[place] if place < len(heads) else {}
            yield {
                "provider": cell.get("provider") or head.get("provider"),
                "prompt": cell.get("prompt") or head.get("raw"),
                "response": table(cell.get("response")) or {"output": cell.get("text")},
            }


def _question(prompt: Any) -> str:
    """What was asked: the last message of the user where the prompt is a chat."""
    words = text(prompt) or text(table(prompt).get("raw"))
    try:
        messages = tables(json.loads(words))
    except (ValueError, RecursionError):
        return words
    asked = [text(each.get("content")) for each in messages if each.get("role") == "user"]
    return asked[-1] if asked else words


EXPORTS = {"chatgpt": Export(_conversations, "conversation"), "promptfoo": Export(_results, "result")}
