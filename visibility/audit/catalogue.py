"""The catalogue of checks: what each looks at, what it weighs, what justifies it and what is known of its effect.

A check whose evidence grade is C or C+ weighs 0: it is shown, not scored. Caps hold the overall score down where a
critical defect makes all else irrelevant.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pydantic import TypeAdapter

from visibility.audit.outcome import CatalogueEntry


def _load() -> Mapping[str, CatalogueEntry]:
    text = Path(__file__).with_name("catalogue.json").read_bytes()
    entries = TypeAdapter(list[CatalogueEntry]).validate_json(text)
    return MappingProxyType({entry.id: entry for entry in entries})


CATALOGUE: Mapping[str, CatalogueEntry] = _load()
"""By id, in the order in which findings of the same severity are shown."""
