"""What a line about what a brand sells is worth, on labelled rows of brands whose letters also mean something else:
`python -m tests.measurement.real.described`."""

import argparse
import os
import tomllib
from pathlib import Path

from tests.measurement.real.loading import labelled_answers
from tests.measurement.real.score import Tally, dictionary, reading_of, verdict
from visibility.detection.detector import detect
from visibility.detection.names.ambiguity import flag_ambiguous

DESCRIPTIONS = Path(__file__).with_name("descriptions.toml")


def main() -> None:
    """Print precision and recall of the rows of these brands, and of those with a flagged name, without and with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("REFERENCE_DATA", "../shared/data")))
    data = parser.parse_args().data
    descriptions = tomllib.loads(DESCRIPTIONS.read_text(encoding="utf-8"))
    tallies = {(group, way): Tally() for group in ("every row", "flagged names", "another sense")
               for way in ("without", "with")}  # fmt: skip
    for answer in labelled_answers(data):
        reading, text = reading_of(answer)
        for label in answer.labels:
            if label.domain not in descriptions:
                continue
            groups = ["every row"]
            groups += ["flagged names"] if flag_ambiguous(label.brand) else []
            groups += ["another sense"] if label.why == "other_sense" or label.rule == "homonym" else []
            for way, described in (("without", {}), ("with", {"0": descriptions[label.domain]})):
                found = detect(reading, answer.prompt, dictionary([label], described))
                told = verdict(found, "0", text).is_mentioned
                for group in groups:
                    tallies[group, way].add(told, label.is_mentioned)
    for (group, way), tally in tallies.items():
        recall = tally.right / max(tally.right + tally.missed, 1)
        print(
            f"{group}, {way} a description: {tally.rows} rows, {tally.vain} counted in vain, {tally.missed} missed, "
            f"right {tally.accuracy:.3f}, precision {tally.precision:.3f}, recall {recall:.3f}, F1 {tally.f1:.3f}"
        )


if __name__ == "__main__":
    main()
