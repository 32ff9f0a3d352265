"""What was asked of whom on a day, and whether two days asked the same."""

import hashlib
import json
from typing import Any

from brands.models import Brand
from visibility.detection.detector import DETECTOR_VERSION
from visibility.models import Panel
from visibility.scans.sampling import Sample

SHARED = 0.9


def panel_content(sample: Sample) -> dict[str, Any]:
    """The wordings asked of the averaged engines with their locales, those engines with the models that served
    them, and the detector that counted."""
    engines = {name: sample.engines[name] for name in sample.averaged}
    versions = sorted(set().union(*(engine.versions for engine in engines.values())))
    return {
        "prompts": versions,
        "locales": sorted({sample.locales[version] for version in versions}),
        "engines": {name: sorted(engine.models) for name, engine in engines.items()},
        "detector": DETECTOR_VERSION,
    }


def store_panel(brand: Brand, content: dict[str, Any]) -> Panel:
    """The one panel of the brand with this content."""
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    panel, _ = Panel.objects.get_or_create(brand=brand, digest=digest, defaults={"content": content})
    return panel


def comparable(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether two panels measure the same: at least 90 % of the larger prompt set shared (by version), and the
    same engines, served models, locales and detector."""
    mine, other = set(now["prompts"]), set(before["prompts"])
    shared = len(mine & other) >= SHARED * max(len(mine), len(other))
    return shared and all(before[part] == now[part] for part in ("engines", "locales", "detector"))
