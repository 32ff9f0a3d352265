"""Metrics: from counts to figures with their uncertainty, and to changes. Knows no Django."""

from visibility.metrics.change import compare
from visibility.metrics.contrasts import Metric
from visibility.metrics.counts import Counts, Key, Row, count
from visibility.metrics.decomposition import Part, decompose
from visibility.metrics.development import Development, develop, has_recovered
from visibility.metrics.exact import adjusted, chance_of_fewer, chance_of_lead
from visibility.metrics.figures import Figure, Figures, Headline, Interval, SubjectFigures, measure, measure_scores
from visibility.metrics.form import FEATURES, Form, form_of
from visibility.metrics.instrument import DAYS_BEFORE, Shift, find_shift, mean_form
from visibility.metrics.intervals import MIN_TOPICS
from visibility.metrics.precision import topics_for
from visibility.metrics.proof import Proof, prove
from visibility.metrics.relation import Kind, Relation, find_relations
from visibility.metrics.repeatability import repeatability
from visibility.metrics.units import Units
from visibility.metrics.verdicts import Verdict

__all__ = [
    "DAYS_BEFORE",
    "FEATURES",
    "MIN_TOPICS",
    "Counts",
    "Development",
    "Figure",
    "Figures",
    "Form",
    "Headline",
    "Interval",
    "Key",
    "Kind",
    "Metric",
    "Part",
    "Proof",
    "Relation",
    "Row",
    "Shift",
    "SubjectFigures",
    "Units",
    "Verdict",
    "adjusted",
    "chance_of_fewer",
    "chance_of_lead",
    "compare",
    "count",
    "decompose",
    "develop",
    "find_relations",
    "find_shift",
    "form_of",
    "has_recovered",
    "mean_form",
    "measure",
    "measure_scores",
    "prove",
    "repeatability",
    "topics_for",
]
