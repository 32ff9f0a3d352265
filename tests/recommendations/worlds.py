"""Materials made of drawn answers, without a database: what a look at them opens is judged many times over."""

from collections import defaultdict
from datetime import date
from types import SimpleNamespace
from uuid import UUID, uuid5

import numpy as np

from visibility.recommendations.differences import sure_claims
from visibility.recommendations.material import Material, Seen

SPACE = UUID(int=7)


def material(rates, *, engines=2, prompts=4, samples=3, topics=1, rivals=3, seed=0, level=0.05, first=0):
    """Answers in which each subject is named as `rates(subject, topic, engine)` says; subject 0 is the brand. The
    first pick is any of those named, or always the subject `first` where it is named."""
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
                            answer.offered[subject] = place
                    if answer.offered:
                        always = names[first] if first else False
                        answer.first = always if always in answer.offered else random.choice([*answer.offered])
                    answers.append(answer)
    found = Material(
        brand=SimpleNamespace(name="Kryton"),
        scored=None,
        answers=answers,
        competitors={subject: f"Rival {number}" for number, subject in enumerate(names[1:])},
        topics=defaultdict(lambda: SimpleNamespace(own=True, name="bikes")),
        engines=frozenset(f"engine{number}" for number in range(engines)),
    )
    found.__dict__["level"] = level
    return found


def opened(found: Material) -> set[tuple[str, str]]:
    """Which differences a look claims."""
    return {(claim.kind, claim.subject) for claim in sure_claims(found) if claim.matters}
