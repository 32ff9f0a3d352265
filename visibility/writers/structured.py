"""The structured data that a draft allows: only what stands in it, as JSON-LD of schema.org.

A page with two questions or more that are answered in whole gets an FAQPage, any other an Article. A product is never
claimed: a draft holds no offer of one.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from visibility.writers.checking import DraftCheck
from visibility.writers.markup import GAP, MARK, Block, blocks, body_of
from visibility.writers.protocol import WrittenDraft
from visibility.writers.statements import Judge, statements
from visibility.writers.tasks import DraftFormat, DraftTask

MIN_QUESTIONS = 2
SCHEMA = "https://schema.org"


def structured_data(draft: WrittenDraft, task: DraftTask) -> dict[str, Any]:
    """JSON-LD for the page."""
    text_blocks = blocks(body_of(draft.markdown, task))
    pairs = list(_answered(text_blocks, task))
    data: dict[str, Any] = {"@context": SCHEMA, "@type": "Article", "headline": draft.title}
    if len(pairs) >= MIN_QUESTIONS:
        questions = [
            {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for question, answer in pairs
        ]
        data = {"@context": SCHEMA, "@type": "FAQPage", "name": draft.title, "mainEntity": questions}
    if task.locale:
        data["inLanguage"] = task.locale
    marks = {mark for block in text_blocks for mark in MARK.findall(block.text)}
    citations = [material.url for material in task.materials if material.mark in marks and _is_web(material.url)]
    if citations and data["@type"] == "Article":
        data["citation"] = list(dict.fromkeys(citations))
    publisher = {"@type": "Organization", "name": task.subject.name, "url": f"https://{task.subject.domain}"}
    return {**data, "publisher": publisher}


def in_script(data: Mapping[str, Any]) -> str:
    """The JSON as it may stand in a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def structured_check(draft: WrittenDraft, task: DraftTask) -> DraftCheck:
    """Which structured data the page allows."""
    data = structured_data(draft, task)
    if data["@type"] == "FAQPage":
        count = len(data["mainEntity"])
        message = f"Structured data: an FAQPage with the {count} questions that are answered in whole."
        return DraftCheck(id="structured_data", passed=True, message=message)
    passed = task.format != DraftFormat.FAQ
    advice = "" if passed else f" Answer {MIN_QUESTIONS} questions without a gap for an FAQPage."
    message = f"Structured data: an Article with what stands in the draft.{advice}"
    return DraftCheck(id="structured_data", passed=passed, message=message)


def _answered(text_blocks: Sequence[Block], task: DraftTask) -> Iterator[tuple[str, str]]:
    """Questions in headings with the text below them, where none of it is a gap or without a source that says so,
    and all of it is the brand's own: what others say of it is no answer of the brand."""
    judge, own = Judge(task), {material.mark for material in task.materials if material.own}
    for index, block in enumerate(text_blocks):
        if not block.depth or not block.text.rstrip().endswith("?"):
            continue
        section = _section(text_blocks, index + 1)
        if not section or any(GAP.search(part.text) for part in section):
            continue
        said = list(statements(section))
        if said and all(set(row.marks) <= own and judge.fault(row) is None for row in said):
            yield block.text, " ".join(row.bare for row in said)


def _section(text_blocks: Sequence[Block], first: int) -> list[Block]:
    section: list[Block] = []
    for block in text_blocks[first:]:
        if block.depth:
            break
        section.append(block)
    return section


def _is_web(url: str) -> bool:
    return url.startswith(("https://", "http://"))
