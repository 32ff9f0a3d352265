"""What each group of the detector's rules is worth: `python -m tests.measurement.ablation` switches each off as a
whole and prints the totals of the topics whose misses nobody read while rules were written."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

from tests.measurement.labels import JUDGE, labelled_answers
from tests.measurement.score import scores
from tests.reference import reference_folder
from visibility.detection import detector, dictionary, entries, senses, visible
from visibility.detection.splitting import Line


def one_line(shown: str, start: int, end: int) -> Iterator[Line]:
    """Text without line breaks stays one line."""
    yield Line("text", start, end, start, end)


GROUPS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "splitting of unbroken text": (visible, "split", one_line),
    "variants of names": (dictionary, "variants", lambda name: iter([name])),
    "senses of common words": (senses.Senses, "meant", lambda self, matches: list(matches)),
    "shops and sources in labels": (detector, "labelled", lambda seen: iter(())),
    "echo of the question": (detector, "echoes", lambda shown, prompt: iter(())),
    "advice is no list": (entries, "ends", lambda label: False),
    "labels of one entry": (entries, "is_attribute", lambda label: False),
    "what stands behind an offer": (entries._Reader, "_offers_behind", lambda self, node: False),
    "advice among points": (entries._Reader, "_are_advice", lambda self, nodes: False),
    "links that name a source": (visible, "_names_source", lambda words, host, before, titles: False),
}


def main() -> None:
    """Print a row for the whole detector, then one for each group that is off."""
    folder = reference_folder()
    assert folder is not None, "Name the folder of the reference data in REFERENCE_DATA."
    judged = [answer for answer in labelled_answers(folder) if answer.topic in JUDGE]
    print(f"{'off':<32}{'F1':>8}{'plain':>8}{'ranks equal':>14}{'recommended':>14}")
    for name, group in {"nothing": None, **GROUPS}.items():
        if group is None:
            total = scores(judged)["all"]
        else:
            with patch.object(*group):
                total = scores(judged)["all"]
        right, told = total.recommended
        ranks = f"{total.ranks['equal']}/{total.ranked}"
        print(f"{name:<32}{total.f1:>8.4f}{total.plain_f1:>8.4f}{ranks:>14}{f'{right}/{told}':>14}")


if __name__ == "__main__":
    main()
