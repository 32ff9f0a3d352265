"""The score, its intervals and its change once more, answer by answer in plain loops, on whatever panels."""

from collections import defaultdict
from itertools import product
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import hypergeom, norm, t

from tests.metrics.panels import BRAND, RIVAL, tally
from tests.metrics.strategies import answers
from visibility.metrics import Metric, compare, measure
from visibility.metrics.intervals import modified_wilson, panel_interval
from visibility.metrics.samples import sample

Z = norm.ppf(0.975)
PLAIN = settings(max_examples=150, deadline=None)


class Plain:
    """The answers to prompts that do not name one subject: their 0/1 values by engine and prompt."""

    def __init__(self, rows, subject):
        self.topic = {row.prompt: row.topic for row in rows}
        self.cells = defaultdict(list)
        for row in rows:
            if subject not in row.named:
                self.cells[row.engine, row.prompt].append(subject in row.ranks)
        self.prompts = sorted({prompt for _, prompt in self.cells})
        self.topics = {self.topic[prompt] for prompt in self.prompts}
        engines = {engine for engine, _ in self.cells}
        of_engine = {engine: sum(each == engine for each, _ in self.cells) for engine in engines}
        self.weight = {cell: 1 / len(engines) / of_engine[cell[0]] for cell in self.cells}
        self.mean = {cell: sum(values) / len(values) for cell, values in self.cells.items()}
        self.value = sum(self.weight[cell] * self.mean[cell] for cell in self.cells) if self.cells else None

    def topic_sums(self):
        """Of the topics: the weight of each, the variance of the figure between them, its degrees of freedom."""
        weights, errors = defaultdict(float), defaultdict(float)
        for (engine, prompt), weight in self.weight.items():
            weights[self.topic[prompt]] += weight
            errors[self.topic[prompt]] += weight * (self.mean[engine, prompt] - self.value)
        factor, freedom = between(weights)
        return weights, factor * sum(error**2 for error in errors.values()), freedom

    def luck(self):
        """The variance that the luck of a day adds."""
        freedom = sum(len(values) - 1 for values in self.cells.values())
        squares = sum(len(values) * self.mean[cell] * (1 - self.mean[cell]) for cell, values in self.cells.items())
        engines = len({engine for engine, _ in self.cells})
        return (0.14 * min(squares / freedom, self.value * (1 - self.value))) ** 2 / engines if freedom else 0.0


def between(weights):
    """For units of these weights: the factor that makes a variance of Σ error², and its degrees of freedom."""
    h2, h3, h4, h5 = (sum(weight**power for weight in weights.values()) for power in (2, 3, 4, 5))
    kappa = h2 - 2 * h3 + h2**2
    return h2 / kappa, kappa**2 / (h4 - 4 * h5 + 4 * h2 * h4 + 2 * h3**2 - 4 * h2**2 * h3 + h2**4)


def wilson(p, n):
    low = (p + Z**2 / (2 * n) - Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n * n))) / (1 + Z**2 / n)
    high = (p + Z**2 / (2 * n) + Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n * n))) / (1 + Z**2 / n)
    return max(low, 0.0), min(high, 1.0)


def topic_interval(subjects):
    """Of the first of these subjects."""
    brand = subjects[0]
    weights, variance, freedom = brand.topic_sums()
    rooms = [subject.value * (1 - subject.value) for subject in subjects]
    design = sum(weight**2 for weight in weights.values())  # every topic is all or nothing
    pooled = sum(subject.topic_sums()[1] for subject in subjects)
    for shown, room in ((pooled, sum(rooms)), (variance, rooms[0])):
        if room > 1e-12:
            doubt = min(1.0, 1 / (len(brand.topics) * 4 * room) ** 2)
            design = max(shown / room, shown / room + (design - shown / room) * doubt)
    design = max(design, sum(weight**2 / len(brand.cells[cell]) for cell, weight in brand.weight.items()))
    if rooms[0] > 1e-12:
        design += brand.luck() / rooms[0]
    return wilson(brand.value, (Z / t.ppf(0.975, freedom)) ** 2 / design)


def of_both(first, second):
    """The answers of either day to the prompts that an engine answered on both."""
    shared = {(row.engine, row.prompt) for row in first} & {(row.engine, row.prompt) for row in second}
    return [[row for row in rows if (row.engine, row.prompt) in shared] for rows in (first, second)]


def arms(before, after, engines):
    """How far below and above the difference the answers alone reach: Newcombe's from both days' panel intervals."""
    below = above = 0.0
    for engine in engines:
        ends = []
        for side in (before, after):
            values = [each for (cell, _), each in side.cells.items() if cell == engine]
            figure = sample(
                np.arange(len(values)), *(np.array([[list(map(of, values))]], dtype=float) for of in (len, sum))
            )
            value = figure.value.item()
            low, high = (end.item() for end in panel_interval(figure, with_luck=False))
            if low != low:  # each prompt was asked once
                low, high = modified_wilson(value, len(values))
            ends.append((value - low, high - value))
        below += (ends[1][0] ** 2 + ends[0][1] ** 2) / len(engines) ** 2
        above += (ends[1][1] ** 2 + ends[0][0] ** 2) / len(engines) ** 2
    return sqrt(below), sqrt(above)


def of_signs(parts):
    """The chance of a sum as far from 0 if each part could have the other sign."""
    sums = [sum(sign * part for sign, part in zip(signs, parts, strict=True)) for signs in signs_of(len(parts))]
    return sum(abs(each) >= abs(sum(parts)) - 1e-9 for each in sums) / len(sums)


def signs_of(number):
    return list(product((1, -1), repeat=number))


def of_hypergeometrics(before, after, cells, delta):
    """The chance, doubled, of so many mentions on the side that has more of them, given each prompt's on both."""
    more, fewer = (after, before) if delta > 0 else (before, after)
    chances = np.ones(1)
    for cell in cells:
        answers, hits = len(more.cells[cell]), sum(more.cells[cell])
        drawn = hypergeom(answers + len(fewer.cells[cell]), hits + sum(fewer.cells[cell]), answers)
        chances = np.convolve(chances, drawn.pmf(np.arange(answers + 1)))
    return min(1.0, 2 * chances[sum(sum(more.cells[cell]) for cell in cells) :].sum())


def change(first, second):
    """The difference of a score with its 95 % interval: of topics, prompts or answers, luck, and answers alone."""
    before, after = (Plain(rows, BRAND) for rows in of_both(first, second))
    engines = {engine for engine, _ in after.cells}
    topics = {after.topic[prompt] for _, prompt in after.cells}
    prompts = {prompt for _, prompt in after.cells}
    unit = after.topic if len(topics) >= 6 else {prompt: prompt for prompt in prompts}
    delta, luck, doubt, weights, errors = 0.0, 0.0, 0.0, defaultdict(float), defaultdict(float)
    parts = defaultdict(float)
    for engine in engines:
        cells = [cell for cell in after.cells if cell[0] == engine]
        moved = {cell: after.mean[cell] - before.mean[cell] for cell in cells}
        mean = sum(moved.values()) / len(cells)
        delta += mean / len(engines)
        middle = sum(after.mean[cell] for cell in cells) / len(cells) - mean / 2
        of_engine = 0.035**2 * 4 * middle * (1 - middle) * 2
        luck += of_engine / len(engines) ** 2
        doubt += of_engine**2 / 4 / len(engines) ** 4
        for cell in cells:
            weights[unit[cell[1]]] += 1 / len(cells) / len(engines)
            errors[unit[cell[1]]] += (moved[cell] - mean) / len(cells) / len(engines)
            parts[unit[cell[1]]] += moved[cell] / len(cells) / len(engines)
    below, above = arms(before, after, engines)
    if len(weights) < 6:
        variance, df = (max(below, above) / Z) ** 2, inf
    else:
        factor, df = between(weights)
        variance = factor * sum(error**2 for error in errors.values())
    if luck:
        df = (variance + luck) ** 2 / (variance**2 / df + doubt)
    half = t.ppf(0.975, df) * sqrt(variance + luck)
    low, high = delta - max(half, below), delta + max(half, above)
    exact = 0.0
    if len(weights) < 6:
        exact = of_hypergeometrics(before, after, after.cells, delta)
    elif len(weights) <= 12:
        exact = of_signs(list(parts.values()))
    if exact > 0.05:
        low, high = min(low, 0.0), max(high, 0.0)
    return delta, max(low, -1), min(high, 1)


@PLAIN
@given(answers())
def test_the_score_and_its_topic_interval_are_what_loops_make_of_them(rows):
    subjects = [Plain(rows, subject) for subject in (BRAND, RIVAL)]
    score = measure(tally(rows))[BRAND].overall.score if rows else None
    if subjects[0].value is None:
        assert score is None or score.value is None
        return
    assert score.value == pytest.approx(100 * subjects[0].value)
    if len(subjects[0].topics) < 4:
        assert score.topic is None
    elif {subject.value is None for subject in subjects} == {False}:
        low, high = (100 * end for end in topic_interval(subjects))
        if score.panel:
            low, high = min(low, score.panel.low), max(high, score.panel.high)
        assert (score.topic.low, score.topic.high) == pytest.approx((low, high), abs=1e-6)


@PLAIN
@given(answers(prompts=24, named=False), answers(prompts=24, named=False))
def test_a_change_and_its_interval_are_what_loops_make_of_them(first, second):
    topics = {row.prompt: row.topic for row in second}
    first = [row for row in first if topics.get(row.prompt, row.topic) == row.topic]
    if not of_both(first, second)[0]:
        return
    delta, low, high = change(first, second)
    changes = compare(tally(first), tally(second))
    found = next(each for each in changes if (each.subject, each.engine, each.metric) == (BRAND, None, Metric.SCORE))
    assert (found.delta, found.low, found.high) == pytest.approx((100 * delta, 100 * low, 100 * high), abs=1e-6)
