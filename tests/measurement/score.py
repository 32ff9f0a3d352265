"""How the detector does on labelled real answers: `python -m tests.measurement.score`.

All labelled brands of an answer are tracked together. What is judged is left out: weights are fitted to the labels of
all other topics (`--fold collection`: of all other collections). Rules are no weights, so whoever writes one looks at
the misses of some topics and judges it by the totals of others: `--misses` never shows those that only judge (JUDGE).
`--described` gives each brand its description; `--speed` prints the time per answer for 1, 100 and 5,000 names.
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from tests.measurement.fit import Folds
from tests.measurement.labels import JUDGE, Label, LabelledAnswer, labelled_answers
from tests.measurement.tracked import subjects
from tests.reference import reference_folder
from visibility.detection import VERSION, Detector, Subject


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the detector says of one label's brand."""

    is_mentioned: bool
    rank: int | None = None
    stance: str | None = None
    place: tuple[int, int] | None = None


@dataclass
class Score:
    """The figures of some answers. `firsts`: how many have a first pick, and for how many the detector has one of
    theirs; `advice`: offers told where readers see none."""

    answers: int = 0
    rows: int = 0
    names: Counter[str] = field(default_factory=Counter)
    plain: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    ranks: Counter[str] = field(default_factory=Counter)
    firsts: Counter[str] = field(default_factory=Counter)
    stances: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, judged: Sequence[tuple[Label, Verdict]]) -> None:
        """Count one answer."""
        self.answers += 1
        for label, verdict in judged:
            self._add(label, verdict)
        firsts = {label.brand for label, _ in judged if label.rank == 1}
        if firsts:
            found = {label.brand for label, verdict in judged if verdict.rank == 1}
            self.firsts["right" if firsts & found else "other" if found else "none"] += 1

    def _add(self, label: Label, verdict: Verdict) -> None:
        self.rows += 1
        outcome = _outcome(label.is_mentioned, verdict.is_mentioned)
        self.names[outcome] += 1
        if not label.is_homonym:
            self.plain[outcome] += 1
        if not label.is_doubtful:
            self.offered[_outcome(label.rank is not None, verdict.rank is not None)] += 1
            if label.rank is not None:
                is_none = verdict.rank is None
                self.ranks["equal" if verdict.rank == label.rank else "none" if is_none else "other"] += 1
        if outcome == "right" and label.stance is not None:
            self.stances[label.stance, verdict.stance or ""] += 1

    @property
    def rank_share(self) -> float:
        return self.ranks["equal"] / max(self.ranks.total(), 1)

    @property
    def recommended(self) -> tuple[int, int, int]:
        """How many the detector calls recommended and are labelled so, how many it calls so, how many are."""
        called = sum(number for (_, stance), number in self.stances.items() if stance == "recommended")
        are = sum(number for (label, _), number in self.stances.items() if label == "recommended")
        return self.stances["recommended", "recommended"], called, are

    def row(self, name: str) -> str:
        right, called, are = self.recommended
        return (
            f"{name:32} {self.answers:4} {self.rows:5} {f1(self.names):.3f} {f1(self.plain):.3f}"
            f" {self.names['missed']:4} {self.names['false']:4}  {f1(self.offered):.3f} {self.offered['false']:4}"
            f"  {self.firsts['right']:3}/{self.firsts.total():3}"
            f"  {self.ranks['equal']:4}/{self.ranks.total():4} {100 * self.rank_share:3.0f} %"
            f"  {right:4} of {called:4}, {are:4}"
        )


HEADER = (
    f"{'':32} {'answ':>4} {'rows':>5} {'F1':>5} {'plain':>5} {'miss':>4} {'fals':>4}  {'offer':>5} {'fals':>4}"
    f"  {'first':>7}  {'ranks equal':>15}  recommended: right of told, labelled"
)


def _outcome(is_labelled: bool, is_found: bool) -> str:
    if is_found:
        return "right" if is_labelled else "false"
    return "missed" if is_labelled else "absent"


def f1(counts: Counter[str]) -> float:
    """The harmonic mean of precision and recall, from counts of right, false and missed; 0 without any."""
    right, wrong = counts["right"], counts["false"] + counts["missed"]
    return 2 * right / (2 * right + wrong) if right + wrong else 0.0


def judge(answer: LabelledAnswer, detector: Detector) -> list[tuple[Label, Verdict]]:
    """The detector's verdict on each label of an answer."""
    found = detector.detect(answer.text, answer.prompt, answer.sources)
    by_subject = defaultdict(list)
    for mention in found.mentions:
        by_subject[int(mention.subject)].append(mention)
    judged = []
    for number, label in enumerate(answer.labels):
        verdict = Verdict(False)
        if mentions := by_subject[number]:
            stances = [mention.stance.value for mention in mentions]
            stance = next((stance for stance in stances if stance != "unknown"), "unknown")
            rank = next((mention.rank for mention in mentions if mention.rank), None)
            verdict = Verdict(stance != "not_found", rank, stance, (mentions[0].start, mentions[0].end))
        judged.append((label, verdict))
    return judged


Judged = tuple[LabelledAnswer, Sequence[tuple[Label, Verdict]]]


def judged_answers(
    answers: Sequence[LabelledAnswer],
    *,
    fold: str,
    described: bool,
    among: Sequence[LabelledAnswer] = (),
) -> Iterator[Judged]:
    """Every answer with its labels and the detector's verdicts, by weights that are fitted to the other parts of
    `among`, which are these answers themselves unless more are given."""
    folds = Folds(among or answers, fold)
    for answer in answers:
        yield answer, judge(answer, Detector(subjects(answer, described=described), weights=folds.weights(answer)))


def scores(judged: Iterable[Judged]) -> dict[str, Score]:
    """The figures by language, by engine, by topic, by collection, and of the topics that only judge."""
    by_name: dict[str, Score] = defaultdict(Score)
    for answer, verdicts in judged:
        names = [f"topic {answer.topic}", f"collection {answer.collection}"]
        if answer.language == "en":
            side = "judge" if answer.topic in JUDGE else "tune"
            engine = answer.engine if answer.collection != "arena-hard-en" else "models alone"
            names += ["english", f"english {side}", f"engine {engine}", f"engine {engine} {side}"]
        else:
            side = "judge" if answer.topic in JUDGE else "tune"
            names += ["foreign", f"foreign {side}", f"language {answer.language}"]
        for name in names:
            by_name[name].add(verdicts)
    return by_name


def misses(judged: Iterable[Judged]) -> Iterator[str]:
    """A line for each label found in vain (+), missed (-), of another rank (#) or called recommended in vain (!)."""
    for answer, verdicts in judged:
        for label, found in verdicts:
            shown = f"{answer.engine} {answer.topic} {label.brand} [{label.why}] {answer.prompt[:40]!r}"
            if found.is_mentioned != label.is_mentioned:
                place = found.place or next(iter(label.places), None)
                around = answer.text[max(0, place[0] - 50) : place[1] + 50] if place else ""
                yield f"{'+' if found.is_mentioned else '-'} {shown}: {around!r}"
            elif label.is_mentioned and not label.is_doubtful and label.rank != found.rank:
                yield f"# {shown}: {label.rank}, detected {found.rank}"
            if found.stance == "recommended" and label.stance not in (None, "recommended"):
                yield f"! {shown}: {label.stance}"


def speed(answers: Sequence[LabelledAnswer]) -> Iterator[str]:
    """Milliseconds of processor time per answer, the median of these answers."""
    names = list(dict.fromkeys(alias for answer in answers for label in answer.labels for alias in label.aliases))
    names += [f"{name} {number}" for number in range(20) for name in names]
    for size in (1, 100, 5_000):
        detector = Detector([Subject(str(number), (name,)) for number, name in enumerate(names[:size])])
        times = []
        for answer in answers:
            begun = time.process_time()
            detector.detect(answer.text, answer.prompt, answer.sources)
            times.append(1_000 * (time.process_time() - begun))
        yield f"{size:5} names: {median(times):.1f} ms per answer, at most {max(times):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topic", action="append", help="this topic or collection only; may come several times")
    parser.add_argument("--fold", choices=("topic", "collection"), default="topic", help="what is left out")
    parser.add_argument("--described", action="store_true", help="with the description of each brand")
    parser.add_argument("--all", action="store_true", help="a row for each topic and collection, too")
    parser.add_argument("--misses", action="store_true", help="list what is wrong, never of topics that only judge")
    parser.add_argument("--speed", action="store_true", help="time per answer instead")
    chosen = parser.parse_args()
    folder = reference_folder()
    if folder is None:
        sys.exit("The reference data is absent; name its folder in REFERENCE_DATA.")
    every = list(labelled_answers(folder))
    answers = [answer for answer in every if not chosen.topic or answer.topic in chosen.topic]
    print(f"detector version {VERSION}")
    if chosen.speed:
        print(*speed(answers), sep="\n")
        return
    judged = list(judged_answers(answers, fold=chosen.fold, described=chosen.described, among=every))
    if chosen.misses:
        print(*misses(each for each in judged if each[0].topic not in JUDGE), sep="\n")
        return
    print(HEADER)
    for name, score in sorted(scores(judged).items()):
        if chosen.all or chosen.topic or name.split()[0] not in ("topic", "collection"):
            print(score.row(name))


if __name__ == "__main__":
    main()
