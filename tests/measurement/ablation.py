"""What each group of the detector's rules is worth: `python -m tests.measurement.ablation` switches each off as a
whole and prints the totals of the topics whose misses nobody read while rules were written."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

from tests.measurement.labels import JUDGE, labelled_answers
from tests.measurement.score import HEADER, judged_answers, scores
from tests.reference import reference_folder
from visibility.detection import detector, dictionary, entries, visible
from visibility.detection.naming import Shapes
from visibility.detection.splitting import Line


def one_line(shown: str, start: int, end: int) -> Iterator[Line]:
    """Text without line breaks stays one line."""
    yield Line("text", start, end, start, end)


GROUPS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "splitting of unbroken text": (visible, "split", one_line),
    "variants of names": (dictionary, "variants", lambda name: iter([name])),
    "shops and sources in labels": (detector, "labelled", lambda seen: iter(())),
    "echo of the question": (detector, "echoes", lambda shown, prompt: iter(())),
    "links that name a source": (visible, "_names_source", lambda words, host, before, titles: False),
    "titles that offer": (entries, "is_offer", lambda label: False),
    "titles that introduce": (entries, "introduces", lambda label: False),
    "titles that end a list": (entries, "ends", lambda label: False),
    "clauses that items complete": (entries, "goes_on", lambda label: False),
    "titles by what is below": (entries._Reader, "_is_over_names", lambda self, node: False),
    "categories of names": (entries._Reader, "_categories", lambda self, points: []),
    "advice among points": (entries._Reader, "_advising", lambda self, nodes: set()),
    "phrases are no names": (Shapes, "_is_phrase", lambda self, label, words: False),
    "words of the answer are no names": (Shapes, "_is_word", lambda self, word: False),
}


def main() -> None:
    """Print the rows for the whole detector, then those for each group that is off."""
    folder = reference_folder()
    assert folder is not None, "Name the folder of the reference data in REFERENCE_DATA."
    answers = [answer for answer in labelled_answers(folder) if answer.topic in JUDGE]
    print(HEADER)
    for name, group in {"nothing is off": None, **GROUPS}.items():
        if group is None:
            found = scores(judged_answers(answers, fold="topic", described=False))
        else:
            with patch.object(*group):
                found = scores(judged_answers(answers, fold="topic", described=False))
        print(name)
        for part in ("english", "foreign"):
            print(found[part].row(f"    {part}"))


if __name__ == "__main__":
    main()
