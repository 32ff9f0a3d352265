"""What a short result shows of the changes of now: the sentence, its size, the largest parts, and known causes."""

_RECORD = "now.changeRecords[]"
_FIGURES = (
    "direction", "knownBy", "knownOn", "stateSince", "before", "beforeFirst", "beforeLast", "beforeDays", "after",
    "afterDay", "promptsChanged", "toldUntil", "wordings", "sources", "against",
)  # fmt: skip
_PART = ("key", "before", "after", "answers")

LEFT_OUT_OF_CHANGES = (
    *(f"{_RECORD}.{name}" for name in _FIGURES),
    *(f"{_RECORD}.{parts}[].{name}" for parts in ("topics", "engines") for name in _PART),
    f"{_RECORD}.competitors[].key",
    f"{_RECORD}.competitors[].points",
)
AT_MOST_OF_CHANGES = {
    "now.changeRecords": 3,
    f"{_RECORD}.topics": 3,
    f"{_RECORD}.engines": 3,
    f"{_RECORD}.competitors": 2,
    f"{_RECORD}.knownCauses": 3,
}
