"""Run the simulations and write their tables into docs/measurement-simulation.md and docs/proof-simulation.md:
`python -m tests.simulate`."""

import re
import sys
from pathlib import Path

from tqdm import tqdm

from tests.simulate.change_tables import FalseAlarms, Sizes
from tests.simulate.coverage_table import IntervalTable
from tests.simulate.month_tables import Months
from tests.simulate.proof_tables import ProofAlarms, ProofPauses, ProofSizes
from tests.simulate.record_tables import Records

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
TABLES = {
    "intervals": IntervalTable(),
    "false-alarms": FalseAlarms(),
    "sizes": Sizes(),
    "months": Months(),
    "records": Records(),
    "proof-alarms": ProofAlarms(),
    "proof-pauses": ProofPauses(),
    "proof-sizes": ProofSizes(),
}


def main(names):
    """Simulate the named tables (all without names). 1 where something that is promised does not hold."""
    problems = []
    for name in names or TABLES:
        table = TABLES[name]
        rows = table.rows()
        lines = [table.line(row) for row in tqdm(rows, desc=name, unit="row")]
        lines += [table.total(lines)] if hasattr(table, "total") else []
        text = "\n".join([table.header, *(line.text for line in lines)])
        problems += [problem for line in lines for problem in line.problems]
        print(f"\n{text}\n")
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
