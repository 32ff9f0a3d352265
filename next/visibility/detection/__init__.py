"""Detection: from the text of an answer to mentions, ranks, stances and quotes. Knows no Django."""

from visibility.detection.detector import VERSION, Detector
from visibility.detection.types import Detected, Mention, Policy, Stance, Subject

__all__ = ["VERSION", "Detected", "Detector", "Mention", "Policy", "Stance", "Subject"]
