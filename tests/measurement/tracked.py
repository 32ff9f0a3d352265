"""The labelled brands of an answer as what a user would track."""

import json
from pathlib import Path

from tests.measurement.labels import LabelledAnswer
from visibility.detection import Subject

DESCRIPTIONS: dict[str, str] = json.loads(Path(__file__).with_name("descriptions.json").read_text(encoding="utf-8"))
"""What brands sell, by brand and domain, written by somebody who had not read the answers."""


def subjects(answer: LabelledAnswer, *, described: bool) -> list[Subject]:
    """The labelled brands of an answer, by their place among the labels."""
    return [
        Subject(
            str(number),
            tuple(label.aliases),
            (label.domain,) if label.domain else (),
            description=DESCRIPTIONS.get(f"{label.brand} {label.domain}", "") if described else "",
        )
        for number, label in enumerate(answer.labels)
    ]
