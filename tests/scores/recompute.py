"""The score of a day and its interval once more, from a file of answers alone: no library, no table of ours.

`python -m tests.scores.recompute FILE DAY NAME [NAME ...]` prints the score of each name, the brand first. A name
counts where it stands as a word of its own, so take names that mean nothing else.

The formulas: a mean over engines of means over prompts, clustered by topic (Särndal, Swensson and Wretman 1992,
section 5.6), with Wilson's interval on an effective size (Kish 1965), correlations by Henderson's nested analysis of
variance, and the ends of Brown, Cai and DasGupta 2001 near 0 and 1.
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


def sums_of_squares(cells, topic_of):
    """The parts of a nested analysis of variance: within prompts, between prompts, between topics."""
    prompts, topics = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    for (_, prompt), (n, k) in cells.items():
        for group in (prompts[prompt], topics[topic_of[prompt]]):
            group[0] += n
            group[1] += k
    n = sum(cell[0] for cell in cells.values())
    k = sum(cell[1] for cell in cells.values())
    of_prompts = sum(b * b / a for a, b in prompts.values())
    of_topics = sum(b * b / a for a, b in topics.values())
    inner = sum(
        sum(a * a for prompt, (a, _) in prompts.items() if topic_of[prompt] == topic) / total
        for topic, (total, _) in topics.items()
    )
    if k - k * k / n <= 1e-12 * max(1, k):
        return [0.0] * 9
    return [
        k - of_prompts,
        of_prompts - of_topics,
        of_topics - k * k / n,
        n - len(prompts),
        len(prompts) - len(topics),
        len(topics) - 1,
        n - inner,
        inner - sum(a * a for a, _ in prompts.values()) / n,
        n - sum(a * a for a, _ in topics.values()) / n,
    ]


def correlations(parts):
    """Of answers to one prompt, and of answers to one topic; None where the design cannot tell."""
    within, prompts, topics, df_within, df_prompts, df_topics, c_prompts, c_topics_prompts, c_topics = parts
    if df_topics <= 0 or df_prompts <= 0 or df_within <= 0:
        return None, None
    a = within / df_within
    p = (prompts - df_prompts * a) / c_prompts
    t = (topics - df_topics * a - c_topics_prompts * p) / c_topics
    total = a + p + t
    return ((p + t) / total, t / total) if total > 1e-12 else (None, None)


def interval(cells_of, name, topic_of):
    """Score, low and high of one name, 0 to 100; `cells_of` are the cells of all names."""
    cells = cells_of[name]
    w = weights(cells)
    mean = {key: k / n for key, (n, k) in cells.items()}
    score = sum(w[key] * mean[key] for key in cells)
    topics = sorted(set(topic_of.values()))
    spread = [sum(w[c] * (mean[c] - score) for c in cells if topic_of[c[1]] == topic) for topic in topics]
    variance = len(topics) / (len(topics) - 1) * sum(part * part for part in spread)
    parts = {each: sums_of_squares(cells_of[each], topic_of) for each in cells_of}
    own = correlations(parts[name])
    pooled = correlations([sum(column) for column in zip(*parts.values(), strict=True)])
    rho, rho_topic = (larger(*pair) for pair in zip(own, pooled, strict=True))
    rho_topic = min(rho, rho_topic)
    rates = [sum(k for _, k in each.values()) / sum(n for n, _ in each.values()) for each in cells_of.values()]
    telling = len(topics) * sum(4 * rate * (1 - rate) for rate in rates)
    doubt = min(1.0, (2 / max(telling, 1)) ** 2)
    rho, rho_topic = rho + (1 - rho) * doubt, rho_topic + (1 - rho_topic) * doubt
    by_prompt, by_topic = defaultdict(float), defaultdict(float)
    for key in cells:
        by_prompt[key[1]] += w[key]
        by_topic[topic_of[key[1]]] += w[key]
    size = 1 / (
        rho_topic * sum(x * x for x in by_topic.values())
        + (rho - rho_topic) * sum(x * x for x in by_prompt.values())
        + (1 - rho) * sum(w[key] ** 2 / cells[key][0] for key in cells)
    )
    if variance > 1e-18:
        size = min(size, score * (1 - score) / variance)
    size *= (Z / student_quantile((len(topics) - 1) * min(len(cells_of), 2))) ** 2
    low, high = wilson(score, size)
    low = min(low, limit(score * size) / size)
    high = max(high, 1 - limit((1 - score) * size) / size)
    return tuple(round(100 * value, 2) for value in (score, low, high))


def larger(own, pooled):
    known = [value for value in (own, pooled) if value is not None]
    return min(max(max(known), 0.0), 1.0) if known else 1.0


def wilson(p, n):
    centre, half = p + Z * Z / (2 * n), math.sqrt(Z * Z * (p * (1 - p) / n + Z * Z / (4 * n * n)))
    low, high = (centre - half) / (1 + Z * Z / n), (centre + half) / (1 + Z * Z / n)
    return min(max(low, 0), p), max(min(high, 1), p)


def limit(successes):
    """The mean at which so many successes or more have a chance of 5 %; infinite for more than three."""
    if successes > 3:
        return math.inf
    return bisect(lambda mean: gamma_below(max(successes, 1e-9), mean), 0.05, 0.0, 20.0)


def gamma_below(shape, x):
    """The regularised lower incomplete gamma function, by its series."""
    if x <= 0:
        return 0.0
    term = total = 1 / shape
    for step in range(1, 500):
        term *= x / (shape + step)
        total += term
    return total * math.exp(-x + shape * math.log(x) - math.lgamma(shape))


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
