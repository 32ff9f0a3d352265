"""How the detector does on labelled real answers: `python -m tests.measurement.score [--topic NAME] [--misses]`.

Each labelled brand is tracked by itself. Answers of one topic are alike, so whoever writes a rule looks at the misses
of some topics and judges it by the totals of others: `--leave-out` prints the topics whose misses nobody read (JUDGE)
and the rest apart. `--speed` prints the time per answer for 1, 100 and 5,000 names.
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from tests.measurement.labels import JUDGE, Label, LabelledAnswer, labelled_answers
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
    """The figures of some answers."""

    rows: int = 0
    right: int = 0
    false: int = 0
    missed: int = 0
    plain: Counter[str] = field(default_factory=Counter)
    ranks: Counter[str] = field(default_factory=Counter)
    stances: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, label: Label, verdict: Verdict) -> None:
        self.rows += 1
        outcome = _outcome(label.is_mentioned, verdict.is_mentioned)
        self.right += outcome == "right"
        self.false += outcome == "false"
        self.missed += outcome == "missed"
        if not label.is_homonym:
            self.plain[outcome] += 1
        if outcome != "right":
            return
        if label.rank is not None:
            self.ranks["equal" if verdict.rank == label.rank else "none" if verdict.rank is None else "other"] += 1
        elif verdict.rank is not None:
            self.ranks["unlabelled"] += 1
        if label.stance is not None:
            self.stances[label.stance, verdict.stance or ""] += 1

    @property
    def f1(self) -> float:
        return _f1(self.right, self.false, self.missed)

    @property
    def plain_f1(self) -> float:
        return _f1(self.plain["right"], self.plain["false"], self.plain["missed"])

    @property
    def ranked(self) -> int:
        return self.ranks["equal"] + self.ranks["other"] + self.ranks["none"]

    @property
    def rank_share(self) -> float:
        return self.ranks["equal"] / self.ranked if self.ranked else 0.0

    @property
    def recommended(self) -> tuple[int, int]:
        """How many of those that the detector calls recommended are labelled so, and how many it calls so."""
        called = sum(number for (_, stance), number in self.stances.items() if stance == "recommended")
        return self.stances["recommended", "recommended"], called

    def row(self, name: str) -> str:
        right, called = self.recommended
        return (
            f"{name:34} {self.rows:5} {self.f1:.4f} {self.plain_f1:.4f} {self.missed:4} {self.false:4}  "
            f"{self.ranks['equal']:4}/{self.ranked:4} {100 * self.rank_share:4.0f} %  {right:4}/{called:4}"
        )


HEADER = f"{'':34} {'rows':>5} {'F1':>6} {'plain':>6} {'miss':>4} {'false':>5} {'ranks equal':>15}  {'recomm.':>9}"


def _outcome(is_labelled: bool, is_found: bool) -> str:
    if is_found:
        return "right" if is_labelled else "false"
    return "missed" if is_labelled else "absent"


def _f1(right: int, false: int, missed: int) -> float:
    return 2 * right / (2 * right + false + missed) if right + false + missed else 0.0


def verdict(answer: LabelledAnswer, label: Label) -> Verdict:
    """The detector's verdict with the label's brand as the only subject."""
    subject = Subject("it", tuple(label.aliases), (label.domain,) if label.domain else ())
    mentions = Detector([subject]).detect(answer.text, answer.prompt, answer.sources).mentions
    if not mentions:
        return Verdict(False)
    stances = [mention.stance.value for mention in mentions]
    stance = next((stance for stance in stances if stance != "unknown"), "unknown")
    first = mentions[0]
    return Verdict(stance != "not_found", first.rank, stance, (first.start, first.end))


def judged(answers: Iterable[LabelledAnswer]) -> Iterator[tuple[LabelledAnswer, Label, Verdict]]:
    """Every label with its answer and the detector's verdict."""
    for answer in answers:
        for label in answer.labels:
            yield answer, label, verdict(answer, label)


def scores(answers: Iterable[LabelledAnswer]) -> dict[str, Score]:
    """The figures by topic, by engine, of the judging topics, of the others, and of all."""
    by_name: dict[str, Score] = defaultdict(Score)
    for answer, label, found in judged(answers):
        side = "judge" if answer.topic in JUDGE else "tune"
        for name in (f"topic {answer.topic}", f"{side} {answer.engine}", side, answer.engine, "all"):
            by_name[name].add(label, found)
    return by_name


def misses(answers: Iterable[LabelledAnswer]) -> Iterator[str]:
    """A line for each label found in vain (+), missed (-), of another rank (#) or called recommended in vain (!)."""
    for answer, label, found in judged(answers):
        shown = f"{answer.engine} {answer.topic} {label.brand} [{label.why}] {answer.prompt[:40]!r}"
        if found.is_mentioned != label.is_mentioned:
            place = found.place or _first_place(answer.text, label)
            around = answer.text[max(0, place[0] - 50) : place[1] + 50] if place else ""
            yield f"{'+' if found.is_mentioned else '-'} {shown}: {around!r}"
        elif label.is_mentioned and label.rank != found.rank:
            yield f"# {shown}: {label.rank}, detected {found.rank}"
        if found.stance == "recommended" and label.stance not in (None, "recommended"):
            yield f"! {shown}: {label.stance}"


def _first_place(text: str, label: Label) -> tuple[int, int] | None:
    places = [(text.find(alias), text.find(alias) + len(alias)) for alias in label.aliases if alias in text]
    return min(places, default=None)


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
    parser.add_argument("--misses", action="store_true", help="list what is wrong, never of the judging topics")
    parser.add_argument("--leave-out", action="store_true", help="totals of the judging topics and the rest only")
    parser.add_argument("--speed", action="store_true", help="time per answer instead")
    chosen = parser.parse_args()
    folder = reference_folder()
    if folder is None:
        sys.exit("The reference data is absent; name its folder in REFERENCE_DATA.")
    answers = [answer for answer in labelled_answers(folder) if not chosen.topic or answer.topic in chosen.topic]
    print(f"detector version {VERSION}")
    if chosen.speed:
        print(*speed(answers), sep="\n")
        return
    if chosen.misses:
        print(*misses(answer for answer in answers if answer.topic not in JUDGE), sep="\n")
        return
    print(HEADER)
    for name, score in sorted(scores(answers).items()):
        if not chosen.leave_out or name.split()[0] in ("judge", "tune"):
            print(score.row(name))


if __name__ == "__main__":
    main()
