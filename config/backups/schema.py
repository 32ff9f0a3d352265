"""Whether what a backup holds is a database of this service that this release can go on with."""

from collections.abc import Collection
from pathlib import Path

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState

from config.backups.files import Refused, shown

OWN = ("apikeys", "brands", "visibility")
_MOST_NAMED = 5


def check_schema(source: Path, tables: Collection[str], applied: Collection[tuple[str, str]]) -> None:
    """Refuse what is no database of this service, was made by a later release, or lacks tables of its release.

    `applied` are the migrations (app, name) that are noted in it.
    """
    loader = MigrationLoader(None)
    known = set(loader.disk_migrations)
    for migration in loader.disk_migrations.values():
        known.update(migration.replaces)
    if not all(any(name[0] == app for name in known.intersection(applied)) for app in OWN):
        raise Refused(f"{shown(source)} is a database, but not one of this service.")
    later = sorted(name for name in applied if name[0] in OWN and name not in known)
    if later:
        raise Refused(
            f"{shown(source)} was made by a later release than this one, which does not know its migration "
            f"{'.'.join(later[0])}. Install that release, then restore."
        )
    nodes = [name for name in loader.graph.nodes if name in set(applied)]
    models = loader.project_state(nodes).models.values()
    own = (model for model in models if model.app_label in OWN and _has_table(model))
    missing = sorted({_table(model) for model in own}.difference(tables))
    if missing:
        more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
        raise Refused(
            f"{shown(source)} is no whole backup: it lacks {', '.join(missing[:_MOST_NAMED])}{more}. "
            "Nothing was changed."
        )


def _has_table(model: ModelState) -> bool:
    options = model.options
    return bool(options.get("managed", True)) and not options.get("proxy") and not options.get("abstract")


def _table(model: ModelState) -> str:
    return str(model.options.get("db_table") or f"{model.app_label}_{model.name_lower}")
