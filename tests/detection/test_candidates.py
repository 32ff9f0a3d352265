"""The patterns of names: what the detector finds, they match, however its letters are written and marked up."""

import json
import random
import re

import pytest
from django.db import connection

from tests.reference import reference_file
from visibility.detection import Detector, Subject, holding

NAMES = (
    *("Garmin", "New Balance", "LG", "Levi's", "AT&T", "De'Longhi", "TP-Link", "monday.com", "Nestlé", "3M", "X"),
    *("İşbir", "Samsung", "Озон", "سامسونج", "פייסבוק", "ソニー", "सैमसंग", "ซัมซุง", "Ζαγορά"),
)
MARKS = (
    *("**", "__", "`", "~~", "<b>", "<!-- x > y -->", "\u0301", "](https://a.example/c)", "-", "*", "_", "\\"),
    *("\u00ad", "\u200b", "\u2060"),
)
BEFORE = (" ", "\n", "1. **", "a", "E", "", "5", "&nbsp;", "(", "é", "و", "וב", "/", "<", "\u200b")
BEHIND = (
    *(" ", "s ", "'s ", "es.", "Cam 3", "https://a.example/b", "** – good", "é", "&amp;", "]", "/B/C ", "¹ ", "> "),
    *("ot ", "által ", "ом ", "の", "citeturn0search3 ", "turn1news2 ", ":contentReference[oaicite:3]{index=3}"),
)
FRAMES = ("The best are{}and so on.", "Inkább vegyél{}helyett bármit, ami nincs itt.")


def matched(texts, names):
    """The places of the texts that one of the patterns matches, as PostgreSQL has it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT place FROM unnest(%s::text[]) WITH ORDINALITY AS given(text, place) WHERE text ~ ANY(%s)",
            [texts, holding(names)],
        )
        return {place - 1 for (place,) in cursor.fetchall()}


def spoiled(name, chance):
    """The name with a mark, another case or another form of a letter somewhere in it, mostly once."""
    letters = [chance.choice((letter, letter, letter.upper(), letter.lower())) for letter in name]
    for _ in range(chance.choice((0, 1, 1, 2))):
        letters.insert(chance.randrange(len(letters) + 1), chance.choice(MARKS))
    written = "".join(letters)
    return f"[{written}" if "](" in written else written


@pytest.mark.django_db
@pytest.mark.parametrize("number", [400, pytest.param(10_000, marks=pytest.mark.proof)])
def test_what_the_detector_finds_is_matched(number):
    chance = random.Random(number)
    for name in NAMES:
        detector = Detector([Subject("subject", [name])])
        texts = [
            chance.choice(FRAMES).format(f"{chance.choice(BEFORE)}{spoiled(name, chance)}{chance.choice(BEHIND)}")
            for _ in range(number)
        ]
        found = {place for place, text in enumerate(texts) if detector.detect(text).mentions}
        assert found
        assert not [texts[place] for place in found - matched(texts, [name])]


@pytest.mark.django_db
def test_of_real_answers_hardly_more_are_matched_than_hold_the_name():
    lines = reference_file("real-answers/answers.jsonl").read_text().splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    for name in ("Garmin", "Sony", "LG", "De'Longhi", "TP-Link", "Krytonite"):
        holders = {place for place, text in enumerate(texts) if re.search(rf"(?i)\b{re.escape(name)}\b", text)}
        detector = Detector([Subject("subject", [name])])
        found = {place for place in holders if detector.detect(texts[place]).mentions}
        assert found <= matched(texts, [name])
        assert len(matched(texts, [name]) - holders) <= 0.05 * len(texts)


@pytest.mark.django_db
def test_a_name_without_letters_may_be_anywhere_and_no_name_nowhere():
    assert matched(["", "a"], ["Acme", "!!"]) == {0, 1}
    assert holding([]) == []
