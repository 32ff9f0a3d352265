"""Exports of other programs: ChatGPT's conversations and promptfoo's results."""

import io
import json

import pytest

from visibility.imports.reader import ImportedAnswer, Reading, read_answers
from visibility.imports.tables import PassedOver

TIME = "2026-05-24T15:56:04Z"


def read(document, export):
    return list(read_answers(io.StringIO(json.dumps(document)), Reading(export=export)))


def message(role, text, at=1779638164.5, **more):
    content = {"content_type": "text", "parts": [text]}
    return {"author": {"role": role}, "create_time": at, "content": content, "recipient": "all", **more}


def conversation(*messages):
    mapping = {"root": {"message": None, "parent": None}}
    mapping |= {
        str(place): {"message": each, "parent": str(place - 1) if place else "root"}
        for place, each in enumerate(messages)
    }
    mapping["left"] = {"message": message("assistant", "A branch that was left."), "parent": "0"}
    return {"title": "Bikes", "mapping": mapping, "current_node": str(len(messages) - 1)}


def test_each_question_of_a_conversation_has_its_last_answer_with_the_pages_that_it_names():
    thought = {**message("assistant", ""), "content": {"content_type": "thoughts", "thoughts": []}}
    call = message("assistant", "search()", recipient="web")
    pages = [
        {
            "type": "grouped_webpages",
            "items": [{"url": "https://a.com", "title": "A", "thumbnail_url": "https://i.com"}],
        },
        {"type": "image_group", "images": [{"url": "https://pictures.com"}]},
        {"type": "sources_footnote", "sources": [{"url": "https://b.com", "title": "B"}]},
    ]
    final = message("assistant", "Acme.", metadata={"content_references": pages})
    picture = {**message("user", ""), "content": {"content_type": "multimodal_text", "parts": [{"asset": "x"}]}}
    asked = [message("user", "Best bike?"), thought, message("assistant", "Let me look."), call, final]
    more = [
        picture,
        message("assistant", "A fine picture."),
        message("user", "And a cheap one?"),
        message("assistant", "Rival."),
    ]
    rows = [row for row in read([conversation(*asked, *more)], "chatgpt") if isinstance(row, ImportedAnswer)]
    assert [(row.prompt, row.text, row.engine, row.surface) for row in rows] == [
        ("Best bike?", "Acme.", "chatgpt", "app"),
        ("And a cheap one?", "Rival.", "chatgpt", "app"),
    ]
    assert [(each.url, each.title) for each in rows[0].citations] == [("https://a.com", "A"), ("https://b.com", "B")]
    assert rows[0].time.isoformat() == "2026-05-24T15:56:04.500000+00:00"


def test_what_is_no_question_is_passed_over_and_a_question_without_an_answer_failed():
    picture = {**message("user", ""), "content": {"content_type": "multimodal_text", "parts": [{"asset": "x"}]}}
    pasted, cut_short = message("user", "x" * 2_001), message("user", "Best bike?")
    given = [picture, message("assistant", "A fine picture."), pasted, message("assistant", "Long."), cut_short]
    *passed_over, row = read([conversation(*given)], "chatgpt")
    assert passed_over == [PassedOver("questions without words or of more than 2,000 characters")] * 2
    assert (row.prompt, row.text) == ("Best bike?", "")


def test_results_of_promptfoo_are_answers_of_an_api():
    chat = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Best bike?"}])
    results = [
        {"provider": {"id": "openai:gpt-4o"}, "prompt": {"raw": "Best bike?"}, "response": {"output": "Acme."}},
        {"provider": "openai:gpt-4o", "prompt": {"raw": chat}, "response": {"output": {"best": "Rival"}}},
        {"provider": {"id": "x", "label": "Bot"}, "prompt": {"raw": "Best bike?"}, "response": {"error": "busy"}},
    ]
    rows = read({"results": {"timestamp": TIME, "results": results}}, "promptfoo")
    assert [(row.prompt, row.engine, row.sample, row.text) for row in rows] == [
        ("Best bike?", "openai-gpt-4o", 1, "Acme."),
        ("Best bike?", "openai-gpt-4o", 2, '{"best": "Rival"}'),
        ("Best bike?", "bot", 1, ""),
    ]
    assert {row.surface for row in rows} == {"api_imported"}


def test_a_table_of_promptfoo_alone_is_read():
    table = {
        "head": {"prompts": [{"raw": "{{q}}", "provider": "openai:gpt-4o"}]},
        "body": [{"outputs": [{"text": "Acme.", "prompt": "Best bike?"}], "vars": ["bike"]}],
    }
    [row] = read({"results": {"timestamp": TIME, "table": table}}, "promptfoo")
    assert isinstance(row, ImportedAnswer)
    assert (row.prompt, row.engine, row.text) == ("Best bike?", "openai-gpt-4o", "Acme.")


@pytest.mark.parametrize(
    ("document", "export", "words"),
    [
        ({"a": 1}, "chatgpt", "no conversations.json"),
        ([{"prompt": "x"}], "chatgpt", "no conversations.json"),
        ([], "promptfoo", "no output of promptfoo"),
        ({"results": {"timestamp": TIME}}, "promptfoo", "no output of promptfoo"),
    ],
)
def test_a_file_that_is_another_thing_says_so(document, export, words):
    [bad] = read(document, export)
    assert words in bad.reason


def test_a_bad_entry_is_named_by_its_conversation():
    rows = read([conversation(message("user", "Best bike?"), message("assistant", "Acme.", at=-1))], "chatgpt")
    assert [(row.part, row.line, row.reason[:4]) for row in rows] == [("conversation", 1, "time")]
