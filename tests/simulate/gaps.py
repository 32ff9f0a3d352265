"""How often recommendations open on brands and engines that are all alike: months of days without any difference.

Each question has one propensity, the same for every brand and engine and for all days, drawn so that the answers of
a question correlate by `likeness`. Only the drawing is done here; what opens is for the kinds themselves to say.
"""

from dataclasses import dataclass

import numpy as np

from tests.simulate.changes import score
from tests.simulate.months import Month, batches, own_score, until
from visibility.insights.recommendations.kind import Standing
from visibility.insights.recommendations.kinds import engine_gap, topic_gap
from visibility.metrics.changes.confirming import signs
from visibility.metrics.changes.monitor import MIN_DAYS, trace, watch
from visibility.metrics.leads import chance_of_lead

MONTH = Month(20, wordings=(2,))
"""Of which falls are counted: thirty looks, from the eighth day on."""


@dataclass(frozen=True)
class Panel:
    """What is asked each day, and the chance `rate` that an answer names a brand, on average over questions."""

    topics: int = 8
    wordings: int = 4
    samples: int = 3
    engines: int = 2
    rivals: int = 4
    rate: float = 0.4
    likeness: float = 0.66
    days: int = 30


def draw(rng, panel):
    """Whether each brand (the first is the own one) is named, by day, topic, wording, engine, sample and brand."""
    size = 1 / panel.likeness - 1
    propensity = rng.beta(panel.rate * size, (1 - panel.rate) * size, (panel.topics, panel.wordings))
    shape = (panel.days, panel.topics, panel.wordings, panel.engines, panel.samples, 1 + panel.rivals)
    return rng.random(shape) < propensity[:, :, None, None, None]


def topics_that_open(named, level=topic_gap.LEVEL):
    """In how many of the topics a gap opens on any of the days."""
    days, topics = named.shape[:2]
    brands = named.shape[-1]
    rows = named.reshape(days, topics, -1, brands)
    own, rivals = rows[..., :1], rows[..., 1:]
    alone, own_alone = (rivals & ~own).sum(axis=2), (own & ~rivals).sum(axis=2)
    answers = rows.shape[2]
    opened = set()
    for day in range(days):
        for topic in range(topics):
            leads = [
                topic_gap.Lead(number, int(a), int(o), answers, chance_of_lead(int(a), int(o)))
                for number, (a, o) in enumerate(zip(alone[day, topic], own_alone[day, topic], strict=True))
            ]
            if topic_gap.standing_of(leads, level / (topics * (brands - 1))) is Standing.OPEN:
                opened.add(topic)
    return len(opened)


def engines_that_open(named, level=engine_gap.LEVEL):
    """For how many of the engines a gap opens on any of the days."""
    own = named[..., 0].mean(axis=-1)
    days, engines = own.shape[0], own.shape[-1]
    by_prompt = own.reshape(days, -1, engines)
    opened = set()
    for engine in range(engines):
        others = np.delete(by_prompt, engine, axis=-1).mean(axis=-1)
        for day in range(days):
            behind = (others[day] - by_prompt[day, :, engine]).tolist()
            if engine_gap.standing_of(behind, level / engines) is Standing.OPEN:
                opened.add(engine)
    return len(opened)


def histories(seed, panel, number):
    """The shares of so many months in which any topic, and any engine, opens."""
    rng = np.random.default_rng(seed)
    months = [draw(rng, panel) for _ in range(number)]
    topics = sum(topics_that_open(month) > 0 for month in months)
    engines = sum(engines_that_open(month) > 0 for month in months) if panel.engines > 1 else 0
    return topics / number, engines / number


def falls(seed, number, month=MONTH):
    """The share of months without change in which a fall of the score is confirmed or raised on any day."""
    opened = []
    for series in batches(seed, month, number):
        own = own_score(series)
        any_fall = np.zeros(len(series.days[0].mentioned), dtype=bool)
        for day in range(MIN_DAYS - 1, series.size):
            so_far = until(series, day + 1)
            raised = watch(so_far, own, score)[:, 0, 0, 0] & (trace(so_far, score).delta[:, 0, 0, 0] < 0)
            before, after = (signs(series, place, day - 1, own, score)[:, 0, 0, 0] for place in (day - 1, day))
            any_fall |= raised | ((before < 0) & (after < 0))
        opened.append(any_fall)
    return float(np.concatenate(opened).mean())
