"""Detection: from the text of an answer to mentions, ranks, stances, quotes and citations. Knows no Django."""

from visibility.detection.addresses import host_of, is_below, registrable_domain
from visibility.detection.candidates import holding
from visibility.detection.citations import SourceClass, find_citations
from visibility.detection.detector import VERSION, Detector
from visibility.detection.dictionary import is_ambiguous
from visibility.detection.preference import preferred
from visibility.detection.senses import DOUBTFUL
from visibility.detection.titles import is_offer
from visibility.detection.types import Mention, Place, Policy, Stance, Subject, UntrackedName
from visibility.detection.untracked import Maker, makers
from visibility.detection.words import is_english, is_function_word, is_plain

__all__ = [
    "DOUBTFUL",
    "VERSION",
    "Detector",
    "Maker",
    "Mention",
    "Place",
    "Policy",
    "SourceClass",
    "Stance",
    "Subject",
    "UntrackedName",
    "find_citations",
    "holding",
    "host_of",
    "is_ambiguous",
    "is_below",
    "is_english",
    "is_function_word",
    "is_offer",
    "is_plain",
    "makers",
    "preferred",
    "registrable_domain",
]
