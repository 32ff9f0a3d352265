"""`python -m tests.asking [--misses] [--file QUESTIONS.toml] [--keep FOLDER]`: asks about five brands and judges.

Imports the real answers (REFERENCE_DATA names their folder) into a database of its own; `--keep` uses, or makes, one
in a folder that stays.
"""

import argparse
import os
import subprocess
import sys
import tempfile


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="print every answer that is not right")
    parser.add_argument("--file", default="")
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brand-visibility-asking-") as own:
        settings = {"VAR_DIR": options.keep or own, "DJANGO_SETTINGS_MODULE": "config.settings.local", "DEBUG": "1"}
        asked = f"from tests.asking.session import show; show({options.file!r}, misses={options.misses})"
        for command in (["migrate", "-v", "0"], ["shell", "--no-imports", "-c", asked]):
            subprocess.run([sys.executable, "manage.py", *command], check=True, env=os.environ | settings)


if __name__ == "__main__":
    main()
