"""Real answers with the brands that people found in them, and which labels in them a reader takes for criteria."""

import json
from collections import Counter, defaultdict

from tests.evidence.making import DAY
from tests.reference import reference_file
from visibility.detection import Detector, Subject
from visibility.evidence.reading import AnswerText, Named

# Read with their quotes, all that ever came out; what is not named was judged to be none (a value as "Hard shell",
# the same as another as "Oven safe").
RIGHT = {
    "nonstick-cookware-set": "Durability, Price, Ease of cleaning, Material, Oven safety, "
    "Nonstick coating, Eco-Friendly",
    "luggage-carry-on-durable": "Material, Wheels, Weight, Warranty, Handles, Price, Durability, Zippers, Size",
    "basketball-indoor": "Price, Grip, Durability, Size, Bounce",
    "moisturizer-acne-prone": "Non-comedogenic, Oil-free, Fragrances, Texture",
    "nonstick-pan": "Price, Handle, Durability, Induction compatibility, Size, Nonstick coating, Ease of cleaning",
    "home-wifi-security-camera": "Smart features, Night vision, Resolution, Video quality, Storage, "
    "Price, Smart home integration, Integration, Battery life, Size, Security, Ease of setup, Ease of use",
    "massage-gun-recovery": "Noise level, Price, Battery life, Portability, Attachments, Ergonomics, Stall force, "
    "Amplitude, Size, Power, Ease of use, Warranty",
    "ski-jacket-affordable": "Water resistance, Price, Insulation, Fit, Durability",
}


def judged_right(topic):
    return RIGHT[topic].split(", ")


def real_topics(file):
    """By topic the answers, with the brands in them that people labelled in three of them or more."""
    topics = defaultdict(list)
    for line in reference_file(f"real-answers/{file}").read_text().splitlines():
        row = json.loads(line)
        topics[row["topic"]].append(row)
    for topic, rows in topics.items():
        labelled = Counter(each.get("brand") for row in rows for each in row.get("labelled_products") or [])
        names = [name for name, number in labelled.items() if name and number >= 3]
        detector = Detector([Subject(name, [name]) for name in names])
        yield topic, [_answer(number, row, detector) for number, row in enumerate(rows)]


def _answer(number, row, detector):
    detected = detector.detect(row["text"], row["prompt"])
    named = [Named(each.start, each.end, each.subject) for each in detected.mentions]
    untracked = [each.name for each in detected.untracked]
    return AnswerText(number, row["text"], row["engine"], DAY, row["prompt"], row["prompt"], named, untracked)
