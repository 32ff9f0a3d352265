"""Fits the weights of evidence for names that are also words: `python -m tests.measurement.fit` writes them.

Logistic regression with a ridge, by Newton's method. What it learns from: every place of such a name in a labelled
answer whose truth the labels tell, once with and once without the descriptions of its brands; and a few generated
texts, of little weight, for what labels lack. Needs numpy, which the detector does not.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.measurement import sentences
from tests.measurement.labels import Label, LabelledAnswer, labelled_answers
from tests.measurement.sentences import TRAINING, Text
from tests.measurement.tracked import subjects
from tests.reference import reference_folder
from visibility.detection import Detector, Subject, evidence
from visibility.detection.evidence import REASONS, Features

FILE = Path(evidence.__file__).with_name("weights.json")
FEATURES = ("bias", *REASONS)
DIGITS = 3
RIDGE, BIAS_RIDGE = 1.0, 0.01
GENERATED, GENERATED_FALSE = 0.15, 1.2
"""What a generated place weighs beside one of a label, where the name is meant and where it is not."""
ONE_PLACE = frozenset({"eight-topics", "four-topics"})
"""Collections whose labels tell one place of a brand; those of all others tell every place."""
_ROUNDS, _CLOSE = 30, 1e-5


@dataclass(frozen=True, slots=True)
class Sample:
    """A place with its truth; without topic and collection where it is generated."""

    features: Features
    is_meant: bool
    weight: float
    topic: str = ""
    collection: str = ""


def samples(answers: Iterable[LabelledAnswer]) -> list[Sample]:
    """All places that weights are fitted to."""
    found = [sample for answer in answers for described in (False, True) for sample in _labelled(answer, described)]
    return [*found, *_generated()]


def _labelled(answer: LabelledAnswer, described: bool) -> Iterator[Sample]:
    judged = Detector(subjects(answer, described=described)).judged(answer.text, answer.prompt, answer.sources)
    known = [
        (sense.features, truth, sense.claim.subject)
        for sense, span in judged
        if sense.features
        and (truth := _truth(answer.labels[int(sense.claim.subject)], span, answer.collection)) is not None
    ]
    number = Counter(subject for _, _, subject in known)
    for features, truth, subject in known:
        yield Sample(features, truth, number[subject] ** -0.5, answer.topic, answer.collection)


def _truth(label: Label, span: tuple[int, int], collection: str) -> bool | None:
    """Whether a place means the label's brand, None where the label does not tell."""
    if not label.is_mentioned:
        return False if label.why in ("other_sense", "absent") else None
    if any(start < span[1] and span[0] < end for start, end in label.places):
        return True
    return None if collection in ONE_PLACE else False


def _generated() -> Iterator[Sample]:
    texts: list[Text] = [
        *sentences.openings(TRAINING),
        *(text for sure in range(3) for text in sentences.lists(TRAINING, 20, sure)),
        *sentences.advice(TRAINING, 24),
        *sentences.titles(TRAINING),
        *sentences.units(TRAINING),
    ]
    described = [(text, number % 2 == 0) for number, text in enumerate(texts)]
    described += [(text, True) for text in sentences.homonyms(TRAINING, 24)]
    for text, is_described in described:
        for sense, _ in detector_of(text, described=is_described).judged(text.text, text.question):
            if sense.features:
                yield Sample(sense.features, text.is_meant, GENERATED if text.is_meant else GENERATED_FALSE)


def detector_of(text: Text, *, described: bool) -> Detector:
    """A detector of the names of a generated text."""
    return Detector([Subject(name, [name], description=text.description if described else "") for name in text.names])


def fit(chosen: Sequence[Sample]) -> dict[str, float]:
    """The weights for these places, by feature."""
    return _solve(*_arrays(chosen))


Arrays = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""The values of the features by sample and feature, the truths and the weights by sample."""


def _arrays(chosen: Sequence[Sample]) -> Arrays:
    values = np.array([[sample.features.get(name, 0.0) for name in FEATURES] for sample in chosen])
    truths = np.array([sample.is_meant for sample in chosen], dtype=float)
    return values, truths, np.array([sample.weight for sample in chosen])


def _solve(
    values: NDArray[np.float64], truths: NDArray[np.float64], importance: NDArray[np.float64]
) -> dict[str, float]:
    ridge = np.array([BIAS_RIDGE if name == "bias" else RIDGE for name in FEATURES])
    weights = np.zeros(len(FEATURES))
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-np.clip(values @ weights, -30, 30)))
        slope = values.T @ (importance * (truths - chances)) - ridge * weights
        curve = (values * (importance * chances * (1 - chances))[:, None]).T @ values + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < _CLOSE:
            break
    return {name: round(float(weight), DIGITS) for name, weight in zip(FEATURES, weights, strict=True)}


class Folds:
    """Weights for each part of the labels, fitted to all other parts: `fold` is "topic" or "collection"."""

    def __init__(self, answers: Sequence[LabelledAnswer], fold: str) -> None:
        chosen = samples(answers)
        self._fold = fold
        self._parts = np.array([getattr(sample, fold) for sample in chosen])
        self._arrays = _arrays(chosen)
        self._weights: dict[str, dict[str, float]] = {}

    def weights(self, answer: LabelledAnswer) -> dict[str, float]:
        """The weights by which to judge an answer."""
        part = getattr(answer, self._fold)
        if part not in self._weights:
            others = self._parts != part
            self._weights[part] = _solve(*(array[others] for array in self._arrays))
        return self._weights[part]


def main() -> None:
    """Fit to all labels, and write the file."""
    folder = reference_folder()
    if folder is None:
        sys.exit("The reference data is absent; name its folder in REFERENCE_DATA.")
    weights = fit(samples(labelled_answers(folder)))
    FILE.write_text(json.dumps(dict(sorted(weights.items())), indent=1) + "\n", encoding="utf-8")
    print(f"{len(weights)} weights in {FILE.name}")


if __name__ == "__main__":
    main()
