"""A small brand behind pages, whose prompts, topics and answers strangers wrote with bad intent."""

import io
import json

from apikeys.accounts.operators import system_caller
from visibility.imports.services import NewBrand, import_answers

FORMULA = "=HYPERLINK(A1) which lock"
TOPICS = ("doors", "+bikes", "boats", "<b>vans</b>")


def small_brand(owner):
    """Two days of one engine, further apart than the window of now, on four topics of two prompts: mentioned on
    doors, lost on bikes, never on the others, where Velmora is."""

    def line(day, topic, wording):
        is_named = topic == "doors" or (topic == "+bikes" and day == 1)
        text = f"**{'Kryton' if is_named else 'Velmora'}** is best. <script>alert(1)</script> Zentra, too."
        return {
            "prompt": f"{FORMULA} for {topic.strip('+<>/b')}, wish {wording}?",
            "topic": topic,
            "engine": "chatgpt",
            "text": text,
            "citations": ["https://kryton.example/locks", "https://tests.example/a", "javascript:alert(1)"],
            "time": f"2026-01-{day:02}T10:00:00Z",
        }

    lines = [line(day, topic, wording) for day in (1, 12) for topic in TOPICS for wording in (1, 2)]
    new = NewBrand(owner, "Kryton", "kryton.example", competitors=[("Velmora", "velmora.example")])
    file = io.StringIO("\n".join(map(json.dumps, lines)))
    return import_answers(system_caller("command:test"), brand=new, file=file).brand
