"""The kinds of recommendations, in the order of the queue. A new one is a module, a template and a line below."""

from collections.abc import Mapping
from typing import Any

from visibility.recommendations.kinds.audit import Blocked, Hygiene
from visibility.recommendations.kinds.base import Earlier, Kind
from visibility.recommendations.kinds.defend import Defend
from visibility.recommendations.kinds.fall import Fall
from visibility.recommendations.kinds.gap import Lags
from visibility.recommendations.kinds.name import Name
from visibility.recommendations.kinds.read import Limit, WrongFact
from visibility.recommendations.kinds.sources import Sources
from visibility.recommendations.kinds.track import Track

KINDS: Mapping[str, Kind[Any]] = {
    kind.name: kind
    for kind in (
        Name(),
        Fall(),
        Blocked(),
        WrongFact(),
        Limit(),
        Lags(),
        Sources(),
        Defend(),
        Hygiene(),
        Track(),
    )
}
EARLIER = Earlier()
CHORES = frozenset(name for name, kind in KINDS.items() if kind.is_chore)
"""Kinds that are housekeeping: folded, and counted apart."""
