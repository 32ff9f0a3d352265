"""The score of a day and its interval once more, from a file of answers alone: no library, no table of ours.

`python -m tests.scores.recompute FILE DAY NAME [NAME ...]` prints the score of each name, the brand first. A name
counts where it stands as a word of its own, so take names that mean nothing else.

The formulas: a mean over engines of means over prompts, clustered by topic (Särndal, Swensson and Wretman 1992,
section 5.6; degrees of freedom by Bell and McCaffrey 2002), with Wilson's interval on an effective size. The panel
interval is not computed: the topic interval, which is never narrower, is wider on real answers.
"""

import json
import math
import re
import sys
from collections import defaultdict

Z = 1.959963984540054


def answers_of(path, day):
    """(engine, prompt, topic, text) of the answers of a UTC day."""
    with open(path, encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["time"].startswith(day) and row["text"].strip():
                prompt = " ".join(row["prompt"].split()).lower()
                yield row["engine"], prompt, row.get("topic") or prompt, row["text"]


def count(answers, name):
    """{(engine, prompt): (answers, mentions)}"""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    cells = defaultdict(lambda: [0, 0])
    for engine, prompt, _, text in answers:
        cells[engine, prompt][0] += 1
        cells[engine, prompt][1] += bool(word.search(text))
    return {key: tuple(cell) for key, cell in sorted(cells.items())}


def weights(cells):
    engines = defaultdict(list)
    for engine, prompt in cells:
        engines[engine].append(prompt)
    return {(engine, prompt): 1 / len(engines) / len(engines[engine]) for engine, prompt in cells}


def between_topics(cells, topic_of):
    """The score, the weight of each topic, the variance between topics and its degrees of freedom."""
    w = weights(cells)
    mean = {key: k / n for key, (n, k) in cells.items()}
    score = sum(w[key] * mean[key] for key in cells)
    of_topic, error = defaultdict(float), defaultdict(float)
    for key in cells:
        of_topic[topic_of[key[1]]] += w[key]
        error[topic_of[key[1]]] += w[key] * (mean[key] - score)
    h2, h3, h4, h5 = (sum(weight**power for weight in of_topic.values()) for power in (2, 3, 4, 5))
    kappa = h2 - 2 * h3 + h2**2
    freedom = kappa**2 / (h4 - 4 * h5 + 4 * h2 * h4 + 2 * h3**2 - 4 * h2**2 * h3 + h2**4)
    return score, of_topic, h2 / kappa * sum(part * part for part in error.values()), freedom


def luck_of_a_day(cells, room):
    """The variance of what all topics of an engine share: a chance c moves by 14 c(1 - c) points, ± one deviation."""
    freedom = sum(n - 1 for n, _ in cells.values())
    within = sum(k * (n - k) / n for n, k in cells.values()) / freedom if freedom else 0.0
    return (0.14 * min(within, room)) ** 2 / len({engine for engine, _ in cells})


def interval(cells_of, name, topic_of):
    """Score, low and high of one name, 0 to 100; `cells_of` are the cells of all names."""
    score, of_topic, variance, freedom = between_topics(cells_of[name], topic_of)
    scores, _, variances, _ = zip(*(between_topics(cells, topic_of) for cells in cells_of.values()), strict=True)
    room = score * (1 - score)
    design = sum(weight * weight for weight in of_topic.values())
    for shown, largest in ((sum(variances), sum(each * (1 - each) for each in scores)), (variance, room)):
        if largest > 1e-12:
            doubt = min(1.0, 1 / (4 * len(of_topic) * largest) ** 2)
            design = shown / largest + max(design - shown / largest, 0.0) * doubt
    weight_of, answers_of = weights(cells_of[name]), cells_of[name]
    design = max(design, sum(weight**2 / answers_of[cell][0] for cell, weight in weight_of.items()))
    if room > 1e-12:
        design += luck_of_a_day(cells_of[name], room) / room
    low, high = wilson(score, (Z / student_quantile(freedom)) ** 2 / design)
    return tuple(round(100 * value, 2) for value in (score, low, high))


def wilson(p, n):
    centre, half = p + Z * Z / (2 * n), math.sqrt(Z * Z * (p * (1 - p) / n + Z * Z / (4 * n * n)))
    low, high = (centre - half) / (1 + Z * Z / n), (centre + half) / (1 + Z * Z / n)
    return min(max(low, 0), p), max(min(high, 1), p)


def student_quantile(df):
    """t of a two-sided interval of 95 %."""
    return bisect(lambda t: student_below(t, df), 0.975, 0.0, 100.0)


def student_below(t, df):
    """Student's distribution function, by Simpson's rule on an angle."""
    steps, end = 20_000, math.atan(t / math.sqrt(df))
    width = end / steps
    inside = sum((4 if i % 2 else 2) * math.cos(i * width) ** (df - 1) for i in range(1, steps))
    area = (1 + math.cos(end) ** (df - 1) + inside) * width / 3
    return 0.5 + area * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)


def bisect(rising, wanted, low, high):
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return (low + high) / 2


def recompute(path, day, names):
    """{name: (score, low, high)} of a day."""
    answers = list(answers_of(path, day))
    topic_of = {prompt: topic for _, prompt, topic, _ in answers}
    cells_of = {name: count(answers, name) for name in names}
    return {name: interval(cells_of, name, topic_of) for name in names}


if __name__ == "__main__":
    for name, figures in recompute(sys.argv[1], sys.argv[2], sys.argv[3:]).items():
        print(name, *figures)
