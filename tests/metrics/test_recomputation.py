"""The score, its intervals and its change once more, answer by answer in plain loops, on whatever panels."""

from collections import defaultdict
from math import isnan, nan, sqrt

import pytest
from hypothesis import given, settings
from scipy.special import gammaincinv
from scipy.stats import norm, t

from tests.metrics.panels import BRAND, RIVAL, tally
from tests.metrics.strategies import answers
from visibility.metrics import Metric, compare, measure

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

    def pool(self, prompts):
        return [value for (_, prompt), values in self.cells.items() if prompt in prompts for value in values]

    def of_topic(self, topic):
        return [prompt for prompt in self.prompts if self.topic[prompt] == topic]

    def sums(self):
        """Sums of squares within prompts, of prompts within topics and of topics, their degrees of freedom, and the
        factors of the components of variance in their expectations."""
        groups = {topic: [self.pool([prompt]) for prompt in self.of_topic(topic)] for topic in self.topics}
        everything = [value for prompts in groups.values() for values in prompts for value in values]
        if len(set(everything)) < 2:
            return [0.0] * 9
        n, mean = len(everything), sum(everything) / len(everything)
        within = between = topics = inner = size_p = size_t = 0.0
        for prompts in groups.values():
            in_topic = sum(map(len, prompts))
            topic_mean = sum(map(sum, prompts)) / in_topic
            topics += in_topic * (topic_mean - mean) ** 2
            size_t += in_topic**2
            for values in prompts:
                own = sum(values) / len(values)
                within += sum((value - own) ** 2 for value in values)
                between += len(values) * (own - topic_mean) ** 2
                inner += len(values) ** 2 / in_topic
                size_p += len(values) ** 2
        q, tt = len(self.prompts), len(self.topics)
        return [within, between, topics, n - q, q - tt, tt - 1, n - inner, inner - size_p / n, n - size_t / n]


def correlations(sums):
    a, p, topics, dfa, dfp, dft, cpp, ctp, ctt = sums

    def one_way(within, df):
        if df <= 0 or ctt <= 0:
            return nan
        group = (topics - dft * within / df) / ctt
        return group / (group + within / df) if group + within / df > 1e-12 else nan

    if dft <= 0:
        return nan, nan
    if dfp <= 0:
        return one_way(a, dfa), nan
    if dfa <= 0:
        return nan, one_way(p, dfp)
    va = a / dfa
    vp = (p - dfp * va) / cpp if cpp > 0 else nan
    vt = (topics - dft * va - ctp * vp) / ctt if ctt > 0 else nan
    return ((vp + vt) / (va + vp + vt), vt / (va + vp + vt)) if va + vp + vt > 1e-12 else (nan, nan)


def largest(own, pooled):
    known = [value for value in (own, pooled) if not isnan(value)]
    return min(max(*known, 0.0), 1.0) if known else 1.0


def wilson(p, n):
    low = (p + Z**2 / (2 * n) - Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n * n))) / (1 + Z**2 / n)
    high = (p + Z**2 / (2 * n) + Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n * n))) / (1 + Z**2 / n)
    if p * n <= 3:
        low = min(low, gammaincinv(max(p * n, 1e-9), 0.05) / n)
    if (1 - p) * n <= 3:
        high = max(high, 1 - gammaincinv(max((1 - p) * n, 1e-9), 0.05) / n)
    return max(low, 0.0), min(high, 1.0)


def topic_interval(subjects):
    """Of the first of these subjects."""
    brand = subjects[0]
    sums = [subject.sums() for subject in subjects]
    own, pooled = correlations(sums[0]), correlations([sum(parts) for parts in zip(*sums, strict=True)])
    rho = largest(own[0], pooled[0])
    rho_t = min(rho, largest(own[1], pooled[1]))
    telling = 0.0
    for subject in subjects:
        values = subject.pool(subject.prompts)
        part = sum(values) / max(len(values), 1)
        telling += len(brand.topics) * 4 * part * (1 - part)
    doubt = min(1.0, (2 / max(telling, 1.0)) ** 2)
    rho, rho_t = rho + (1 - rho) * doubt, rho_t + (1 - rho_t) * doubt
    by_topic, by_prompt, error = defaultdict(float), defaultdict(float), defaultdict(float)
    for (engine, prompt), weight in brand.weight.items():
        by_topic[brand.topic[prompt]] += weight
        by_prompt[prompt] += weight
        error[brand.topic[prompt]] += weight * (brand.mean[engine, prompt] - brand.value)
    inverse = rho_t * sum(weight**2 for weight in by_topic.values())
    inverse += (rho - rho_t) * sum(weight**2 for weight in by_prompt.values())
    inverse += (1 - rho) * sum(weight**2 / len(brand.cells[cell]) for cell, weight in brand.weight.items())
    size, topics = 1 / inverse, len(brand.topics)
    variance = topics / (topics - 1) * sum(each**2 for each in error.values())
    if variance > 1e-18:
        size = min(size, brand.value * (1 - brand.value) / variance)
    return wilson(brand.value, size * (Z / t.ppf(0.975, (topics - 1) * len(subjects))) ** 2)


def change(before, after):
    """The difference of a score and the half of its interval: of topics, of prompts below four, and luck of days."""
    shared = [cell for cell in after.cells if cell in before.cells]
    unit = after.topic if len({after.topic[prompt] for _, prompt in shared}) >= 4 else {p: p for _, p in shared}
    engines = {engine for engine, _ in shared}
    delta, luck, doubt, weights, errors = 0.0, 0.0, 0.0, defaultdict(float), defaultdict(float)
    for engine in engines:
        cells = [cell for cell in shared if cell[0] == engine]
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
    if len(weights) < 2:
        return delta, None
    h2, h3, h4, h5 = (sum(weight**power for weight in weights.values()) for power in (2, 3, 4, 5))
    kappa = h2 - 2 * h3 + h2**2
    variance = h2 / kappa * sum(error**2 for error in errors.values())
    if variance <= 1e-18:
        return delta, None
    df = kappa**2 / (h4 - 4 * h5 + 4 * h2 * h4 + 2 * h3**2 - 4 * h2**2 * h3 + h2**4)
    if luck:
        df = (variance + luck) ** 2 / (variance**2 / df + doubt)
    return delta, t.ppf(0.975, df) * sqrt(variance + luck)


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
        ends = [100 * end for end in topic_interval(subjects)]
        assert (score.topic.low, score.topic.high) == pytest.approx(ends, abs=1e-6)


@PLAIN
@given(answers(prompts=24, named=False), answers(prompts=24, named=False))
def test_a_change_and_its_interval_are_what_loops_make_of_them(first, second):
    topics = {row.prompt: row.topic for row in second}
    first = [row for row in first if topics.get(row.prompt, row.topic) == row.topic]
    before, after = Plain(first, BRAND), Plain(second, BRAND)
    if not any(cell in before.cells for cell in after.cells):
        return
    delta, half = change(before, after)
    changes = compare(tally(first), tally(second))
    found = next(each for each in changes if (each.subject, each.engine, each.metric) == (BRAND, None, Metric.SCORE))
    assert found.delta == pytest.approx(100 * delta, abs=1e-9)
    if half is None:
        assert found.low is None
    else:
        ends = 100 * max(delta - half, -1), 100 * min(delta + half, 1)
        assert (found.low, found.high) == pytest.approx(ends, abs=1e-6)
