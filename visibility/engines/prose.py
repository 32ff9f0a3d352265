"""What of a text is the answer: not the reasoning that some servers leave in it, nor the call of a tool."""

import re
from dataclasses import replace

from visibility.engines.bodies import blank, object_in, text
from visibility.engines.failures import unreadable
from visibility.engines.types import NO_SOURCES, Reply, Source

_THOUGHT = r"(?:\w+:)?(?:think(?:ing)?|thoughts?|reasoning)"
_END = re.compile(
    rf"</\s*{_THOUGHT}\s*>|◁/{_THOUGHT}▷|(?-i:\[/THINK\])|<\|END_(?:OF_)?{_THOUGHT}\|>|<channel\|>|"
    r"<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>|assistantfinal",
    re.IGNORECASE,
)
_BEGIN = re.compile(
    rf"<{_THOUGHT}(?:\s[^<>]*)?>|◁{_THOUGHT}▷|(?-i:\[THINK\])|<\|(?:START|BEGIN)_(?:OF_)?{_THOUGHT}\|>|"
    # A server that drops the signs of marks glues this word to what follows.
    r"<\|channel\|?>|\A\s*(?-i:analysis(?=\n|[^\W_a-z]))",
    re.IGNORECASE,
)
_TOOL_CALL = re.compile(
    r"<\W{0,2}(?:\w+:)?(?:tool|function)[_▁-]?(?:calls?|use)(?![a-z])|<function=|<\|python_tag\|>|"
    r"(?-i:\[TOOL_CALLS?\])",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[(?:\w{3,8}[:_ ] ?)?\d{1,3}\](?![(:])|【\d+[^】\n]*】|\ue200cite|\bciteturn\d|\[oaicite:")
_CODE = re.compile(r"^```.*?^```|(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"\A\s*```\w*\s|```\s*\Z")
_CLOSING = re.compile(r"(?:\s*<\|\w+\|>)+\s*\Z")


def only_answer(reply: Reply) -> Reply:
    """The reply without reasoning in its text: what stands after the last mark that ends a thought.

    Marks within code are words about marks. Sources that only the reasoning cites lose their place. Raises
    unreadable_answer where a thought begins behind words and never ends, and where a tool is called.
    """
    masked = _without_code(reply.text)
    start = max((end.end() for end in _END.finditer(masked)), default=0)
    start += len(masked[start:]) - len(masked[start:].lstrip()) if start else 0
    closing = _CLOSING.search(masked, start)
    stop = closing.start() if closing else len(masked)
    if begin := _BEGIN.search(masked[start:stop]):
        if not blank(reply.text[start : start + begin.start()]):
            raise unreadable(
                f"a thought begins in it, with {begin[0].strip()}, and does not end. Have the server part reasoning "
                "from answers, or raise the engine's output tokens."
            )
        stop = start
    if _TOOL_CALL.search(masked[start:stop]) or _is_call(reply.text[start:stop]):
        raise unreadable("it calls a tool in place of answering. Have the server part tool calls from answers.")
    if (start, stop) == (0, len(masked)):
        return reply
    sources = [_moved(source, start, stop) for source in reply.sources]
    return replace(reply, text=reply.text[start:stop], sources=sources)


def with_lost_sources(reply: Reply) -> Reply:
    """The reply, where its text has marks of citations and its body no source, with that as an unknown part."""
    if reply.sources or not _CITED.search(_without_code(reply.text)):
        return reply
    return replace(reply, unknown_parts=(*reply.unknown_parts, NO_SOURCES))


def _without_code(words: str) -> str:
    """A text of the same length, in which code is blank."""
    return _CODE.sub(lambda code: " " * len(code[0]), words)


def _is_call(words: str) -> bool:
    """Whether a text is nothing but a call in JSON."""
    body = object_in(_FENCE.sub("", words))
    return bool(text(body.get("name"))) and ("arguments" in body or "parameters" in body)


def _moved(source: Source, start: int, stop: int) -> Source:
    if source.start is None or source.end is None or source.start < start or source.end > stop:
        return replace(source, start=None, end=None)
    return replace(source, start=source.start - start, end=source.end - start)
