"""Figures by locale, of the same answers as the figures over all prompts, where prompts have several locales."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from visibility.measured.details import rates_of
from visibility.measured.sampling import Sample
from visibility.measured.stored import LocaleScore
from visibility.metrics.measure import measure
from visibility.metrics.types import AnswerOutcome, Measures


def scores_by_locale(sample: Sample, subjects: Sequence[str]) -> dict[str, list[LocaleScore]]:
    """By subject: one score for each locale in which the averaged engines were asked without naming the subject, by
    locale, the one that is not stated first. Empty where that is a single one: it is the score itself."""
    outcomes: dict[str, list[AnswerOutcome]] = defaultdict(list)
    for engine in sample.averaged:
        for outcome in sample.outcomes.get(engine, ()):
            outcomes[sample.locales[int(outcome.prompt)]].append(outcome)
    if len(outcomes) < 2:
        return {subject: [] for subject in subjects}
    measured = {locale: measure(rows, subjects) for locale, rows in sorted(outcomes.items())}
    return {
        subject: _several(
            _score(locale, figures[subject].overall, figures[subject].by_engine)
            for locale, figures in measured.items()
            if figures[subject].overall.prompts
        )
        for subject in subjects
    }


def _several(scores: Iterable[LocaleScore]) -> list[LocaleScore]:
    listed = list(scores)
    return listed if len(listed) > 1 else []


def _score(locale: str, figures: Measures, by_engine: Mapping[str, Measures]) -> LocaleScore:
    engines = sorted(name for name, measures in by_engine.items() if measures.answers)
    return LocaleScore(
        locale=locale or None,
        engines=engines,
        prompts=figures.prompts,
        topics=figures.topics,
        answers=figures.answers,
        **rates_of(figures),
    )
