"""`python -m tests.mutants [WORD …]`: try all faults, or those whose name holds one of the words."""

import sys

from tests.mutants.faults import FAULTS
from tests.mutants.harness import try_faults

words = sys.argv[1:]
chosen = [fault for fault in FAULTS if not words or any(word in fault.name for word in words)]
problems = try_faults(chosen) if chosen else ["No fault has such a name."]
if problems:
    print(*problems, sep="\n")
print(f"{len(chosen) - len(problems) if chosen else 0} of {len(chosen)} faults noticed")
sys.exit(1 if problems else 0)
