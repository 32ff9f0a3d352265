"""What each rule of the detector brings: `python -m tests.measurement.real.ablation [--write] [--only text.labels]`.

With `--together` all rules that `--only` names, which may come several times, are switched off at once: what loses
nothing together may go, what loses nothing alone may not.

Each rule group is switched off in turn, and the labelled real answers and the written passages that are for tuning
are judged without it. Rules back each other up: what brings nothing alone may bring much together. A figure of +0.50
says that the rule brings half a point; a rule that brings nothing on real answers and little on the written ones has
to go.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from tests.measurement.labelled import score as written
from tests.measurement.labelled.loading import FILES, TRAPS, Passage, load
from tests.measurement.real import score as real
from tests.measurement.real.loading import LabelledAnswer, labelled_answers
from tests.measurement.real.rule_groups import Group, forget, groups, switched_off, watched
from visibility.detection.detector import DETECTOR_VERSION
from visibility.detection.types import FoundMention

TABLE = Path(__file__).with_name("ablation.md")
FIGURES = (
    "mentions",
    "together",
    "places",
    "rank",
    "stance",
    "mentions, written",
    "rank, written",
    "stance, written",
)
Item = LabelledAnswer | Passage
NEEDED = "needed"
"""Stands for a group without which the detector does not run at all."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a group brings to each of `FIGURES`, in points; None where nothing runs without it."""

    group: Group
    points: Sequence[float] | None

    @property
    def on_real(self) -> float:
        return sum(self.points[:5]) if self.points else float("inf")

    @property
    def on_written(self) -> float:
        return sum(self.points[5:]) if self.points else float("inf")


@dataclass(frozen=True, slots=True)
class Found:
    """What the detector finds in one answer or passage."""

    alone: Sequence[real.Verdict] = ()
    together: Sequence[real.Verdict] = ()
    mentions: Sequence[FoundMention] = ()


def look(item: Item) -> Found:
    """What the detector finds there now."""
    if isinstance(item, Passage):
        return Found(mentions=written.run_detector(item))
    return Found(alone=real.alone(item), together=real.together(item))


def figures(items: Sequence[Item], found: Sequence[Found]) -> list[float]:
    """The detector's `FIGURES` in percent: F1 of mentions with each brand by itself and with all of an answer, F1 of
    places, labelled ranks and stances that are met; the same of the written passages, whose places are exact."""
    alone, together, total = real.Score(), real.Score(), written.Score()
    for item, told in zip(items, found, strict=True):
        if isinstance(item, Passage):
            total.add(item, told.mentions)
        else:
            alone.add(item, told.alone)
            together.add(item, told.together)
    shares = [
        (alone.ranks["equal"], sum(alone.ranks[each] for each in ("equal", "other", "none"))),
        (sum(count for (label, told), count in alone.stances.items() if label == told), alone.stances.total()),
        (2 * total.mentions.right, total.mentions.claimed + total.mentions.labelled),
        (total.ranks.right, total.ranks.labelled),
        (total.stances.right, total.stances.labelled),
    ]
    measured = [alone.every.f1, together.every.f1, alone.spans.f1]
    return [100 * each for each in measured] + [100 * part / whole if whole else 0.0 for part, whole in shares]


def effects(items: Sequence[Item], switchable: Sequence[Group]) -> Iterator[Effect]:
    """What each group brings: only where it finds something does the detector look again without it."""
    whole = frozenset(range(len(items)))
    watchable = [group for group in switchable if group.is_watchable]
    at: dict[str, set[int]] = {group.name: set() for group in watchable}
    found: list[Found] = []
    forget()
    for place, item in enumerate(items):
        with watched(watchable, lambda group, place=place: at[group.name].add(place)):
            forget()
            found.append(look(item))
    basis = figures(items, found)
    for group in switchable:
        without = list(found)
        try:
            with switched_off(group):
                for place in at.get(group.name, whole):
                    without[place] = look(items[place])
        except Exception:  # whatever a rule's absence breaks, it is then needed
            yield Effect(group, None)
        else:
            yield Effect(group, [one - other for one, other in zip(basis, figures(items, without), strict=True)])


def table(found: Sequence[Effect], basis: Sequence[float]) -> str:
    """The effects as a document in Markdown, those that bring least first."""
    lines = [_PREFACE.format(version=DETECTOR_VERSION)]
    lines += ["| rule | kind | " + " | ".join(FIGURES) + " |", "|---|---|" + "--:|" * len(FIGURES)]
    lines.append("| **all rules** | | " + " | ".join(f"{each:.2f}" for each in basis) + " |")
    for effect in sorted(found, key=lambda effect: (round(effect.on_real, 2), effect.on_written, effect.group.name)):
        cells = [_shown(each) for each in effect.points] if effect.points else [NEEDED] * len(FIGURES)
        lines.append(f"| {effect.group.name} | {effect.group.kind} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _shown(points: float) -> str:
    return f"{points:+.2f}" if abs(points) >= 0.005 else "0"


_PREFACE = """# What each rule brings

Detector version {version}. Figures of all rules in percent, then what each rule adds to them in points: on the
labelled real answers, and on the written passages that are for tuning. *Mentions*: F1 with each brand
tracked by itself, *together*: with all brands of an answer; *places*: F1 of all places; *rank* and *stance*: labels
that are met. Written by `make ablate`.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("REFERENCE_DATA", "../shared/data")))
    parser.add_argument("--only", action="append", help="rules whose name begins so, such as names.senses")
    parser.add_argument("--together", action="store_true", help="switch these rules off at once")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    chosen = parser.parse_args()
    items: list[Item] = list(labelled_answers(chosen.data))
    items += [each for each in load([*FILES, TRAPS]) if each.half == "tune"]
    switchable = [group for group in groups() if group.name.startswith(tuple(chosen.only or [""]))]
    basis = figures(items, [look(item) for item in items])
    if chosen.together:
        with switched_off(*switchable):
            without = figures(items, [look(item) for item in items])
        for name, one, other in zip(FIGURES, basis, without, strict=True):
            print(f"{name}: {one:.2f}, without {len(switchable)} rules {other:.2f}")
        return
    progress = tqdm(effects(items, switchable), total=len(switchable), disable=not sys.stderr.isatty())
    document = table(list(progress), basis)
    if chosen.write:
        TABLE.write_text(document, encoding="utf-8")
    print(document)


if __name__ == "__main__":
    main()
