"""Reads the small files that a site may keep beside its pages: llms.txt, descriptions of interfaces, licences."""

import json
import re
from typing import Any

from visibility.audit.site import TextFacts

MAX_OPENING = 200
_HTML = ("<!doctype", "<html", "<head", "<body")
_HEADING = re.compile(r"^# \S", re.MULTILINE)
_LINK = re.compile(r"\[[^\[\]\n]++\]\([^)\s\[]++\)")
"""Neither part runs over the next bracket, or a text of brackets alone would be looked through once for each."""


def read_text(body: bytes, *, cut: bool = False) -> TextFacts:
    """What the beginning of a small file tells; never raises. `cut`: the body is the beginning of a longer one."""
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    stripped = text.strip()
    value = _json(stripped)
    return TextFacts(
        opening=stripped[:MAX_OPENING],
        characters=len(stripped),
        is_html=stripped[:20].lower().startswith(_HTML),
        is_json=isinstance(value, (dict, list)) or (cut and stripped.startswith(("{", "["))),
        has_heading=_HEADING.search(text) is not None,
        has_link=_LINK.search(text) is not None,
        names_rsl="rslstandard.org" in text,
        reservation=_reservation(value),
    )


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _reservation(tdmrep: Any) -> str:
    for entry in tdmrep if isinstance(tdmrep, list) else [tdmrep]:
        if isinstance(entry, dict) and entry.get("location", "/") in ("/", "/*") and "tdm-reservation" in entry:
            reserved = str(entry["tdm-reservation"]).strip()
            if reserved in ("0", "1"):
                return reserved
    return ""
