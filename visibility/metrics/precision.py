"""How many topics a score needs to be as exact as one wants."""

import numpy as np

from visibility.metrics.counts import Counts, Key
from visibility.metrics.intervals import MIN_TOPICS, luck_variance, student_size, wilson
from visibility.metrics.samples import score_sample

MOST_TOPICS = 1000
"""More topics than this are no answer."""
PROMPT_CORRELATION, TOPIC_CORRELATION = 0.66, 0.4
"""Of two answers to one prompt, and of answers to two prompts of one topic, on real answers."""
PRIOR_TOPICS = 4.0
"""So many topics in which half the answers mention the subject weigh as much as the usual spread between topics."""


def topics_for(margin: float, counts: Counts, subject: Key) -> int | None:
    """How many topics make the topic interval of a subject's score at most 2 × `margin` wide (points, 0–100), with as
    many prompts a topic, answers a prompt and engines as in `counts`.

    The spread is that between the topics of `counts`, mixed with the usual one where few of them tell of it. None
    without answers, and where no panel of a thousand topics is that exact: the luck of a day does not average out.
    """
    sample, place = score_sample(counts), counts.subjects.index(subject)
    rate = float(sample.value[place])
    if np.isnan(rate):
        return None
    room, topics, prompts = rate * (1 - rate), int(sample.topics[place]), int(sample.prompts[place])
    answers = float(sample.answers[place].sum())
    spread = TOPIC_CORRELATION
    spread += (PROMPT_CORRELATION - TOPIC_CORRELATION) * topics / prompts
    spread += (1 - PROMPT_CORRELATION) * topics / answers
    luck = 0.0
    if room > 0:
        luck = float(luck_variance(sample)[place]) / room
        if topics > 1:
            variance, weight = sample.topic_variance()[0][place], sample.topic_weight[place]
            shown, telling = float(variance / room / (weight**2).sum()), 4 * room * topics
            spread = (telling * shown + PRIOR_TOPICS * spread) / (telling + PRIOR_TOPICS)
    numbers = np.arange(MIN_TOPICS, MOST_TOPICS + 1, dtype=np.float64)
    low, high = wilson(rate, student_size(1 / (spread / numbers + luck), numbers - 1))
    enough = numbers[high - low <= margin / 50]
    return int(enough[0]) if len(enough) else None
