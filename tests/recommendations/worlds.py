"""Facts made of drawn answers, without a database: what a look at them opens is judged many times over."""

from collections import defaultdict
from datetime import date
from types import SimpleNamespace
from uuid import UUID, uuid5

import numpy as np

from visibility.recommendations.facts import Facts, Seen
from visibility.recommendations.gaps import Place, sure_claims

SPACE = UUID(int=7)


def facts(rates, *, engines=2, prompts=4, samples=3, topics=1, rivals=3, seed=0, level=0.05, first=0):
    """Answers in which each subject is named as `rates(subject, topic, engine)` says; subject 0 is the brand.
    Named first is any of those, or always the subject `first` where it is named."""
    random = np.random.default_rng(seed)
    names = [None, *(uuid5(SPACE, f"rival {number}") for number in range(rivals))]
    topic_ids = [uuid5(SPACE, f"topic {number}") for number in range(topics)]
    answers = []
    for topic in range(topics):
        for prompt in range(prompts):
            ease = random.normal(0, 1)  # questions differ, for all subjects and engines alike
            for engine in range(engines):
                for _ in range(samples):
                    version = topic * prompts + prompt
                    answer = Seen(
                        len(answers),
                        uuid5(SPACE, f"prompt {version}"),
                        version,
                        topic_ids[topic],
                        f"engine{engine}",
                        date(2026, 1, 1),
                        frozenset(),
                    )
                    for place, subject in enumerate(names):
                        rate = rates(place, topic, engine)
                        odds = np.log(rate / (1 - rate)) + ease if 0 < rate < 1 else None
                        chance = rate if odds is None else 1 / (1 + np.exp(-odds))
                        if random.random() < chance:
                            answer.stances[subject].add("unknown")
                            answer.ranks[subject] = place + 1
                    if answer.ranks:
                        always = names[first] if first else ""
                        chosen = always if always in answer.ranks else random.choice([*answer.ranks])
                        answer.first = frozenset([chosen])
                    answers.append(answer)
    found = Facts(
        brand=SimpleNamespace(name="Kryton"),
        scored=None,
        answers=answers,
        competitors={subject: f"Rival {number}" for number, subject in enumerate(names[1:])},
        topics=defaultdict(lambda: SimpleNamespace(own=True, name="bikes")),
    )
    found.__dict__["level"] = level
    return found


def opened(found: Facts) -> set[tuple[str, str]]:
    """Which gaps a look claims: what is counted, and of an engine, a topic or a prompt."""
    return {(claim.measure, _sort(claim.place)) for claim in sure_claims(found) if claim.is_large}


def _sort(place: Place) -> str:
    return "engine" if place.engine else "prompt" if place.prompt else "topic"
