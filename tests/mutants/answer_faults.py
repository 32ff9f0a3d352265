"""Faults in what is stored and in how it is written: names of the API in the store, rows written otherwise than their
resource, renames that miss or hit what they should not."""

from tests.mutants.harness import Fault

_WRITTEN = "apikeys/db/written.py"
_RENAMED = "visibility/migrations/0023_domain_names.py"

ANSWERS = (
    Fault(
        "a resource is written without one of its fields",
        _WRITTEN,
        "if values.keys() != names.keys():",
        "if values.keys() - names.keys():",
        ("tests/rest/test_written.py",),
    ),
    Fault(
        "stored JSON goes out as it is stored",
        _WRITTEN,
        "orjson.Fragment(adapter.dump_json(adapter.validate_json(text), by_alias=True))",
        "orjson.Fragment(text)",
        ("tests/rest/test_written.py", "tests/rest/test_reading.py"),
    ),
    Fault(
        "rows may hold words of others",
        _WRITTEN,
        "    _require_plain(resource)\n",
        "",
        ("tests/rest/test_written.py",),
    ),
    Fault(
        "what stands within a resource is written by its names inside",
        _WRITTEN,
        "value.__pydantic_serializer__.to_json(value, by_alias=True, context=reader)",
        "value.__pydantic_serializer__.to_json(value, by_alias=False, context=reader)",
        ("tests/rest/test_written.py",),
    ),
    Fault(
        "the models of an engine are kept by a name that no resource reads",
        "visibility/measured/stored.py",
        "    models: Sequence[str]\n",
        "    model_names: Sequence[str]\n",
        ("tests/rest/test_written.py",),
    ),
    Fault(
        "an upgrade renames engines that are called like a figure",
        _RENAMED,
        'for name, figures in kept["engines"].items()}',
        'for name, figures in self._renamed(kept["engines"], DETAILS).items()}',
        ("tests/scans/test_domain_names_migration.py",),
    ),
    Fault(
        "an upgrade leaves the changes of engines as they were",
        _RENAMED,
        "        if by_engine in kept:\n",
        "        if False:\n",
        ("tests/scans/test_domain_names_migration.py",),
    ),
    Fault(
        "an upgrade ends after the first rows",
        _RENAMED,
        "    while batch := list(islice(keys, AT_ONCE)):\n        changed",
        "    if batch := list(islice(keys, AT_ONCE)):\n        changed",
        ("tests/scans/test_domain_names_migration.py",),
    ),
    Fault(
        "one engine's scores have the other engines' days",
        "visibility/services/reading/scores.py",
        'engine_items = orjson.dumps([item for item in items if item["engine"] == engine]).decode()',
        "engine_items = orjson.dumps(items).decode()",
        ("tests/mcp/test_scores.py",),
    ),
)
