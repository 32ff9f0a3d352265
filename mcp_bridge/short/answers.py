"""Answers in short: the passage around the first name, and who else is named."""

import re
from typing import Any

from apikeys.text.untrusted import QUOTE_CLOSE, QUOTE_OPEN
from mcp_bridge.short.projection import Body, Omitted
from mcp_bridge.short.texts import MORE

PASSAGE = 420
"""Characters of an answer, as it stands between its marks."""
_BEFORE = 140
_SPACE = re.compile(r"\s")


def around_mentions(body: Body, omitted: Omitted) -> None:
    """Cut the text of each answer to the passage around the first mention of the site, else of a competitor, else to
    its beginning. Places are moved with the text; of what is named elsewhere the first place counts, without it."""
    for answer in body["latestAnswers"]:
        first, end = _window(answer)
        text = answer["text"]
        if (first, end) != (len(QUOTE_OPEN), len(text) - len(QUOTE_CLOSE)) and text:
            before, behind = MORE * (first > len(QUOTE_OPEN)), MORE * (end < len(text) - len(QUOTE_CLOSE))
            answer["text"] = f"{before}{QUOTE_OPEN}{text[first:end]}{QUOTE_CLOSE}{behind}"
            omitted["latestAnswers[].text"] += 1
            shift = len(before) + len(QUOTE_OPEN) - first
            mentions = _moved(answer["mentions"], first, end, shift)
            omitted["latestAnswers[].mentions"] += len(answer["mentions"]) - len(mentions)
            answer["mentions"] = mentions


def _window(answer: dict[str, Any]) -> tuple[int, int]:
    """The first and last place of the passage in the text with its marks; it begins and ends between words."""
    text, mentions = answer["text"], answer["mentions"]
    start, stop = len(QUOTE_OPEN), len(text) - len(QUOTE_CLOSE)
    wanted = [mention for mention in mentions if mention["competitor"] is None] or mentions
    place = min((mention["start"] for mention in wanted), default=start)
    first = max(start, min(place - _BEFORE, stop - PASSAGE))
    end = min(stop, first + PASSAGE)
    if first > start and (space := _SPACE.search(text, first, place)):
        first = space.end()
    if end < stop:
        spaces = [space.start() for space in _SPACE.finditer(text, first, end)]
        end = spaces[-1] if spaces and spaces[-1] > place else _whole_character(text, end)
    return (first if first == start or text[first - 1].isspace() else _whole_character(text, first)), end


def _whole_character(text: str, place: int) -> int:
    """The place, or that before an escaped character (`&amp;`) that it would cut."""
    escape = text.rfind("&", max(0, place - 5), place)
    return escape if escape >= 0 and ";" not in text[escape:place] else place


def _moved(mentions: list[dict[str, Any]], first: int, end: int, shift: int) -> list[dict[str, Any]]:
    """The mentions inside the passage at their new places, then the first of each further name."""
    inside = [
        {**mention, "start": mention["start"] + shift, "end": mention["end"] + shift}
        for mention in mentions
        if first <= mention["start"] and mention["end"] <= end
    ]
    known = {mention["competitor"] for mention in inside}
    for mention in mentions:
        if mention["competitor"] not in known:
            known.add(mention["competitor"])
            inside.append({name: value for name, value in mention.items() if name not in ("start", "end")})
    return inside
