"""Real answers with the brands that people found in them."""

import json
from collections import Counter, defaultdict

from tests.reference import reference_file
from visibility.answers.text import AnswerText, Named
from visibility.detection import Detector, Subject
from visibility.evidence.labels import TopicAnswer

NO_CRITERIA = {"Patch test", "Butters", "Heavy oils", "Professional grade"}
"""What a reader judged to be no criterion, of all labels in the eight topics."""


def real_topics(file):
    """By topic the answers, with the brands in them that people labelled in three of them or more."""
    topics = defaultdict(list)
    for line in reference_file(f"real-answers/{file}").read_text().splitlines():
        row = json.loads(line)
        topics[row["topic"]].append(row)
    for rows in topics.values():
        labelled = Counter(each.get("brand") for row in rows for each in row.get("labelled_products") or [])
        detector = Detector([Subject(name, [name]) for name, number in labelled.items() if name and number >= 3])
        yield [_answer(number, row, detector) for number, row in enumerate(rows)]


def _answer(number, row, detector):
    detected = detector.detect(row["text"], row["prompt"])
    text = AnswerText(row["text"], [Named(each.start, each.end, each.subject) for each in detected.mentions])
    untracked = [each.name for each in detected.untracked]
    return TopicAnswer(number, row["engine"], row["prompt"], row["prompt"], text, untracked)
