"""robots.txt against the verdicts of Google's own matcher, and what a finding needs of it."""

import csv

from visibility.audit.parse.robots import parse_robots


def test_all_verdicts_of_googles_matcher(reference_data):
    folder = reference_data / "site-audit/robots"
    rules, wrong, asked = {}, [], 0
    with (folder / "gold.tsv").open() as gold:
        for row in csv.DictReader(gold, delimiter="\t"):
            name = row["file"]
            if name not in rules:
                rules[name] = parse_robots((folder / name).read_bytes().decode("utf-8", "replace"))
            asked += 1
            if rules[name].allowed(row["agent"], row["url"]) != (row["allowed"] == "1"):
                wrong.append(row)
    assert asked > 1_400
    assert wrong == []
