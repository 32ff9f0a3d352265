"""`REFERENCE_DATA=… python -m tests.writing.drafts [--write] [--keep FOLDER]`: ten drafts from real answers.

Imports the answers into a database of its own; `--keep` uses, or makes, one in a folder that stays. `--write` writes
docs/drafts; without it the drafts are printed.
"""

import argparse
import os
import subprocess
import sys
import tempfile


def main() -> None:
    """Have the drafts written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brand-visibility-drafts-") as own:
        settings = {"VAR_DIR": options.keep or own, "DJANGO_SETTINGS_MODULE": "config.settings.local", "DEBUG": "1"}
        made = f"from tests.writing.drafts.session import make; make(write={options.write})"
        for command in (["migrate", "-v", "0"], ["shell", "--no-imports", "-c", made]):
            subprocess.run([sys.executable, "manage.py", *command], check=True, env=os.environ | settings)


if __name__ == "__main__":
    main()
