"""What the figures of the largest panel take: 350 prompts, 5 surfaces, a brand and 25 competitors: `make bench`.

The limit is one second; exits with 1 where it is missed.
"""

import sys
import time

from visibility.metrics import Row, count, measure

ENGINES, PROMPTS, SUBJECTS = 5, 350, 26
LIMIT = 1.0


def main() -> int:
    """Print the best of three, of counting and of measuring."""
    rows = [
        Row(engine, prompt, prompt // 2, subject, answers=3, mentioned=(prompt + subject + engine) % 4 // 2, ranked=0)
        for engine in range(ENGINES)
        for prompt in range(PROMPTS)
        for subject in range(SUBJECTS)
    ]
    best = min(_seconds(rows) for _ in range(3))
    print(f"Figures of {len(rows):,} cells: {best:.2f} s (limit {LIMIT} s).")
    return int(best > LIMIT)


def _seconds(rows: list[Row]) -> float:
    began = time.process_time()
    measure(count(rows, range(SUBJECTS)))
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
