"""Answers drawn from a population with known rates and known likeness within prompts and topics."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.types import AnswerOutcome


@dataclass(frozen=True)
class Population:
    """`rates` by subject; `wordings` a topic and `samples` a prompt by engine, each in turn; ρ and ρ_T as in
    visibility.metrics.correlation."""

    rates: dict
    topics: int
    wordings: tuple
    samples: dict
    prompt_correlation: float
    topic_correlation: float


def beta(rng, mean, correlation, size=None):
    """Propensities with a mean and an intraclass correlation of what is drawn from them."""
    mean = np.clip(mean, 1e-9, 1 - 1e-9)
    if correlation <= 0:
        return np.broadcast_to(mean, size if size is not None else np.shape(mean)).copy()
    scale = 1 / correlation - 1
    return rng.beta(np.maximum(mean * scale, 1e-12), np.maximum((1 - mean) * scale, 1e-12), size)


def topic_of_prompts(population):
    """The topic of each prompt: the numbers of wordings in turn."""
    counts = [population.wordings[t % len(population.wordings)] for t in range(population.topics)]
    return np.repeat(np.arange(population.topics), counts)


def draw_propensities(rng, population, rate):
    """The chance of a mention in an answer, by prompt."""
    topics = topic_of_prompts(population)
    of_topic = beta(rng, rate, population.topic_correlation, population.topics)
    rest = 1 - population.topic_correlation
    inner = (population.prompt_correlation - population.topic_correlation) / rest if rest > 0 else 0.0
    return beta(rng, of_topic[topics], inner)


def draw_outcomes(rng, population, propensities):
    """One run: answers of each engine; `propensities` by subject, by prompt."""
    topics = topic_of_prompts(population)
    outcomes = []
    for engine, samples in population.samples.items():
        for prompt, topic in enumerate(topics):
            for _ in range(samples[prompt % len(samples)]):
                said = [subject for subject, chance in propensities.items() if rng.random() < chance[prompt]]
                ranks = {subject: rank for rank, subject in enumerate(said, 1)}
                outcomes.append(AnswerOutcome(f"p{prompt}", f"t{topic}", engine, ranks))
    return outcomes
