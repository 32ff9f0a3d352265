"""`REFERENCE_DATA=… python -m tests.reports [--write]`: what is recommended to five brands by real answers.

Imports the answers into a database of its own; `--write` writes docs/reports.
"""

import argparse
import os
import subprocess
import sys
import tempfile


def main() -> None:
    """Make the reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brand-visibility-reports-") as own:
        settings = {"VAR_DIR": own, "DJANGO_SETTINGS_MODULE": "config.settings.local", "DEBUG": "1"}
        made = f"from tests.reports.session import make; make(write={options.write})"
        for command in (["migrate", "-v", "0"], ["shell", "--no-imports", "-c", made]):
            subprocess.run([sys.executable, "manage.py", *command], check=True, env=os.environ | settings)


if __name__ == "__main__":
    main()
