"""The reference data: real answers, labels by other hands, reference values. Tests without it skip, aloud."""

import os
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve()


@cache
def reference_folder() -> Path | None:
    """The folder that REFERENCE_DATA names, else `shared/data` beside the nearest ancestor that has one."""
    if named := os.environ.get("REFERENCE_DATA"):
        return Path(named)
    candidates = (ancestor / "shared" / "data" for ancestor in HERE.parents)
    return next((folder for folder in candidates if folder.is_dir()), None)


def reference_file(name: str) -> Path:
    """One file of the reference data: the test skips where there is no data, and fails where only this is missing."""
    folder = reference_folder()
    if folder is None:
        pytest.skip("There is no reference data here; name its folder in REFERENCE_DATA.")
    if not (folder / name).exists():
        pytest.fail(f"The reference data in {folder} lacks {name}.")
    return folder / name
