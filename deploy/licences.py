"""The licences of a CycloneDX file: `python deploy/licences.py sbom.json` prints name, version, licence of each."""

import json
import sys
from pathlib import Path
from typing import Any


def licences_of(component: dict[str, Any]) -> str:
    """What a package says of its licence: identifiers of SPDX where it gives them, else its own words."""
    found = []
    for each in component.get("licenses", []):
        licence = each.get("license", {})
        found.append(each.get("expression") or licence.get("id") or licence.get("name") or "")
    known = sorted({" ".join(words.split())[:60] for words in found if words and not words.startswith("declared")})
    return ", ".join(known) or "not stated"


def main(file: str) -> None:
    """Print the table."""
    components = json.loads(Path(file).read_text())["components"]
    for each in sorted(components, key=lambda one: str(one["name"]).lower()):
        print(f"{each['name']:<32}{each.get('version', ''):<16}{licences_of(each)}")


if __name__ == "__main__":
    main(sys.argv[1])
