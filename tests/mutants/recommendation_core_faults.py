"""Faults in how recommendations open, close and are kept."""

from tests.mutants.harness import Fault

_ROOM = "visibility/insights/recommendations"
_QUEUE = ("tests/imports/test_recommendations.py",)
_KINDS = ("tests/recommendations/test_core_kinds.py",)

RECOMMENDED_CORE = (
    Fault(
        "what lies between the thresholds opens again what is resolved",
        f"{_ROOM}/refreshing.py",
        "return row is not None and row.status != _Status.RESOLVED",
        "return row is not None",
        _QUEUE,
    ),
    Fault(
        "measurement resolves what people dismissed",
        f"{_ROOM}/refreshing.py",
        "if row.status not in (_Status.DISMISSED, _Status.RESOLVED)",
        "if row.status not in (_Status.RESOLVED,)",
        _QUEUE,
    ),
    Fault(
        "other engines close a gap than those that showed it",
        f"{_ROOM}/refreshing.py",
        "return not measured or shown_by(row) <= measured",
        "return True",
        _QUEUE,
    ),
    Fault(
        "what nobody knows to be the brand's business is recommended",
        f"{_ROOM}/refreshing.py",
        "if not (concern.is_own or (is_known and concern is Concern.UNKNOWN)):",
        "if not (concern.is_own or concern is Concern.UNKNOWN):",
        _QUEUE,
    ),
    Fault(
        "what began is forgotten when the brand is named no more",
        f"{_ROOM}/refreshing.py",
        "if not (concern.is_own or (is_known and concern is Concern.UNKNOWN)):",
        "if not concern.is_own:",
        _QUEUE,
    ),
    Fault(
        "a topic that is not the brand's keeps its recommendation",
        f"{_ROOM}/moot.py",
        " - {topic for topic, is_own in material.choices.items() if not is_own}",
        "",
        _QUEUE,
    ),
    Fault(
        "a gap that comes back keeps the day on which it opened first",
        f"{_ROOM}/queue.py",
        "            row.opened_at, row.opened_on = measurement.at, measurement.day\n",
        "",
        _QUEUE,
    ),
    Fault(
        "one engine that leaves out the brand is told by its signs alone",
        "visibility/metrics/leads.py",
        "return max(signs, float(stdtr(size - 1, -mean * size**0.5 / spread))) if spread else signs",
        "return signs",
        _KINDS,
    ),
    Fault(
        "a lead is no more than a day's chance",
        f"{_ROOM}/kinds/topic_gap.py",
        "lead.share >= MIN_LEAD and lead.chance <= level",
        "lead.share >= MIN_LEAD",
        _KINDS,
    ),
    Fault(
        "a move of one day is a fall",
        f"{_ROOM}/kinds/confirmed_fall.py",
        'if confirmation and confirmation["state"] == Confirmation.CONFIRMED:',
        "if confirmation:",
        _KINDS,
    ),
    Fault(
        "a rise is a fall",
        f"{_ROOM}/kinds/confirmed_fall.py",
        'Standing.OPEN if figures["delta"] < 0 else Standing.CLOSED',
        "Standing.OPEN",
        _KINDS,
    ),
    Fault(
        "a criterion of few answers is one of the topic",
        f"{_ROOM}/kinds/criterion.py",
        "if criterion.answers >= MIN_ANSWERS and criterion.weight >= MIN_WEIGHT",
        "if criterion.answers >= MIN_ANSWERS",
        _KINDS,
    ),
    Fault(
        "a topic is the brand's although its owner says no",
        f"{_ROOM}/relevance.py",
        "return Concern.CHOSEN if choice else Concern.NOT_OWN",
        "return Concern.CHOSEN",
        _KINDS,
    ),
    Fault(
        "what nothing can be said of now is written anew",
        f"{_ROOM}/refreshing.py",
        "sighting.observation.details is not None and _is_there(sighting, known)",
        "_is_there(sighting, known)",
        _QUEUE,
    ),
)
