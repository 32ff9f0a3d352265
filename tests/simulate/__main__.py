"""Run the simulations and write their tables into docs/measurement-simulation.md and docs/proof-simulation.md:
`python -m tests.simulate`."""

import re
import sys
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from tests.simulate.change_tables import FalseAlarms, Sizes
from tests.simulate.coverage_table import IntervalTable
from tests.simulate.month_tables import Luck, Months, Power
from tests.simulate.place_tables import Places
from tests.simulate.proof_tables import ProofAlarms, ProofPauses, ProofSizes
from tests.simulate.question_tables import Questions
from tests.simulate.record_tables import Records

LUCKY = ("sizes", "months")
DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
TABLES = {
    "intervals": IntervalTable(),
    "places": Places(),
    "false-alarms": FalseAlarms(),
    "sizes": Sizes(),
    "questions": Questions(),
    "months": Months(),
    "luck": Luck(),
    "power": Power(),
    "records": Records(),
    "proof-alarms": ProofAlarms(),
    "proof-pauses": ProofPauses(),
    "proof-sizes": ProofSizes(),
}


def main(arguments):
    """Simulate the named tables (all without names). 1 where something that is promised does not hold."""
    parser = ArgumentParser(prog="python -m tests.simulate", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *TABLES], metavar="table", help=", ".join(TABLES))
    parser.add_argument(
        "--luck", type=float, default=0.0, metavar="POINTS",
        help="days have so much luck, in sizes and months; these tables are then only shown",
    )  # fmt: skip
    options, problems = parser.parse_args(arguments), []
    for name in options.names or TABLES:
        is_lucky = options.luck > 0 and name in LUCKY
        table = replace(TABLES[name], luck=options.luck) if is_lucky else TABLES[name]
        rows = table.rows()
        lines = [table.line(row) for row in tqdm(rows, desc=name, unit="row")]
        lines += [table.total(lines)] if hasattr(table, "total") else []
        text = "\n".join([table.header, *(line.text for line in lines)])
        problems += [problem for line in lines for problem in line.problems]
        print(f"\n{text}\n")
        if not is_lucky:
            _write(name, text)
    print(*problems, sep="\n", file=sys.stderr)
    return int(bool(problems))


def _write(name, text):
    block = re.compile(rf"(<!-- begin: {name} -->\n).*?(<!-- end: {name} -->)", re.DOTALL)
    path = DOCS / ("proof-simulation.md" if name.startswith("proof-") else "measurement-simulation.md")
    page, count = block.subn(lambda found: f"{found[1]}{text}\n{found[2]}", path.read_text())
    if count != 1:
        raise LookupError(f"{path.name} has no place for the table {name}")
    path.write_text(page)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
